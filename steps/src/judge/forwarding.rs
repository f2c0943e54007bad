//! Checks of what RFC 9110 and RFC 9112 ask of those who forward a request.

use cell_fleet::Field;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, Trace, UserRequest};

/// The last request and its copies at cells.
fn copies(trace: &Trace) -> Result<(&UserRequest, impl Iterator<Item = &Hop>), String> {
    let (index, request) = trace.last()?;
    Ok((request, trace.hops_of(index)))
}

/// Each copy of the last request has a smaller number in this field than the user sent; there may
/// be no copy (RFC 9110 7.6.2).
pub fn copies_have_smaller_number(trace: &Trace, name: &str) -> Proof {
    let (request, mut copies) = copies(trace)?;
    let number = |fields: &[Field]| match lines(fields, name).as_slice() {
        [line] => line.trim().parse::<u64>().ok(),
        _ => None,
    };
    let sent = number(&request.fields).ok_or_else(|| format!("the user sent no one {name}"))?;
    copies.try_for_each(|hop| {
        ensure(number(&hop.request.fields).is_some_and(|came| came < sent), || {
            let came = lines(&hop.request.fields, name).join("`, `");
            format!("{} received {name} `{came}`, no number below {sent}", hop.cell)
        })
    })
}

/// No copy of the last request has a length beside chunks (RFC 9112 6.3).
pub fn copies_have_one_length(trace: &Trace) -> Proof {
    let (request, mut copies) = copies(trace)?;
    copies.try_for_each(|hop| {
        let has = |name| hop.request.fields.iter().any(|field| field.is(name));
        ensure(!(has("Content-Length") && has("Transfer-Encoding")), || {
            let length = lines(&hop.request.fields, "Content-Length").join("`, `");
            format!(
                "{} received {} with Content-Length `{length}` beside a coding",
                hop.cell,
                asked(request)
            )
        })
    })
}

/// No NUL of a user's field reached a cell, in a request or in bytes that are none (RFC 9110 5.5).
pub fn no_nul_arrived(trace: &Trace) -> Proof {
    let has_nul = |field: &&Field| {
        [&field.name, &field.value].iter().any(|text| text.as_bytes().contains(&0))
    };
    for hop in trace.acted_hops() {
        if let Some(Field { name, value }) = hop.request.fields.iter().find(has_nul) {
            return Err(format!("{} received a NUL in {name}: {value}", hop.cell));
        }
    }
    let stray = trace.strays.iter().find(|stray| stray.bytes.contains(r"\x00"));
    stray.map_or(Ok(()), |stray| {
        Err(format!("bytes with a NUL reached {}: {}", stray.cell, stray.bytes))
    })
}
