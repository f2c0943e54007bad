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

/// No copy of the last request has the length that came with its chunks: neither next to a coding,
/// nor as the one that counts (RFC 9112 6.3).
pub fn copies_drop_the_length(trace: &Trace) -> Proof {
    let (request, mut copies) = copies(trace)?;
    let stated = request.raw.as_ref().and_then(|raw| length_in(raw.as_bytes()));
    copies.try_for_each(|hop| {
        let came = lines(&hop.request.fields, "Content-Length");
        let is_coded = hop.request.fields.iter().any(|field| field.is("Transfer-Encoding"));
        let is_stated = came.iter().any(|came| Some(came) == stated.as_ref());
        ensure(came.is_empty() || !(is_coded || is_stated), || {
            let beside = if is_coded { "next to a coding" } else { "in place of its chunks" };
            let length = came.join("`, `");
            format!(
                "{} received {} with Content-Length `{length}` {beside}",
                hop.cell,
                asked(request)
            )
        })
    })
}

/// The first length in raw bytes.
fn length_in(bytes: &[u8]) -> Option<String> {
    const NAME: &[u8] = b"content-length:";
    let value = bytes.split(|byte| *byte == b'\n').find_map(|line| {
        let (name, value) = line.split_at_checked(NAME.len())?;
        name.eq_ignore_ascii_case(NAME).then_some(value)
    });
    value.map(|value| String::from_utf8_lossy(value.trim_ascii()).into_owned())
}

/// No request of a user at a cell expects anything but 100-continue (RFC 9110 10.1.1).
pub fn no_unknown_expectation_arrived(trace: &Trace) -> Proof {
    let (request, mut copies) = copies(trace)?;
    copies.try_for_each(|hop| {
        let expected = lines(&hop.request.fields, "Expect").join(", ");
        let mut members = expected.split(',').map(str::trim);
        ensure(
            members.all(|one| one.is_empty() || one.eq_ignore_ascii_case("100-continue")),
            || format!("{} received {} with Expect `{expected}`", hop.cell, asked(request)),
        )
    })
}

/// No user received a 1xx or a 204 with a length (RFC 9110 8.6).
pub fn no_length_without_content(trace: &Trace) -> Proof {
    for (_, request) in trace.acted() {
        let Ok(response) = request.received() else { continue };
        let length = lines(&response.fields, "Content-Length").join("`, `");
        let has_content = !matches!(response.status, 100..=199 | 204);
        ensure(has_content || length.is_empty(), || {
            format!(
                "{} received {} with Content-Length `{length}`",
                asked(request),
                response.status
            )
        })?;
    }
    Ok(())
}

/// No NUL of a user's field reached a cell, in a request or in other bytes (RFC 9110 5.5).
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
