//! Checks of responses that are truncated, late or invented by a router, of retries, and of users who
//! may have left.

use cell_fleet::{CellId, wire};

use super::cells::no_unsolicited;
use super::responses::{REFUSALS, asked};
use super::{Judgment, Proof, Wrong, ensure, gets_what_cell_responded};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, NoResponse, Origin, ReceivedResponse, Trace, UserRequest};

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
        Err(_) => !request.hung(),
    };
    let went_on = asked > 1 || hops.windows(2).any(|pair| !bounced(pair[0]));
    let is_by_router = request.is_routed() && (ended_it || went_on);
    let reached_any = asked > 0 || !hops.is_empty();
    is_by_router.then_some(if reached_any { Awaited::Response } else { Awaited::Connection })
}

/// A person's last request had a response, whole or truncated, within this many milliseconds.
pub fn had_response_within(trace: &Trace, person: &str, limit_ms: u64) -> Judgment {
    let (_, request) = trace.last_of(person)?;
    if !matches!(request.no_response(), Some(NoResponse::BrokeOff(_))) {
        request.received()?;
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
    request.received()?;
    let took = request.elapsed_ms.ok_or("how long the response took is not known")?;
    ensure(took >= least_ms, || {
        format!("{} took {took} ms, less than {least_ms} ms", asked(request))
    })
}

/// Each request through a router ended with a whole response of a cell, with a refusal, or visibly
/// truncated.
pub fn every_response_whole_or_none(trace: &Trace) -> Proof {
    let mut through_routers = trace.routed().peekable();
    ensure(through_routers.peek().is_some(), || "no request was sent through a router".to_owned())?;
    through_routers.try_for_each(|(index, request)| whole_or_none(trace, index, request))
}

fn whole_or_none(trace: &Trace, index: usize, request: &UserRequest) -> Proof {
    ensure(!request.hung(), || {
        format!(
            "{} has no response to {}, and the connection stayed open",
            request.person,
            asked(request)
        )
    })?;
    match request.received() {
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

/// Each request of the last When step has the response that a cell gave to that very request:
/// pipelined responses come in the order of their requests (RFC 9112 9.3.2). After the first
/// response, the router may close the connection instead.
pub fn responses_in_order(trace: &Trace) -> Proof {
    let mut any = false;
    for (index, request) in trace.last_step()?.1 {
        if !(any && matches!(request.no_response(), Some(NoResponse::Unanswered(_)))) {
            of_a_cell(trace, index, request, request.received()?)?;
        }
        any = true;
    }
    Ok(())
}

/// What came in response to the requests of the last When step is HTTP.
pub fn all_is_http(trace: &Trace) -> Proof {
    let of_step = trace.last_step()?.1;
    let unread = of_step.iter().find_map(|(_, request)| match request.no_response()? {
        why @ (NoResponse::NoHttp { .. } | NoResponse::Failed(_)) => {
            Some(format!("{}: {why}", asked(request)))
        }
        _ => None,
    });
    unread.map_or(Ok(()), Err)
}

/// Of the requests of the last When step, which are of HTTP/1.0, none has a response where the one
/// before did not say that the connection persists (RFC 9112 9.3).
pub fn old_connections_end(trace: &Trace) -> Proof {
    let of_step = trace.last_step()?.1;
    let mut got = of_step.iter().map(|(_, request)| request.received());
    let mut before = got.next().ok_or("no request was sent")??;
    for response in got.flatten() {
        let said = lines(&before.fields, "Connection").join(",").to_ascii_lowercase();
        ensure(said.contains("keep-alive"), || {
            format!("after {} the connection stayed open, which no field said", before.status)
        })?;
        before = response;
    }
    Ok(())
}

/// No request was retried except after a bounce: in buffering, each copy but the last was bounced;
/// in learning, there is at most one copy. A copy that a cell closed unread does not count.
pub fn nothing_sent_again(trace: &Trace) -> Proof {
    for (index, request) in trace.routed() {
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
    no_unsolicited(trace)
}

pub(super) fn bounced(hop: &Hop) -> bool {
    let response = hop.response.as_ref().map(|(_, response)| response);
    response.is_some_and(|response| {
        response.status == 302 && response.fields.iter().any(|field| field.is(wire::CELL_REDIRECT))
    })
}

/// A person who closed the sending half has the response of this cell; or the router took that for
/// leaving (RFC 9112 9.5), closed the connection as well, and the request at this cell ended with it.
pub fn gets_response_or_request_ends(trace: &Trace, person: &str, cell: &CellId) -> Proof {
    let (index, request) = trace.last_of(person)?;
    let Some(why) = request.no_response().filter(|_| !request.hung()) else {
        return gets_what_cell_responded(trace, person, cell);
    };
    // Where the request did not reach this cell, nothing is left that could end.
    trace.hops_of(index).filter(|hop| hop.cell == *cell).try_for_each(|hop| {
        ensure(matches!(hop.ended, Some((_, false))), || {
            format!(
                "{person} has no response to {}: {why}; and {} went on with it to its end",
                asked(request),
                hop.cell
            )
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{CLOSED, Made, TIMED_OUT};

    #[test]
    fn a_response_that_no_cell_gave_is_found() {
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
    fn requests_after_the_first_response_may_be_closed_without_one() {
        let pipelined = |got: [Result<(u16, &str), NoResponse>; 2]| {
            let mut made = Made::default();
            let users = ["/a", "/b"].map(|target| made.sends("anna", target));
            for (user, got) in users.into_iter().zip(got) {
                let hop = made.reaches(user, "cell_eu0");
                made.responses(hop, 200, &[], "one");
                made.gets(user, got);
            }
            responses_in_order(&made.trace)
        };
        let one = || Ok((200, "one"));
        assert!(pipelined([one(), Err(CLOSED)]).is_ok());
        for wrong in [
            [Err(CLOSED), one()],
            [Err(CLOSED), Err(CLOSED)],
            [one(), Err(TIMED_OUT)],
            [one(), Err(NoResponse::broke_off(200, "x"))],
        ] {
            assert!(pipelined(wrong.clone()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn bytes_that_nobody_can_read_are_no_http() {
        let unread = NoResponse::Failed("the response is not HTTP".to_owned());
        for (got, is_http) in [(Ok((200, "two")), true), (Err(CLOSED), true), (Err(unread), false)]
        {
            let mut made = Made::default();
            for (target, got) in [("/a", Ok((502, ""))), ("/b", got)] {
                let user = made.sends("anna", target);
                made.gets(user, got);
            }
            assert_eq!(all_is_http(&made.trace).is_ok(), is_http);
        }
    }

    #[test]
    fn a_connection_that_no_field_keeps_has_no_further_response() {
        let said = |connection: &str, second: Result<(u16, &str), NoResponse>| {
            let mut made = Made::default();
            for (target, got) in [("/a", Ok((200, "one"))), ("/b", second)] {
                let user = made.sends("anna", target);
                made.gets(user, got);
                let fields = crate::trace::made::fields(&[("Connection", connection)]);
                if let Some(Ok(response)) =
                    made.trace.users[user].response.as_mut().map(|it| it.got.as_mut())
                {
                    response.fields = fields;
                }
            }
            old_connections_end(&made.trace)
        };
        assert!(said("close", Err(CLOSED)).is_ok());
        assert!(said("Keep-Alive", Ok((200, "two"))).is_ok());
        assert!(said("close", Ok((200, "two"))).is_err());
    }

    #[test]
    fn a_cell_that_bounced_before_is_done() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu1");
        made.responses(hop, 302, &[], "");
        made.gets(user, Err(CLOSED));
        let judged = gets_response_or_request_ends(&made.trace, "anna", &CellId::eu(0));
        assert!(judged.is_ok());
    }

    #[test]
    fn a_request_that_reached_no_cell_keeps_none_busy() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        made.gets(user, Err(CLOSED));
        let judged = gets_response_or_request_ends(&made.trace, "anna", &CellId::eu(0));
        assert!(judged.is_ok());
        assert!(gets_response_or_request_ends(&made.trace, "bert", &CellId::eu(0)).is_err());
    }
}
