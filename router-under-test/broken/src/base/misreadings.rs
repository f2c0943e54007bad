//! Wrong ways to read a learn response without a JSON parser.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::base::wire::{Learnt, Malformed, learnt};

/// The response with member names in lower case, so that the last of names that differ in case
/// counts.
pub(crate) fn folded(body: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(object)) = serde_json::from_slice(body) else { return body.to_vec() };
    let mut folded = Map::new();
    // Names in lower case come first, whatever their order in the response: a struct is filled
    // twice.
    let (other, same): (Vec<_>, Vec<_>) =
        object.into_iter().partition(|(name, _)| *name != name.to_lowercase());
    for (name, value) in same.into_iter().chain(other) {
        folded.insert(name.to_lowercase(), value);
    }
    Value::Object(folded).to_string().into_bytes()
}

/// The response with its escapes not decoded.
pub(crate) fn with_escapes(body: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(body).replace('\\', "\\\\").into_bytes()
}

/// The response as a regular expression reads it: the first text that looks like each member.
pub(crate) fn found(body: &[u8]) -> Result<Learnt, Malformed> {
    let text = String::from_utf8_lossy(body).into_owned();
    let member = |name: &str| {
        let (_, rest) = text.split_once(&format!("\"{name}\""))?;
        let rest = rest.trim_start().strip_prefix(':')?.trim_start();
        Some(rest.split([',', '}', '\n']).next().unwrap_or(rest).trim().to_owned())
    };
    let word =
        |name: &str| Some(member(name)?.strip_prefix('"')?.strip_suffix('"')?.replace("\\/", "/"));
    Ok(Learnt {
        path: word("path").ok_or(Malformed)?,
        cell: word("cell").ok_or(Malformed)?,
        exact: member("exact").is_some_and(|exact| exact == "true"),
        source: word("source").unwrap_or_default(),
        names_exact: member("exact").is_some(),
        has_unknown_members: false,
        max_age: Duration::ZERO,
        no_store: false,
    })
}

/// The response as a regular expression with a fixed order of members reads it.
pub(crate) fn in_order(body: &[u8]) -> Result<Learnt, Malformed> {
    let text = String::from_utf8_lossy(body);
    let places = ["\"path\"", "\"cell\"", "\"source\""].map(|name| text.find(name));
    if places.is_sorted() { learnt(body) } else { Err(Malformed) }
}

/// The response as a regular expression without whitespace reads it.
pub(crate) fn without_blanks(body: &[u8]) -> Result<Learnt, Malformed> {
    if body.contains(&b' ') { Err(Malformed) } else { learnt(body) }
}
