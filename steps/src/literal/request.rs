//! A request as a person sends it.

use bytes::Bytes;

/// A request that a person sends.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The request target, byte for byte.
    pub target: String,
    /// Fields, in addition to those that the client sets.
    pub fields: Vec<(String, String)>,
    /// The body.
    pub body: Bytes,
}

impl Request {
    /// `GET` of a target.
    pub fn get(target: impl Into<String>) -> Self {
        Self {
            method: "GET".to_owned(),
            target: target.into(),
            fields: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// `POST` of a form.
    pub fn form(target: impl Into<String>, pairs: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let fields =
            vec![("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        Self { method: "POST".to_owned(), target: target.into(), fields, body: body.into() }
    }
}
