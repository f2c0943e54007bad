//! Literal messages and bytes in the doc strings of scenarios.

mod every_field;
mod shared;
mod wire;

use bytes::Bytes;
use cell_fleet::ScriptedResponse;
use every_field::{OF_REQUESTS, OF_RESPONSES, every_field};

pub(crate) use shared::shared_requests;
pub(crate) use wire::extended_chunk;
pub use wire::wire_bytes;

/// A request that a person sends.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// The request target, byte for byte.
    pub target: String,
    /// Fields, in addition to those that the client sets.
    pub fields: Vec<(String, String)>,
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

    /// Parses a request: `POST /path?query`, field lines, a blank line, the body.
    ///
    /// # Errors
    ///
    /// Where the first line is not `METHOD /target`, or a further line is not a field.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (first, fields, body) = split(text, OF_REQUESTS)?;
        let (method, target) = first
            .split_once(' ')
            .filter(|(_, target)| target.starts_with('/'))
            .ok_or_else(|| format!("`{first}` is not a request line; expected `METHOD /target`"))?;
        let (method, target) = (method.to_owned(), target.to_owned());
        Ok(Self { method, target, fields, body: Bytes::from(body) })
    }

    /// `POST` of a form.
    pub fn form(target: impl Into<String>, pairs: &[(&str, &str)]) -> Self {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let fields =
            vec![("Content-Type".to_owned(), "application/x-www-form-urlencoded".to_owned())];
        Self { method: "POST".to_owned(), target: target.into(), fields, body: body.into() }
    }
}

/// Parses a response: `302`, field lines, a blank line, the body without the line break at its end.
///
/// # Errors
///
/// Where the first line is not a status, or a further line is not a field.
pub(crate) fn scripted_response(text: &str) -> Result<ScriptedResponse, String> {
    let (first, fields, body) = split(text, OF_RESPONSES)?;
    let status = first.parse().ok().filter(|status| (100..1000).contains(status));
    let status = status.ok_or_else(|| {
        format!("`{first}` is not a status; a response begins with one, such as `302`")
    })?;
    Ok(ScriptedResponse { status, fields, body })
}

/// Parses `Name: value` lines.
///
/// # Errors
///
/// Names the first line that is not a field.
pub fn field_lines(text: &str) -> Result<Vec<(String, String)>, String> {
    text.trim_matches('\n').lines().map(field_line).collect()
}

fn field_line(line: &str) -> Result<(String, String), String> {
    let (name, value) = line
        .split_once(':')
        .ok_or_else(|| format!("`{line}` is not a field; expected `Name: value`"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

type Split<'a> = (&'a str, Vec<(String, String)>, String);

/// Splits a message into its first line, its fields and its body. A line `{every field 3}` stands
/// for all of these fields, with this number in each value.
fn split<'t>(text: &'t str, every: &[(&str, &str)]) -> Result<Split<'t>, String> {
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
        let request = Request::parse("\nPOST /a?b=c\nX-A: 1\nX-A: 2\n\n{\"x\": 1}\n").unwrap();
        assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/a?b=c"));
        assert_eq!(request.fields, [("X-A".into(), "1".into()), ("X-A".into(), "2".into())]);
        assert_eq!(request.body, "{\"x\": 1}");
        let response = scripted_response("302\nX-Gitlab-Cell-Redirect: {cell:Cell EU9}\n").unwrap();
        assert_eq!(response.fields[0].1, "{cell:Cell EU9}");
        assert_eq!(response.body, "");
    }

    #[test]
    fn a_line_stands_for_every_field_with_its_number() {
        let ScriptedResponse { fields, .. } =
            scripted_response("404\nA: b\n{every field 7}\n\nbody\n").unwrap();
        assert_eq!(fields.len(), 1 + OF_RESPONSES.len());
        assert!(fields.contains(&("ETag".into(), "\"page-7\"".into())), "{fields:?}");
    }

    #[test]
    fn invalid_messages_are_refused() {
        assert!(Request::parse("POST").is_err());
        assert!(Request::parse("POST a").is_err());
        assert!(scripted_response("fine").is_err());
        assert!(scripted_response("200\nno field").is_err());
    }
}
