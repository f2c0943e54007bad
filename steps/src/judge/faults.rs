//! Checks of responses that are truncated, late or invented by a router, and of retries.

use cell_fleet::wire;

use super::responses::{REFUSALS, asked, response_to};
use super::{Proof, TimedProof, Wrong, ensure};
use crate::trace::{Gate, Hop, Origin, ReceivedResponse, Trace, UserRequest};

/// Whether a request hung: the router neither gave a response nor closed the connection.
pub(super) fn hung(request: &UserRequest) -> bool {
    request.hung || request.response.is_none()
}

/// What a router waits for at a cell, each up to a limit of the topology file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Awaited {
    /// That a connection is established.
    Connection,
    /// The first byte of a response.
    Response,
}

/// What a router may have waited for in vain at a user's request: it ended the request by itself,
/// or asked one more cell although the one before had not sent it there.
pub(crate) fn gave_up(trace: &Trace, user: usize, request: &UserRequest) -> Option<Awaited> {
    let is_pre_flight = |hop: &&Hop| matches!(hop.origin, Origin::PreFlight(of, _) if of == user);
    let (hops, asked): (Vec<_>, _) =
        (trace.hops_of(user).collect(), trace.hops.iter().filter(is_pre_flight).count());
    let gave = |status| {
        hops.iter().any(|hop| matches!(&hop.response, Some((_, it)) if it.status == status))
    };
    let ended_it = match &request.response.as_ref()?.got {
        Ok(got) => matches!(got.status, 408 | 502..=504) && !gave(got.status),
        Err(_) => !request.hung,
    };
    let went_on = asked > 1 || hops.windows(2).any(|pair| !bounced(pair[0]));
    let is_by_router = matches!(request.gate, Gate::Router(_)) && (ended_it || went_on);
    let reached_any = asked > 0 || !hops.is_empty();
    is_by_router.then_some(if reached_any { Awaited::Response } else { Awaited::Connection })
}

/// A person's last request had a response, whole or truncated, within this many milliseconds.
pub fn had_response_within(trace: &Trace, person: &str, limit_ms: u64) -> TimedProof {
    let (_, request) = trace.last_of(person)?;
    if let Err(why) = response_to(request)
        && !why.contains("broke off")
    {
        return Err(why.into());
    }
    let took = request.elapsed_ms.ok_or("how long the response took is not known")?;
    if took <= limit_ms {
        return Ok(());
    }
    let message = format!("{} took {took} ms, more than {limit_ms} ms", asked(request));
    Err(Wrong::late(message, limit_ms))
}

/// A person's last request had its response after this many milliseconds at the earliest. A loaded
/// machine makes it later.
pub fn had_response_after(trace: &Trace, person: &str, least_ms: u64) -> Proof {
    let (_, request) = trace.last_of(person)?;
    response_to(request)?;
    let took = request.elapsed_ms.ok_or("how long the response took is not known")?;
    ensure(took >= least_ms, || {
        format!("{} took {took} ms, less than {least_ms} ms", asked(request))
    })
}

/// Each request through a router ended with a whole response of a cell, with a refusal, or visibly
/// truncated.
pub fn every_response_whole_or_none(trace: &Trace) -> Proof {
    let mut through_routers =
        trace.acted().filter(|(_, request)| matches!(request.gate, Gate::Router(_))).peekable();
    ensure(through_routers.peek().is_some(), || "no request was sent through a router".to_owned())?;
    through_routers.try_for_each(|(index, request)| whole_or_none(trace, index, request))
}

fn whole_or_none(trace: &Trace, index: usize, request: &UserRequest) -> Proof {
    ensure(!hung(request), || {
        format!(
            "{} has no response to {}, and the connection stayed open",
            request.person,
            asked(request)
        )
    })?;
    match response_to(request) {
        // A request that the router itself refuses (413, 431) reaches no cell.
        Ok(response)
            if (400..500).contains(&response.status) && trace.hops_of(index).next().is_none() =>
        {
            Ok(())
        }
        Ok(response) if !REFUSALS.contains(&response.status) => {
            of_a_cell(trace, index, request, response)
        }
        // A refusal or a visibly truncated response: the user can see it.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The user's response is one that a cell gave to this very request, whole and unchanged.
pub(super) fn of_a_cell(
    trace: &Trace,
    index: usize,
    request: &UserRequest,
    response: &ReceivedResponse,
) -> Proof {
    let mut hops = trace.hops_of(index).peekable();
    ensure(hops.peek().is_some(), || {
        format!("{} reached no cell, but received {}", asked(request), response.status)
    })?;
    let mut why = String::new();
    for hop in hops {
        match unlike(trace, hop, response) {
            None => return Ok(()),
            Some(difference) => why = difference,
        }
    }
    Err(format!("{} received {} as a whole response: {why}", asked(request), response.status))
}

/// How a user's response differs from the one that a cell gave and sent to its end.
fn unlike(trace: &Trace, hop: &Hop, response: &ReceivedResponse) -> Option<String> {
    let Some((_, given)) = &hop.response else {
        return Some(format!("{} never responded", hop.cell));
    };
    if let Some((sent, false)) = hop.ended {
        return Some(format!(
            "the response of {} was cut off after {sent} bytes of its body",
            hop.cell
        ));
    }
    let differences = trace.differences(given, response);
    (!differences.is_empty())
        .then(|| format!("the response of {} was changed: {}", hop.cell, differences.join("; ")))
}

/// A person's last response is one that a cell gave, or a refusal.
pub fn gets_cells_response_or_refusal(trace: &Trace, person: &str) -> Proof {
    let (index, request, response) = super::last_response(trace, person)?;
    match REFUSALS.contains(&response.status) {
        true => Ok(()),
        false => of_a_cell(trace, index, request, response),
    }
}

/// The end of the record of a request whose connection was closed before a response.
pub(super) const UNANSWERED: &str = "without a response";

/// Each request of the last When step has the response that a cell gave to that very request:
/// pipelined responses come in the order of their requests (RFC 9112 9.3.2). After the first
/// response, the router may close the connection instead.
pub fn responses_in_order(trace: &Trace) -> Proof {
    let mut any = false;
    for (index, request) in trace.last_step()?.1 {
        match response_to(request) {
            Err(why) if any && !hung(request) && why.ends_with(UNANSWERED) => {}
            response => of_a_cell(trace, index, request, response?)?,
        }
        any = true;
    }
    Ok(())
}

/// No request was retried except after a bounce: in buffering, each copy but the last was bounced;
/// in learning, there is at most one copy. A copy that a cell closed unread does not count.
pub fn nothing_sent_again(trace: &Trace) -> Proof {
    for (index, request) in
        trace.acted().filter(|(_, request)| matches!(request.gate, Gate::Router(_)))
    {
        let hops: Vec<_> = trace.hops_of(index).collect();
        for pair in hops.windows(2) {
            let follows_bounce = trace.learn_path.is_none() && bounced(pair[0]);
            ensure(follows_bounce, || {
                let response =
                    pair[0].response.as_ref().map_or("no response".to_owned(), |(_, response)| {
                        format!("a response {}", response.status)
                    });
                format!(
                    "{} was sent to {} after {} had received it and given {response}",
                    asked(request),
                    pair[1].cell,
                    pair[0].cell
                )
            })?;
        }
    }
    let found = trace.acted_hops().find(|hop| hop.origin == Origin::Unsolicited);
    found.map_or(Ok(()), |hop| {
        Err(format!(
            "{} {} reached {} unsolicited",
            hop.request.method, hop.request.target, hop.cell
        ))
    })
}

fn bounced(hop: &Hop) -> bool {
    let response = hop.response.as_ref().map(|(_, response)| response);
    response.is_some_and(|response| {
        response.status == 302 && response.fields.iter().any(|field| field.is(wire::CELL_REDIRECT))
    })
}

/// The last response to a person has one of these statuses.
pub fn gets_one_of(trace: &Trace, person: &str, statuses: &[u16]) -> Proof {
    let (_, request, response) = super::last_response(trace, person)?;
    ensure(statuses.contains(&response.status), || {
        let wanted: Vec<_> = statuses.iter().map(ToString::to_string).collect();
        format!("{} received {}, none of {}", asked(request), response.status, wanted.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    const PAGE: &str = "the whole page";

    /// A visit: its cell responds `PAGE`, and its user gets `got`.
    fn visit(ended: Option<(u64, bool)>, got: Result<(u16, &str), &str>) -> Trace {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        made.responses(hop, 200, &[], PAGE);
        made.trace.hops[hop].ended = ended;
        made.gets(user, got);
        made.trace
    }

    #[test]
    fn a_truncated_response_must_not_pass_as_complete() {
        let half = Some((7, false));
        for whole in [Some((14, true)), None] {
            assert!(every_response_whole_or_none(&visit(whole, Ok((200, PAGE)))).is_ok());
        }
        for fine in [
            Err("the response 200 broke off: x"),
            Err("connection closed"),
            Ok((502, "")),
            Ok((504, "too late")),
        ] {
            assert!(every_response_whole_or_none(&visit(half, fine)).is_ok(), "{fine:?}");
        }
        for wrong in
            [Ok((200, "the who")), Ok((200, PAGE)), Ok((500, "")), Err("no response within 20s")]
        {
            assert!(every_response_whole_or_none(&visit(half, wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_response_that_no_cell_gave_is_found() {
        let whole = Some((14, true));
        assert!(every_response_whole_or_none(&visit(whole, Ok((200, "the who")))).is_err());
        let why = |made: &Made| every_response_whole_or_none(&made.trace).unwrap_err();
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        made.gets(user, Ok((413, "")));
        assert!(every_response_whole_or_none(&made.trace).is_ok());
        made.gets(user, Ok((200, "")));
        assert!(why(&made).contains("reached no cell"));
        let hop = made.reaches(user, "cell_eu0");
        assert!(why(&made).contains("never responded"));
        made.responses(hop, 200, &[], "");
        assert!(gets_cells_response_or_refusal(&made.trace, "anna").is_ok());
    }

    #[test]
    fn a_refusal_is_not_a_response_of_a_cell() {
        let refused = visit(None, Ok((502, "")));
        assert!(gets_cells_response_or_refusal(&refused, "anna").is_ok());
        assert!(
            gets_cells_response_or_refusal(&visit(None, Err("connection closed")), "anna").is_err()
        );
        assert!(gets_one_of(&refused, "anna", &[200, 502]).is_ok());
        assert!(gets_one_of(&refused, "anna", &[200]).unwrap_err().contains("502"));
    }

    #[test]
    fn a_late_response_is_found() {
        let mut trace = visit(None, Ok((200, PAGE)));
        assert!(had_response_within(&trace, "anna", 100).is_err());
        trace.users[0].elapsed_ms = Some(100);
        assert!(had_response_within(&trace, "anna", 100).is_ok());
        assert!(had_response_within(&trace, "anna", 99).is_err());
        assert!(had_response_after(&trace, "anna", 100).is_ok());
        assert!(had_response_after(&trace, "anna", 101).is_err());
        let mut closed = visit(None, Err("connection closed"));
        closed.users[0].elapsed_ms = Some(1);
        assert!(had_response_within(&closed, "anna", 100).is_err());
    }

    #[test]
    fn requests_after_the_first_response_may_be_closed_without_one() {
        let pipelined = |got: [Result<(u16, &str), &str>; 2]| {
            let mut made = Made::default();
            let users = ["/a", "/b"].map(|target| made.sends("anna", target));
            for (user, got) in users.into_iter().zip(got) {
                let hop = made.reaches(user, "cell_eu0");
                made.responses(hop, 200, &[], "one");
                made.gets(user, got);
            }
            responses_in_order(&made.trace)
        };
        let (one, closed) = (Ok((200, "one")), Err("the connection was closed without a response"));
        assert!(pipelined([one, closed]).is_ok());
        for wrong in [
            [closed, one],
            [closed, closed],
            [one, Err("no response within 20s")],
            [one, Err("the response 200 broke off: x")],
        ] {
            assert!(pipelined(wrong).is_err(), "{wrong:?}");
        }
    }
}
