//! The check of every trace: each request at a cell has a reason.
//!
//! The other checks look for unsolicited requests where their scenarios are about them, and in the
//! part of the trace that they judge. This one looks at the whole trace, the setup included, and
//! the engine applies it to every case with a router.

use super::{Proof, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, Origin, Stray, Trace, UserRequest};

/// The status of a cell's HTTP parser for a message that is malformed, and not only too long.
const MALFORMED: u16 = 400;

/// What reached cells through routers is requests of users, and in learning pre-flights about them;
/// and no malformed bytes but those of users. A length is one number: of equal ones a router leaves
/// one (RFC 9110 8.6).
///
/// A health check on the declared path is not in a trace. That a user's request came too often, or
/// a pre-flight with a wrong path, is for other checks.
pub fn nothing_unsolicited(trace: &Trace) -> Proof {
    let has_router = trace.default_router.is_some() || through_routers(trace).next().is_some();
    if !has_router {
        return Ok(());
    }
    if let Some(hop) = trace.hops.iter().find(|hop| !is_explained(trace, hop)) {
        let kind = match hop.origin {
            Origin::PreFlight(..) => "a pre-flight, which buffering does not have",
            Origin::User(_) | Origin::Unsolicited => "which no user's request explains",
        };
        let (method, target) = (&hop.request.method, &hop.request.target);
        return Err(format!("{} received {method} {target}, {kind}", hop.cell));
    }
    let routed = |hop: &&Hop| match hop.origin {
        Origin::User(user) => trace.users[user].is_routed(),
        Origin::PreFlight(..) | Origin::Unsolicited => true,
    };
    for hop in trace.hops.iter().filter(routed) {
        let lengths = lines(&hop.request.fields, "Content-Length").join("` `");
        if !lengths.bytes().all(|byte| byte.is_ascii_digit()) {
            let (method, target) = (&hop.request.method, &hop.request.target);
            return Err(format!("{} received {method} {target} of length `{lengths}`", hop.cell));
        }
    }
    let malformed = trace.strays.iter().find(|stray| is_malformed(trace, stray));
    malformed.map_or(Ok(()), |stray| {
        let from = stray.from.map_or(String::new(), |from| format!(" from {from}"));
        ensure(false, || {
            format!(
                "{} refused malformed bytes{from} with {MALFORMED}: {}",
                stray.cell, stray.bytes
            )
        })
    })
}

fn through_routers(trace: &Trace) -> impl Iterator<Item = &UserRequest> {
    trace.users.iter().filter(|request| request.is_routed())
}

fn is_explained(trace: &Trace, hop: &Hop) -> bool {
    match &hop.origin {
        Origin::User(_) => true,
        Origin::PreFlight(..) => trace.learn_path.is_some(),
        // A pre-flight may be read late: by a cell that read nothing for a while, or after the user
        // has given up. What an earlier user asked for explains it.
        Origin::Unsolicited => {
            trace.learn_path.is_some() && {
                let asked = crate::trace::pre_flight_path(hop.request.target.as_bytes());
                let is_about = |request: &UserRequest| {
                    request.sent < hop.at && asked.as_deref() == Some(request.path())
                };
                asked.is_some() && through_routers(trace).any(is_about)
            }
        }
    }
}

/// Whether a cell refused bytes that a router made up or garbled. What a user wrote by hand may
/// travel as it is.
fn is_malformed(trace: &Trace, stray: &Stray) -> bool {
    let has = |text: &str| !text.is_empty() && stray.bytes.contains(text);
    let is_theirs = |request: &UserRequest| {
        request.raw.is_some() && (has(&request.id.0) || has(&request.target.to_string()))
    };
    stray.refused_with == Some(MALFORMED) && !trace.users.iter().any(is_theirs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{Made, fields};
    use cell_fleet::{Region, wire};

    const LEARN: &str = wire::LEARN_PATH;

    /// A user's request for `/a` that reached a cell, through a router of this protocol.
    fn made(learning: bool) -> Made {
        let mut made = Made::default();
        made.trace.default_router = Some(Region::eu());
        made.trace.learn_path = learning.then(|| LEARN.to_owned());
        let user = made.sends("anna", "/a");
        made.reaches(user, "cell_eu0");
        made.gets(user, Ok((200, "")));
        made
    }

    #[test]
    fn a_length_at_a_cell_is_one_number() {
        for (lengths, is_one) in [(&["35"][..], true), (&["35", "35"], false), (&["35, 35"], false)]
        {
            let mut made = made(false);
            let lines: Vec<_> = lengths.iter().map(|one| ("Content-Length", *one)).collect();
            made.trace.hops[0].request.fields = fields(&lines);
            assert_eq!(nothing_unsolicited(&made.trace).is_ok(), is_one, "{lengths:?}");
        }
    }

    #[test]
    fn cells_that_are_asked_directly_are_not_judged() {
        let mut direct = Made::default();
        direct.unsolicited("/a", "cell_eu1");
        assert_eq!(nothing_unsolicited(&direct.trace), Ok(()));
    }

    #[test]
    fn a_late_pre_flight_needs_a_user_who_asked_for_its_path() {
        let judged = |learning, path: &str| {
            let mut made = made(learning);
            made.unsolicited(&format!("{LEARN}?method=GET&path_info={path}"), "cell_eu1");
            nothing_unsolicited(&made.trace)
        };
        assert_eq!(judged(true, "%2Fa"), Ok(()));
        assert!(judged(true, "%2Fb").is_err() && judged(false, "%2Fa").is_err());
    }

    #[test]
    fn malformed_bytes_are_a_routers_unless_a_user_wrote_them() {
        let judged = |status, raw: Option<&str>, bytes: &str| {
            let mut made = made(false);
            made.trace.users[0].raw = raw.map(Into::into);
            made.strays(bytes);
            made.trace.strays[0].refused_with = status;
            nothing_unsolicited(&made.trace)
        };
        assert!(judged(Some(400), None, "PING").unwrap_err().contains("PING"));
        // Bytes that are cut off or too long are not malformed.
        assert_eq!(judged(None, None, "GET /a HT"), Ok(()));
        assert_eq!(judged(Some(431), None, "GET /a HTTP/1.1"), Ok(()));
        // Malformed bytes are permitted if the user sent them.
        assert_eq!(judged(Some(400), Some("GET /a bad"), "GET /a bad"), Ok(()));
        assert!(judged(Some(400), Some("GET /a bad"), "PING").is_err());
    }
}
