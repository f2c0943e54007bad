//! A request as the application sees it, read to its end, and its sender.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Method, Version, header};
use http_body_util::BodyExt;

use super::endpoint::RepositoryCall;
use super::path;
use crate::database::User;

/// The number of bytes of a body that are kept for the application; the rest is read and counted.
const KEPT: usize = 1 << 20;

/// A request, with its body at hand.
#[derive(Debug)]
pub struct Visit {
    pub method: Method,
    /// The path, byte for byte.
    pub path: String,
    /// What stands behind the question mark, byte for byte.
    pub query: Option<String>,
    /// The fields of the head.
    pub headers: HeaderMap,
    pub version: Version,
    body: Vec<u8>,
    /// The length of the body in bytes.
    pub body_length: u64,
}

/// A body that was cut off.
#[derive(Debug)]
pub struct Cut;

impl Visit {
    /// Reads a request to its end. A response before that would make the connection unusable, and
    /// cells promise to keep connections open. What is left is the head.
    pub async fn read(request: Request) -> Result<(Self, Request), Cut> {
        let of_git = RepositoryCall::decode(request.uri().path());
        let most = of_git.map_or(KEPT, |_| RepositoryCall::LARGEST);
        let (head, mut body): (_, Body) = request.into_parts();
        let (mut kept, mut body_length) = (Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            let Ok(piece) = frame.map_err(|_| Cut)?.into_data() else { continue };
            body_length += piece.len() as u64;
            let room = most.saturating_sub(kept.len());
            kept.extend_from_slice(&piece[..piece.len().min(room)]);
        }
        let visit = Self {
            method: head.method.clone(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().map(str::to_owned),
            headers: head.headers.clone(),
            version: head.version,
            body: kept,
            body_length,
        };
        Ok((visit, Request::from_parts(head, Body::empty())))
    }

    /// Path and query, as received.
    pub fn target(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether the method is safe (RFC 9110 9.2.1).
    pub fn reads(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// The value of a query parameter.
    pub fn query_value(&self, name: &str) -> Option<String> {
        path::query_value(self.query.as_deref()?, name)
    }

    /// The value of the first field with this name, if it is text.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The value of a cookie, from all `Cookie` lines: a proxy may have split them.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let lines =
            self.headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
        let mut pairs =
            lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The body, if it was kept as a whole.
    pub fn body(&self) -> Option<&[u8]> {
        (self.body.len() as u64 == self.body_length).then_some(&self.body[..])
    }

    /// Whether the body is JSON.
    pub fn is_json(&self) -> bool {
        let kind = self.field("content-type").unwrap_or_default();
        kind.split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    }

    /// The body as a form: the strings and numbers of `application/json`, or form-encoded.
    pub fn form(&self) -> Form {
        if self.is_json() {
            let members: BTreeMap<String, serde_json::Value> =
                serde_json::from_slice(&self.body).unwrap_or_default();
            let texts =
                members.into_iter().filter_map(|(name, value)| Some((name, plain_text(&value)?)));
            return Form(texts.collect());
        }
        Form(form_urlencoded::parse(&self.body).into_owned().collect())
    }
}

/// A string, or a number as it is written.
fn plain_text(value: &serde_json::Value) -> Option<String> {
    match value {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The fields of a form.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form(pub BTreeMap<String, String>);

impl Form {
    /// The value of a field without surrounding blanks; `None` where it is empty.
    pub fn filled(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The unchanged value of a field, if the field was sent.
    pub fn sent(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The unchanged value of a field; empty where the field was not sent.
    pub fn exactly(&self, name: &str) -> &str {
        self.sent(name).unwrap_or_default()
    }
}

/// The sender of a request, as far as the cell knows them.
#[derive(Debug, Default)]
pub struct Viewer {
    /// The user; `None` for a visitor without a valid session or token.
    pub user: Option<User>,
    /// The session that identifies them, if one does.
    pub session: Option<String>,
    /// The session that replaces it with the response, where it is about to end.
    pub renewed: Option<String>,
}

impl Viewer {
    /// The user of a session; a visitor where the session is nobody's.
    pub fn from_session(session: &str, user: Option<User>) -> Self {
        Self { session: user.is_some().then(|| session.to_owned()), user, renewed: None }
    }
}
