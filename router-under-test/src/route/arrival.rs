//! A user's request, checked to be one that can be forwarded.

use http::header::{CONTENT_LENGTH, HOST, UPGRADE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Request, Version};
use http_body::Body as _;

use crate::http1::MOST_FIELDS;
use crate::respond::Refusal;
use crate::user::RequestBody;

/// A request that can be forwarded.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) method: Method,
    /// Byte for byte as the user sent it, without scheme and authority (Z-13).
    pub(super) target: PathAndQuery,
    pub(super) headers: HeaderMap,
    /// What the user has yet to send.
    pub(super) body: RequestBody,
}

impl Arrival {
    /// Takes a request apart; refuses what no cell should have to interpret.
    ///
    /// `own_host` stands in where a user of HTTP/1.0 sent no `Host`, since cells ask for one.
    pub(super) fn parse(
        request: Request<RequestBody>,
        own_host: &HeaderValue,
    ) -> Result<Self, Refusal> {
        let (head, body) = request.into_parts();
        let mut headers = head.headers;
        // The router opens no tunnels, and a target without a path leads nowhere.
        if head.method == Method::CONNECT {
            return Err(Refusal::BadTarget);
        }
        // A protocol can be changed where nothing of this request is left to send (RFC 9110 7.8).
        if head.method != Method::GET || head.version != Version::HTTP_11 || !body.is_end_stream() {
            headers.remove(UPGRADE);
        }
        let uri = head.uri.into_parts();
        let target = uri.path_and_query.ok_or(Refusal::BadTarget)?;

        // RFC 9112 3.2: one Host, and none only before HTTP/1.1; 3.2.2: an absolute target
        // overrides it.
        let mut hosts = headers.get_all(HOST).iter();
        let host_is_sent = match (hosts.next(), hosts.next()) {
            (Some(_), None) => true,
            (None, None) if head.version < Version::HTTP_11 => false,
            _ => return Err(Refusal::BadHost),
        };
        if let Some(authority) = uri.authority {
            let host = HeaderValue::try_from(authority.as_str()).map_err(|_| Refusal::BadTarget)?;
            headers.insert(HOST, host);
        } else if !host_is_sent {
            headers.insert(HOST, own_host.clone());
        }
        Ok(Self { method: head.method, target, headers, body })
    }

    /// Whether cells take as many fields, with those that the router adds.
    pub(super) fn can_be_written(&self) -> bool {
        let headers = &self.headers;
        let framing = !self.body.is_end_stream() && !headers.contains_key(CONTENT_LENGTH);
        headers.len() + usize::from(framing) <= MOST_FIELDS
    }
}
