//! Checks that the requests of several users stay apart: on a connection that they share, and where
//! they are under way at once.

use cell_fleet::Field;

use super::copies::{body_changed, differences, is_carried};
use super::faults::of_a_cell;
use super::responses::asked;
use super::{Proof, ensure};
use crate::trace::{Hop, NoResponse, Trace, UserRequest};

/// Each copy of each request has what its user sent: the method, the target, the fields and the
/// body. And it has no field of another request that its own user did not send.
pub fn reached_cells_as_sent(trace: &Trace) -> Proof {
    let mut any = false;
    for (index, user) in trace.routed() {
        for hop in trace.hops_of(index) {
            any = true;
            let found = changed(user, hop).or_else(|| of_another(trace, index, hop));
            if let Some(why) = found {
                return Err(format!("{} of {} at {}: {why}", asked(user), user.person, hop.cell));
            }
        }
    }
    ensure(any, || "no request reached a cell".to_owned())
}

fn changed(user: &UserRequest, hop: &Hop) -> Option<String> {
    if hop.request.method != user.method.as_str() {
        return Some(format!("the method became {}", hop.request.method));
    }
    if hop.request.target != user.target {
        return Some(format!("the target became {}", hop.request.target));
    }
    body_changed(user, hop)
        .or_else(|| differences(&user.fields, hop).next().map(|found| found.to_string()))
}

/// A field at a cell that its user did not send, and that another request had.
fn of_another(trace: &Trace, index: usize, hop: &Hop) -> Option<String> {
    let own = &trace.users[index].fields;
    let came = &hop.request.fields;
    let added = came
        .iter()
        .filter(|field| is_carried(came, &field.name.to_string()))
        .filter(|field| own.iter().all(|sent| !is_same_name(sent, field)));
    let mut taken = added.filter_map(|field| {
        let others = trace.acted().filter(|(other, _)| *other != index);
        let has = |request: &UserRequest| {
            request.fields.iter().any(|sent| is_same_name(sent, field) && sent.value == field.value)
        };
        let (_, other) = others.into_iter().find(|(_, request)| has(request))?;
        let (name, value) = (&field.name, &field.value);
        Some(format!(
            "it carried {name}: {value}, which {} sent with {}",
            other.person,
            asked(other)
        ))
    });
    taken.next()
}

fn is_same_name(one: &Field, other: &Field) -> bool {
    one.is(&other.name.to_string())
}

/// Each request of the last When step, in which users share a connection, has the response that a
/// cell gave to that very request. The router may close the connection after any response; what is
/// unanswered then, its user has sent again.
pub fn each_has_its_response(trace: &Trace) -> Proof {
    let (_, of_step) = trace.last_step()?;
    for (place, (index, request)) in of_step.iter().enumerate() {
        let is_again = |(_, later): &(usize, &UserRequest)| {
            later.person == request.person
                && later.method == request.method
                && later.target == request.target
        };
        let is_unanswered = matches!(request.no_response(), Some(NoResponse::Unanswered(_)));
        if !(is_unanswered && of_step[place + 1..].iter().any(is_again)) {
            of_a_cell(trace, *index, request, request.received()?)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::{CLOSED, Made};

    #[test]
    fn what_a_closed_connection_left_unanswered_is_sent_again() {
        let mut made = Made::default();
        let first = made.sends("anna", "/a");
        let hop = made.reaches(first, "cell_eu0");
        made.responses(hop, 200, &[], "page");
        made.gets(first, Ok((200, "page")));
        let second = made.sends("nina", "/a");
        made.gets(second, Err(CLOSED));
        assert!(each_has_its_response(&made.trace).is_err());
        let again = made.sends("nina", "/a");
        let hop = made.reaches(again, "cell_eu0");
        made.responses(hop, 200, &[], "other");
        made.gets(again, Ok((200, "other")));
        assert_eq!(each_has_its_response(&made.trace), Ok(()));
        made.gets(again, Ok((200, "page")));
        assert!(each_has_its_response(&made.trace).is_err());
    }
}
