//! Checks of malicious bytes, and of what a router must not reveal.

use cell_fleet::Field;

use super::arrivals::nothing_of_the_bytes_arrived;
use super::{Proof, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, Origin, Trace, path_of};

/// Each message of the last When step was refused (4xx or 501) or had its connection closed. Or
/// the router gave up on a request that it had begun to forward (502), where it may.
pub fn refused_the_bytes(trace: &Trace, may_give_up: bool) -> Proof {
    let otherwise =
        if may_give_up { "not a refusal (4xx, 501, 502)" } else { "not a refusal (4xx, 501)" };
    each_of_the_bytes(trace, otherwise, |status| {
        matches!(status, 400..=499 | 501) || (may_give_up && status == 502)
    })
}

/// No message of the last When step opened a tunnel: it has a response other than 2xx (RFC 9110
/// 9.3.6), or its connection was closed.
pub fn opened_no_tunnel(trace: &Trace) -> Proof {
    each_of_the_bytes(trace, "which opens a tunnel", |status| !matches!(status, 200..=299))
}

/// No response of the last When step, other than those to its requests, is a 2xx.
pub fn nothing_that_followed_succeeded(trace: &Trace) -> Proof {
    let further = trace.last_step()?.1.into_iter().filter(|(_, request)| request.was_never_sent());
    further.filter_map(|(_, request)| request.received().ok()).try_for_each(|response| {
        ensure(!matches!(response.status, 200..=299), || {
            format!("bytes behind the request received {}", response.status)
        })
    })
}

/// Each message of the last When step has a response with a status that is `fine`, or its
/// connection was closed.
fn each_of_the_bytes(trace: &Trace, otherwise: &str, fine: impl Fn(u16) -> bool) -> Proof {
    for (_, request) in trace.last_step()?.1 {
        ensure(!request.hung(), || {
            format!(
                "the bytes of {} have no response, and the connection stayed open",
                request.person
            )
        })?;
        if let Ok(response) = request.received() {
            ensure(fine(response.status), || {
                format!("the bytes of {} received {}, {otherwise}", request.person, response.status)
            })?;
        }
    }
    Ok(())
}

/// No cell received a request for this path, from a user or unsolicited. Pre-flights do not count.
pub fn no_cell_received(trace: &Trace, path: &str) -> Proof {
    let is_for = |hop: &&Hop| {
        !matches!(hop.origin, Origin::PreFlight(..))
            && path_in(hop.request.target.as_bytes()) == path.as_bytes()
    };
    if let Some(hop) = trace.acted_hops().find(is_for) {
        return Err(format!("{} received {} {}", hop.cell, hop.request.method, hop.request.target));
    }
    let stray = trace.strays.iter().find(|stray| stray.bytes.contains(path));
    stray.map_or(Ok(()), |stray| Err(format!("bytes with {path} reached a cell: {}", stray.bytes)))
}

/// The path of a target in origin form, or in absolute form (RFC 9112 3.2).
fn path_in(target: &[u8]) -> &[u8] {
    let path = path_of(target);
    match path.windows(3).position(|bytes| bytes == b"://") {
        Some(scheme) if !path.starts_with(b"/") => {
            let rest = &path[scheme + 3..];
            rest.iter().position(|byte| *byte == b'/').map_or(b"/", |slash| &rest[slash..])
        }
        _ => path,
    }
}

/// No request or pre-flight at a cell has this text in a field of this name.
pub fn no_cell_received_in_field(trace: &Trace, value: &str, name: &str) -> Proof {
    for hop in trace.acted_hops() {
        if let Some(field) = hop
            .request
            .fields
            .iter()
            .find(|field| field.is(name) && field.value.to_string().contains(value))
        {
            return Err(format!(
                "{} received {}: {} with {} {}",
                hop.cell, field.name, field.value, hop.request.method, hop.request.target
            ));
        }
    }
    ensure(trace.acted_hops().next().is_some(), || "nothing reached a cell".to_owned())
}

/// Each request of a user at a cell has this text in the field of this name, whose lines count as
/// one with commas between.
pub fn each_request_had_in_field(trace: &Trace, value: &str, name: &str) -> Proof {
    let mut hops =
        trace.acted_hops().filter(|hop| matches!(hop.origin, Origin::User(_))).peekable();
    ensure(hops.peek().is_some(), || "nothing reached a cell".to_owned())?;
    let is_at = |text: &str| text.replace(' ', "").contains(&value.replace(' ', ""));
    hops.try_for_each(|hop| {
        let text = lines(&hop.request.fields, name).join(", ");
        ensure(is_at(&text), || {
            format!("{} received {name} as `{text}`, without `{value}`", hop.cell)
        })
    })
}

/// No request for this path at a cell names this host in `Host`, `X-Forwarded-Host` or `Forwarded`.
pub fn no_cell_received_host(trace: &Trace, host: &str, path: &str) -> Proof {
    const NAMES: [&str; 3] = ["Host", "X-Forwarded-Host", "Forwarded"];
    let is_for = |hop: &&Hop| path_in(hop.request.target.as_bytes()) == path.as_bytes();
    for hop in trace.acted_hops().filter(is_for) {
        let tells = |field: &&Field| {
            NAMES.iter().any(|name| field.is(name)) && field.value.to_string().contains(host)
        };
        if let Some(Field { name, value }) = hop.request.fields.iter().find(tells) {
            return Err(format!("{} received {name}: {value} with {path}", hop.cell));
        }
    }
    ensure(trace.acted().next().is_some(), || "no request was sent".to_owned())
}

/// A field that was sent in folded lines reached each cell as one line with this value, runs of
/// blanks taken as one (RFC 9112 5.2). Or its bytes were refused.
pub fn came_unfolded_or_refused(trace: &Trace, name: &str, value: &str) -> Proof {
    let (index, _) = trace.last()?;
    let mut hops = trace.hops_of(index).peekable();
    if hops.peek().is_none() {
        return refused_the_bytes(trace, false).and(nothing_of_the_bytes_arrived(trace));
    }
    hops.try_for_each(|hop| {
        let came: Vec<_> = hop
            .request
            .fields
            .iter()
            .filter(|field| field.is(name))
            .map(|field| with_single_blanks(field.value.as_bytes()))
            .collect();
        ensure(came == [value], || {
            format!("{} received {name} as `{}`, not as `{value}`", hop.cell, came.join("`, `"))
        })
    })
}

fn with_single_blanks(value: &[u8]) -> String {
    String::from_utf8_lossy(value).split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// `http://authority/rest` as `authority` and `/rest`; nothing for a relative reference.
pub(super) fn split_authority(location: &str) -> Option<(&str, &str)> {
    let rest = match location.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => rest,
        _ => return None,
    };
    Some(rest.find(['/', '?', '#']).map_or((rest, ""), |end| rest.split_at(end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::PreFlight;
    use crate::trace::made::{CLOSED, Made, TIMED_OUT};

    #[test]
    fn only_the_statuses_of_a_refusal_refuse() {
        let judged = |judge: fn(&Trace) -> Proof, got| {
            let mut made = Made::default();
            let user = made.sends("anna", "/a");
            made.gets(user, got);
            judge(&made.trace).is_ok()
        };
        let judges: [fn(&Trace) -> Proof; 3] = [
            |trace| refused_the_bytes(trace, false),
            |trace| refused_the_bytes(trace, true),
            opened_no_tunnel,
        ];
        for fine in [Ok((400, "")), Ok((431, "")), Ok((501, "")), Err(CLOSED)] {
            assert!(judges.iter().all(|judge| judged(*judge, fine.clone())), "{fine:?}");
        }
        for (got, expected) in [
            (Ok((200, "")), [false, false, false]),
            (Ok((302, "")), [false, false, true]),
            (Ok((502, "")), [false, true, true]),
            (Ok((503, "")), [false, false, true]),
            (Err(TIMED_OUT), [false, false, false]),
        ] {
            assert_eq!(judges.map(|judge| judged(judge, got.clone())), expected, "{got:?}");
        }
    }

    #[test]
    fn a_path_is_found_in_both_target_forms_and_in_stray_bytes() {
        for (target, found) in [
            ("/x", true),
            ("/x?q", true),
            ("http://gitlab.test/x", true),
            ("/x/y", false),
            ("/?a=http://b/x", false),
        ] {
            let mut made = Made::default();
            made.unsolicited(target, "cell_eu0");
            assert_eq!(no_cell_received(&made.trace, "/x").is_err(), found, "{target}");
        }
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let asked =
            PreFlight { path: "/x".to_owned(), method: None, path_info: None, others: Vec::new() };
        made.hop(Origin::PreFlight(user, asked), "/x".into(), "cell_eu0");
        assert!(no_cell_received(&made.trace, "/x").is_ok());
        made.strays("0 GET /x HTTP/1.1");
        assert!(no_cell_received(&made.trace, "/x").is_err());
    }
}
