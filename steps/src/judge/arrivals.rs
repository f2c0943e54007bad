//! Checks of how much of a user's bytes reached cells: nothing, all of it, or more requests than
//! the user has responses to.

use cell_fleet::Stamp;

use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, Origin, Trace};

/// Nothing of the last When step reached a cell: no request, no pre-flight about one, no other
/// bytes.
pub fn nothing_of_the_bytes_arrived(trace: &Trace) -> Proof {
    let (last, of_step) = trace.last_step()?;
    let Some((_, first)) = of_step.first() else { return Ok(()) };
    let is_of_step = |hop: &&Hop| match hop.origin {
        Origin::User(user) | Origin::PreFlight(user, _) => trace.users[user].phase == last,
        Origin::Unsolicited => hop.at > first.sent,
    };
    if let Some(hop) = trace.acted_hops().find(is_of_step) {
        return Err(format!("{} {} reached {}", hop.request.method, hop.request.target, hop.cell));
    }
    no_stray_after(trace, first.sent)
}

/// No bytes that are not a request have reached a cell since.
fn no_stray_after(trace: &Trace, since: Stamp) -> Proof {
    let stray = trace.strays.iter().find(|stray| stray.at > since);
    stray.map_or(Ok(()), |stray| {
        Err(format!("bytes that are not a request reached a cell: {}", stray.bytes))
    })
}

/// Everything that has reached a cell since the last When step began is a request to which the
/// router gave a response. Any other request was smuggled in one of them.
pub fn every_arrival_was_responded(trace: &Trace) -> Proof {
    let (last, of_step) = trace.last_step()?;
    let Some((_, first)) = of_step.first() else { return Ok(()) };
    for hop in trace.acted_hops() {
        match hop.origin {
            Origin::User(user) if trace.users[user].phase == last => {
                let request = &trace.users[user];
                let responded = request.received().map(|_| ());
                responded.map_err(|why| {
                    format!(
                        "{} received {}, but the router did not respond: {why}",
                        hop.cell,
                        asked(request)
                    )
                })?;
            }
            Origin::Unsolicited if hop.at > first.sent => {
                return Err(format!(
                    "{} received the unsolicited request {} {}",
                    hop.cell, hop.request.method, hop.request.target
                ));
            }
            _ => {}
        }
    }
    no_stray_after(trace, first.sent)
}

/// No cell read a whole body that differs from the one that the user sent.
pub fn no_part_as_whole_body(trace: &Trace) -> Proof {
    for hop in trace.acted_hops() {
        let Origin::User(user) = hop.origin else { continue };
        let (request, Some((_, body))) = (&trace.users[user], &hop.read) else { continue };
        ensure(body.digest == request.body.digest, || {
            let (sent, got) = (request.body.length, body.length);
            let end = if request.body.is_known() { "" } else { " and no end" };
            format!(
                "{} received {got} bytes as the whole body of {}, which has {sent} bytes{end}",
                hop.cell,
                asked(request)
            )
        })?;
    }
    trace.last().map(|_| ())
}

/// All requests that reached a cell carry the same lines of this field, if any: users cannot change
/// it.
pub fn carried_same_field(trace: &Trace, name: &str) -> Proof {
    let said = |hop: &Hop| lines(&hop.request.fields, name);
    let hops: Vec<_> =
        trace.acted_hops().filter(|hop| matches!(hop.origin, Origin::User(_))).collect();
    for (index, request) in trace.acted() {
        ensure(trace.hops_of(index).next().is_some() && !request.hung(), || {
            format!("{} has no response of a cell", asked(request))
        })?;
    }
    let [first, others @ ..] = hops.as_slice() else {
        return Err("nothing reached a cell".to_owned());
    };
    let odd = others.iter().find(|hop| said(hop) != said(first));
    odd.map_or(Ok(()), |hop| {
        Err(format!(
            "{name} was `{}` once and `{}` later",
            said(first).join(", "),
            said(hop).join(", ")
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    #[test]
    fn requests_pre_flights_and_stray_bytes_count_as_arrivals() {
        let made = || {
            let mut made = Made::default();
            made.unsolicited("/before", "cell_eu0");
            let user = made.sends("anna", "/a");
            made.gets(user, Ok((400, "")));
            (made, user)
        };
        assert!(nothing_of_the_bytes_arrived(&made().0.trace).is_ok());
        let (mut hop, user) = made();
        hop.reaches(user, "cell_eu0");
        let mut unsolicited = made().0;
        unsolicited.unsolicited("/smuggled", "cell_eu1");
        let mut stray = made().0;
        stray.strays("X");
        for wrong in [&unsolicited, &stray] {
            assert!(every_arrival_was_responded(&wrong.trace).is_err());
        }
        for wrong in [hop, unsolicited, stray] {
            assert!(nothing_of_the_bytes_arrived(&wrong.trace).is_err());
        }
    }

    #[test]
    fn a_refused_target_must_not_reach_a_cell() {
        let judged = |status, target: Option<&str>| {
            let mut made = Made::default();
            let user = made.sends("anna", "/a%00b");
            if let Some(target) = target {
                let hop = made.reaches(user, "cell_us1");
                made.trace.hops[hop].request.target = target.into();
                made.responses(hop, 200, &[], "");
            }
            made.gets(user, Ok((status, "")));
            let cell = "cell_us1".parse().unwrap();
            crate::judge::target_reached(&made.trace, "/a%00b", &cell, true).is_ok()
        };
        assert!(judged(200, Some("/a%00b")) && judged(400, None));
        assert!(
            !judged(200, Some("/a"))
                && !judged(400, Some("/a"))
                && !judged(502, None)
                && !judged(200, None)
        );
    }

    #[test]
    fn no_body_is_the_whole_of_one_that_broke_off() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        made.trace.hops[hop].read = Some((made.stamp(), Made::body("hi")));
        for (sent, is_whole) in
            [(Made::body("hi"), true), (cell_fleet::BodySeen::unknown(2), false)]
        {
            made.trace.users[user].body = sent;
            assert_eq!(no_part_as_whole_body(&made.trace).is_ok(), is_whole);
        }
    }
}
