//! Literal messages and bytes in the doc strings of scenarios.

mod every_field;
mod request;
mod shared;
mod wire;

use bytes::Bytes;
use every_field::{OF_REQUESTS, OF_RESPONSES, every_field};

pub use request::Request;
pub(crate) use shared::shared_requests;
pub(crate) use wire::extended_chunk;
pub use wire::wire_bytes;

/// A request: `POST /path?query`, field lines, a blank line, the body.
#[derive(Clone, Debug)]
pub struct LiteralRequest(pub Request);

/// A response: `302`, field lines, a blank line, the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralResponse {
    /// The status code.
    pub status: u16,
    /// The field lines, in order.
    pub fields: Vec<(String, String)>,
    /// The body, without the line break at its end.
    pub body: String,
}

/// Why a text is not a literal message.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LiteralError(String);

impl LiteralError {
    fn new(why: String) -> Self {
        Self(why)
    }
}

impl LiteralRequest {
    /// Parses a request.
    ///
    /// # Errors
    ///
    /// Where the first line is not `METHOD /target`, or a further line is not a field.
    pub fn parse(text: &str) -> Result<Self, LiteralError> {
        let (first, fields, body) = split(text, OF_REQUESTS)?;
        let (method, target) = first
            .split_once(' ')
            .filter(|(_, target)| target.starts_with('/'))
            .ok_or_else(|| {
                LiteralError(format!("`{first}` is not a request line; expected `METHOD /target`"))
            })?;
        Ok(Self(Request {
            method: method.to_owned(),
            target: target.to_owned(),
            fields,
            body: Bytes::from(body),
        }))
    }
}

impl LiteralResponse {
    /// Parses a response.
    ///
    /// # Errors
    ///
    /// Where the first line is not a status, or a further line is not a field.
    pub fn parse(text: &str) -> Result<Self, LiteralError> {
        let (first, fields, body) = split(text, OF_RESPONSES)?;
        let status = first.parse().ok().filter(|status| (100..1000).contains(status));
        let status = status.ok_or_else(|| {
            LiteralError(format!(
                "`{first}` is not a status; a response begins with one, such as `302`"
            ))
        })?;
        Ok(Self { status, fields, body })
    }
}

/// Parses `Name: value` lines.
///
/// # Errors
///
/// Names the first line that is not a field.
pub fn field_lines(text: &str) -> Result<Vec<(String, String)>, LiteralError> {
    text.trim_matches('\n').lines().map(field_line).collect()
}

fn field_line(line: &str) -> Result<(String, String), LiteralError> {
    let (name, value) = line
        .split_once(':')
        .ok_or_else(|| LiteralError(format!("`{line}` is not a field; expected `Name: value`")))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

type Split<'a> = (&'a str, Vec<(String, String)>, String);

/// Splits a message into its first line, its fields and its body. A line `{every field 3}` stands
/// for all of these fields, with this number in each value.
fn split<'t>(text: &'t str, every: &[(&str, &str)]) -> Result<Split<'t>, LiteralError> {
    let text = text.trim_start_matches('\n');
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let (first, rest) = head.split_once('\n').unwrap_or((head, ""));
    let mut fields = Vec::new();
    for line in rest.lines().filter(|line| !line.trim().is_empty()) {
        match every_field(line, every) {
            Some(all) => fields.extend(all),
            None => fields.push(field_line(line)?),
        }
    }
    Ok((first.trim(), fields, body.strip_suffix('\n').unwrap_or(body).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_parsed_unchanged() {
        let LiteralRequest(request) =
            LiteralRequest::parse("\nPOST /a?b=c\nX-A: 1\nX-A: 2\n\n{\"x\": 1}\n").unwrap();
        assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/a?b=c"));
        assert_eq!(request.fields, [("X-A".into(), "1".into()), ("X-A".into(), "2".into())]);
        assert_eq!(request.body, "{\"x\": 1}");
        let response =
            LiteralResponse::parse("302\nX-Gitlab-Cell-Redirect: {cell:Cell EU9}\n").unwrap();
        assert_eq!(response.fields[0].1, "{cell:Cell EU9}");
        assert_eq!(response.body, "");
    }

    #[test]
    fn a_line_stands_for_every_field_with_its_number() {
        let LiteralResponse { fields, .. } =
            LiteralResponse::parse("404\nA: b\n{every field 7}\n\nbody\n").unwrap();
        assert_eq!(fields.len(), 1 + OF_RESPONSES.len());
        assert!(fields.contains(&("ETag".into(), "\"page-7\"".into())), "{fields:?}");
    }

    #[test]
    fn invalid_messages_are_refused() {
        assert!(LiteralRequest::parse("POST").is_err());
        assert!(LiteralRequest::parse("POST a").is_err());
        assert!(LiteralResponse::parse("fine").is_err());
        assert!(LiteralResponse::parse("200\nno field").is_err());
    }
}
