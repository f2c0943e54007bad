//! A request as the application sees it: read to its end.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, header};
use http_body_util::BodyExt;
use hyper::upgrade::OnUpgrade;

use super::path;

/// How much of a body is kept for the application; the rest is read and counted.
const KEPT: usize = 1 << 20;

/// A request, with its body at hand.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) method: Method,
    /// The path, byte for byte.
    pub(super) path: String,
    pub(super) query: Option<String>,
    pub(super) headers: HeaderMap,
    /// The connection, once it has been taken over for another protocol.
    pub(super) upgrade: Option<OnUpgrade>,
    body: Vec<u8>,
    /// Bytes of the body in all.
    pub(super) body_length: u64,
}

/// A body that ended before its end.
#[derive(Debug)]
pub(super) struct Cut;

impl Visit {
    /// Reads a request to its end: a response before that would leave the connection unusable, and
    /// cells promise to keep theirs open.
    pub(super) async fn read(request: Request) -> Result<Self, Cut> {
        let (mut head, mut body): (_, Body) = request.into_parts();
        let (mut kept, mut body_length) = (Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            let Ok(piece) = frame.map_err(|_| Cut)?.into_data() else { continue };
            body_length += piece.len() as u64;
            let room = KEPT.saturating_sub(kept.len());
            kept.extend_from_slice(&piece[..piece.len().min(room)]);
        }
        Ok(Self {
            method: head.method,
            path: head.uri.path().to_owned(),
            query: head.uri.query().map(str::to_owned),
            headers: head.headers,
            upgrade: head.extensions.remove::<OnUpgrade>(),
            body: kept,
            body_length,
        })
    }

    /// Path and query, as they came.
    pub(super) fn target(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether the method asks only to read (RFC 9110 9.2.1).
    pub(super) fn reads(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// The value of a member of the query.
    pub(super) fn query_value(&self, name: &str) -> Option<String> {
        path::query_value(self.query.as_deref()?, name)
    }

    /// The first field of this name, if it is text.
    pub(super) fn field(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The value of a cookie; over all `Cookie` lines, since a proxy may have split them.
    pub(super) fn cookie(&self, name: &str) -> Option<&str> {
        let lines =
            self.headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs =
            lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Whether the body is JSON.
    pub(super) fn is_json(&self) -> bool {
        let kind = self.field("content-type").unwrap_or_default();
        kind.split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    }

    /// The body as a form: `application/json` (its members that are texts) or form-encoded.
    pub(super) fn form(&self) -> Form {
        if self.is_json() {
            let members: BTreeMap<String, serde_json::Value> =
                serde_json::from_slice(&self.body).unwrap_or_default();
            let texts = members
                .into_iter()
                .filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())));
            return Form(texts.collect());
        }
        Form(form_urlencoded::parse(&self.body).into_owned().collect())
    }
}

/// The fields of a form.
#[derive(Debug, Default)]
pub(super) struct Form(BTreeMap<String, String>);

impl Form {
    /// A field's value without blanks around it; an empty one counts as not filled in.
    pub(super) fn filled(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// A field's value as it is, if the field was sent.
    pub(super) fn sent(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A field's value as it is, empty where it was not sent.
    pub(super) fn exactly(&self, name: &str) -> &str {
        self.sent(name).unwrap_or_default()
    }
}
