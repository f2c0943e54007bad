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
