//! Heads, responses and bodies as references to tables.

use cell_fleet::{BodyDigest, BodySeen, Field};

use super::super::rows::{FieldLine, ResponseRow};
use super::super::tables::{Filled, Filling};
use super::super::{Body, Plain};
use crate::trace::ReceivedResponse;

/// Prefix of the name of a body whose digest is unknown; the length follows.
pub(crate) const UNKNOWN: &str = "unknown-";

/// The name of a body in a report. Bodies that were not seen are told apart by their announced
/// length.
pub(crate) fn body_name(body: &BodySeen) -> String {
    if body.is_known() { body.digest.to_string() } else { format!("{UNKNOWN}{}", body.length) }
}

/// A body of a report with this name.
pub(in crate::engine::record) fn body_of(name: &str, body: &Body) -> Result<BodySeen, String> {
    let Body { length, beginning } = body;
    if name.starts_with(UNKNOWN) {
        return Ok(BodySeen::unknown(*length));
    }
    let mut bytes = [0; 32];
    for (byte, hex) in bytes.iter_mut().zip(name.as_bytes().chunks(2)) {
        let hex = std::str::from_utf8(hex).map_err(|_| format!("`{name}` is not a digest"))?;
        *byte = u8::from_str_radix(hex, 16).map_err(|_| format!("`{name}` is not a digest"))?;
    }
    let beginning = beginning.bytes().into();
    Ok(BodySeen { length: *length, digest: BodyDigest(bytes), beginning })
}

/// The head of a message; `mark` is that of the request in whose head it is.
pub(super) fn head_of(fields: &[Field], mark: Option<&str>, tables: &mut Filling<'_>) -> usize {
    tables.head(fields.iter().map(|Field { name, value }| {
        let name = Plain::of(name.as_bytes());
        if mark.is_some_and(|mark| mark.as_bytes() == value.as_bytes()) {
            FieldLine::Mark([name])
        } else {
            FieldLine::Whole(name, Plain::of(value.as_bytes()))
        }
    }))
}

pub(super) fn response_of(
    status: u16,
    fields: &[Field],
    body: &BodySeen,
    tables: &mut Filling<'_>,
) -> usize {
    let head = head_of(fields, None, tables);
    let body = tables.body_reference(&body_name(body));
    tables.response(ResponseRow { status, head, body })
}

pub(super) fn response_from(place: usize, tables: &Filled) -> Result<ReceivedResponse, String> {
    let ResponseRow { status, head, body } = tables.response(place)?;
    Ok(ReceivedResponse {
        status: *status,
        fields: tables.head(*head, None)?,
        body: tables.body(body.as_deref())?,
    })
}
