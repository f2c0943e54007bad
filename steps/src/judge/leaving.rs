//! Checks of users who may have left.

use cell_fleet::CellId;

use super::faults::hung;
use super::responses::asked;
use super::{Proof, ensure, gets_what_cell_responded};
use crate::trace::Trace;

/// A person who closed the sending half has the response of this cell; or the router took that for
/// leaving (RFC 9112 9.5), closed the connection as well, and the request at this cell ended with it.
pub fn gets_response_or_request_ends(trace: &Trace, person: &str, cell: &CellId) -> Proof {
    let (index, request) = trace.last_of(person)?;
    let got = request.response.as_ref().map(|response| &response.got);
    let Some(Err(why)) = got.filter(|_| !hung(request)) else {
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
    use crate::trace::made::Made;

    fn judged(ended: Option<(u64, bool)>, got: Result<(u16, &str), &str>) -> Proof {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu0");
        made.responses(hop, 200, &[], "page");
        made.trace.hops[hop].ended = ended;
        made.gets(user, got);
        gets_response_or_request_ends(&made.trace, "anna", &CellId::eu(0))
    }

    #[test]
    fn the_response_or_an_end_at_the_cell_is_fine() {
        let closed = "the connection was closed without a response";
        assert!(judged(Some((4, true)), Ok((200, "page"))).is_ok());
        assert!(judged(Some((1, false)), Err(closed)).is_ok());
        assert!(judged(Some((1, false)), Err("the response 200 broke off: x")).is_ok());
    }

    #[test]
    fn neither_is_found() {
        let closed = "the connection was closed without a response";
        assert!(judged(Some((4, true)), Err(closed)).unwrap_err().contains("to its end"));
        for wrong in [
            judged(Some((4, true)), Ok((502, ""))),
            judged(Some((1, false)), Err("no response within 20s")),
            judged(None, Err(closed)),
        ] {
            assert!(wrong.is_err());
        }
    }

    #[test]
    fn a_cell_that_bounced_before_is_done() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        let hop = made.reaches(user, "cell_eu1");
        made.responses(hop, 302, &[], "");
        made.gets(user, Err("the connection was closed without a response"));
        let judged = gets_response_or_request_ends(&made.trace, "anna", &CellId::eu(0));
        assert!(judged.is_ok());
    }

    #[test]
    fn a_request_that_reached_no_cell_keeps_none_busy() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        made.gets(user, Err("the connection was closed without a response"));
        let judged = gets_response_or_request_ends(&made.trace, "anna", &CellId::eu(0));
        assert!(judged.is_ok());
        assert!(gets_response_or_request_ends(&made.trace, "bert", &CellId::eu(0)).is_err());
    }
}
