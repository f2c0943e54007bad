//! What mutations carry from one request on a user's connection to the next. A correct router
//! carries nothing: other users may speak on the same connection (Z-96, Z-89).

use bytes::Bytes;
use http::header::{AUTHORIZATION, HOST};
use http::{HeaderMap, HeaderName};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, full};
use crate::base::http1::head::RequestHead;
use crate::base::router::Router;
use crate::kind::Mutation;

/// What is left of the requests before, on one connection.
#[derive(Default)]
pub(crate) struct Carried {
    headers: HeaderMap,
    body: Bytes,
    received: u64,
}

impl Carried {
    /// Completes a head with what the request before had.
    pub(crate) fn complete(&mut self, router: &Router, head: &mut RequestHead) {
        const TOKEN: HeaderName = HeaderName::from_static("private-token");
        match router.mutation() {
            Some(Mutation::KeepsTheFirstHost) => {
                if let Some(first) = self.headers.get(HOST) {
                    head.headers.insert(HOST, first.clone());
                } else {
                    self.headers.extend(head.headers.get(HOST).cloned().map(|host| (HOST, host)));
                }
            }
            Some(Mutation::GivesTheNextUserTheCredentials) => {
                self.field(head, AUTHORIZATION);
                self.field(head, TOKEN);
            }
            _ => {}
        }
    }

    fn field(&mut self, head: &mut RequestHead, name: HeaderName) {
        match (head.headers.get(&name), self.headers.get(&name)) {
            (Some(value), _) => _ = self.headers.insert(name, value.clone()),
            (None, Some(before)) => _ = head.headers.insert(name, before.clone()),
            (None, None) => {}
        }
    }

    /// The body that is sent on: that of the request before, where this one has none.
    pub(crate) async fn body_of(&mut self, body: Body) -> Body {
        if body.is_end_stream() {
            return full(self.body.clone());
        }
        self.body = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        full(self.body.clone())
    }

    /// Whether all bodies of the connection together are longer than the limit for one.
    pub(crate) fn is_full(&mut self, router: &Router, body: &Body) -> bool {
        self.received += body.size_hint().lower();
        self.received > router.config.max_body as u64
    }
}
