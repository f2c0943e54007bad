//! Then steps about exchanges and responses: what users received, also late, truncated, made up,
//! streamed, or given to a retry; malicious bytes, and what a router must not reveal.

use super::doc_strings::FieldLines;
use super::meaning::{Arrivals, CheckResult};
use super::parameters::{Cell, Last, Number, OrGivesUp, Person, Sees, Statuses, Within};
use crate::exchange::{Exchange, compare};
use crate::judge::model::{self, Installation};
use crate::judge::{self, Wrong};
use crate::trace::Trace;

then!(
    "the {last}exchange was" with expected: Exchange as Exchange,
    |trace, last: Last| compare(&expected, trace, &trace.arrows(last.0))
);
then!("the visit went straight to {cell}", |trace, cell: Cell| {
    as_drawn(trace, Exchange::straight(trace, &cell.0))
});
then!("the visit went to {cell} as on a cold cache", |trace, plan, cell: Cell| {
    as_drawn(trace, Exchange::cold(trace, &cell.0, plan.fleet.protocol))
});

fn as_drawn(trace: &Trace, expected: Result<Exchange, String>) -> CheckResult {
    match expected {
        Ok(expected) => compare(&expected, trace, &trace.arrows(true)).into(),
        Err(why) => CheckResult::Proof(Err(why.into())),
    }
}

// Explored journeys: the model judges everything that happened.
then!(
    "the model of the documents permits every exchange" named JUDGED,
    |trace, plan| {
        let violations = model::judge(&Installation::of(plan, &trace.actions), trace).into_iter();
        let cited = violations
            .filter_map(|violation| Some((violation.requirement.parse().ok()?, violation.why)));
        CheckResult::Violations(cited.collect())
    }
);

then!("{person} sees the page {string}", |trace, person: Person, headline: String| {
    judge::sees_page(trace, &person.0, &headline)
});
then!("{person} saw the page {string}", |trace, person: Person, headline: String| {
    judge::saw_page(trace, &person.0, &headline)
});
then!("{person} sees the notice {string}", |trace, person: Person, text: String| {
    judge::is_told(trace, &person.0, &text)
});
then!("{person} {sees} the text {string}", |trace, person: Person, sees: Sees, text: String| {
    match sees {
        Sees(true) => CheckResult::from(judge::shows(trace, &person.0, &text)),
        Sees(false) => judge::does_not_show(trace, &person.0, &text).into(),
    }
});
then!("{person} gets status {statuses}", |trace, person: Person, statuses: Statuses| {
    judge::gets_status(trace, &person.0, &statuses.0)
});
then!("{person} is redirected to {string}", |trace, person: Person, target: String| {
    judge::is_redirected_to(trace, &person.0, &target)
});
then!("{person} gets the response of {cell}", |trace, person: Person, cell: Cell| {
    judge::gets_what_cell_responded(trace, &person.0, &cell.0)
});
then!("every response has the status {number}", |trace, status: Number| {
    judge::every_status(trace, status.0)
});
then!("every user got a cell's response unchanged", |trace| {
    judge::every_response_passed_on(trace)
});
then!("no response to a user carries the field {string}", |trace, field: String| {
    judge::no_response_carries(trace, &field)
});
then!(
    "the response to {person} has no {string} in the field {string}",
    |trace, person: Person, text: String, field: String| {
        judge::has_not_in_field(trace, &person.0, &text, &field)
    }
);
then!(
    "the response to {person} carries the fields:" with expected: FieldLines,
    |trace, person: Person| judge::carries(trace, &person.0, &expected.0)
);
then!("the router refused the request", |trace| judge::refused(trace));
then!("the refusal names no cell", |trace| judge::names_no_cell(trace));
then!("the refusal has its dates in the form that senders write", |trace| judge::has_valid_dates(
    trace
));
then!("the response repeats no singleton field", |trace| judge::repeats_no_singleton(trace));
then!("no page outside the Admin Area names a cell", |trace| {
    judge::no_page_names_a_cell(trace)
});
then!("the last two responses were indistinguishable", |trace| judge::last_two_alike(trace));

then!(
    "the response to {person} took {within} {number} ms",
    |trace, person: Person, within: Within, ms: Number| match within {
        Within(true) => judge::had_response_within(trace, &person.0, ms.0),
        Within(false) => judge::had_response_after(trace, &person.0, ms.0).map_err(Wrong::from),
    }
);
then!("no user sees a truncated response as complete", |trace| {
    judge::every_response_whole_or_none(trace)
});
then!("{person} gets a cell's response, or a refusal", |trace, person: Person| {
    judge::gets_cells_response_or_refusal(trace, &person.0)
});
then!(
    "{person} gets the response of {cell}, or the request ends at the cell",
    |trace, person: Person, cell: Cell| {
        judge::gets_response_or_request_ends(trace, &person.0, &cell.0)
    }
);
then!("all that came on the connection is HTTP", |trace| judge::all_is_http(trace));
then!("the responses came in the order of the requests", |trace| {
    judge::responses_in_order(trace)
});
then!("no connection stays open unsaid", |trace| judge::old_connections_end(trace));
then!("each user on the connection got the response to their own request", |trace| {
    judge::each_has_its_response(trace)
});
then!("the router retried no request", |trace| judge::nothing_sent_again(trace));
then!(
    "the router added at most {number} ms to the fastest of {person}'s requests",
    |trace, limit: Number, person: Person| judge::best_adds_at_most(trace, &person.0, limit.0)
);
then!(
    "at least {number} of {person}'s 404 responses were delayed by {number} ms or more",
    |trace, count: Number, person: Person, least: Number| {
        judge::not_found_held_back(trace, &person.0, count.size(), least.0)
    }
);
then!(
    "none of {person}'s 404 responses was delayed by {number} ms or more",
    |trace, person: Person, limit: Number| {
        judge::not_found_comes_before(trace, &person.0, limit.0)
    }
);
then!("the first bytes reached {person} before the cell sent the rest", |trace, person: Person| {
    judge::first_bytes_before_rest(trace, &person.0)
});
then!(
    "the cells had sent at most {number} bytes while {person} read nothing",
    |trace, bytes: Number, person: Person| judge::sent_at_most(trace, &person.0, bytes.0)
);
then!(
    "the router took at most {number} bytes while the cell read nothing",
    |trace, bytes: Number| judge::took_at_most(trace, bytes.0)
);
then!("{person} was connected to {cell}", |trace, person: Person, cell: Cell| {
    judge::was_connected_to(trace, &person.0, &cell.0)
});
then!("{person} received the message {string}", |trace, person: Person, message: String| {
    judge::received_message(trace, &person.0, &message)
});
then!("{person} got the interim response {number}", |trace, person: Person, interim: Number| {
    judge::got_before_response(trace, &person.0, interim.0)
});
then!("{person} got no interim response", |trace, person: Person| {
    judge::got_nothing_before_response(trace, &person.0)
});

then!("the router refused the raw request{or_gives_up}", |trace, or_gives_up: OrGivesUp| {
    judge::refused_the_bytes(trace, or_gives_up.0)
});
then!("the raw request opened no tunnel", |trace| judge::opened_no_tunnel(trace));
then!("nothing that followed the raw request got a 2xx", |trace| {
    Arrivals(judge::nothing_that_followed_succeeded(trace))
});
then!("no part of the raw request reached a cell", |trace| {
    Arrivals(judge::nothing_of_the_bytes_arrived(trace))
});
then!("the user got a response to every request that reached a cell", |trace| {
    judge::every_arrival_was_responded(trace)
});
then!("no cell received a request for {string}", |trace, path: String| {
    Arrivals(judge::no_cell_received(trace, &path))
});
then!("no cell received {string} in the field {string}", |trace, value: String, field: String| {
    judge::no_cell_received_in_field(trace, &value, &field)
});
then!("no cell received a NUL", |trace| Arrivals(judge::no_nul_arrived(trace)));
then!("no copy of the request kept the length beside its chunks", |trace| {
    Arrivals(judge::copies_drop_the_length(trace))
});
then!("no cell received an unknown expectation", |trace| {
    Arrivals(judge::no_unknown_expectation_arrived(trace))
});
then!("no 1xx or 204 to a user has a length", |trace| {
    Arrivals(judge::no_length_without_content(trace))
});
then!(
    "each copy of the request had a smaller number in the field {string}",
    |trace, field: String| judge::copies_have_smaller_number(trace, &field)
);
then!("every request carried the same field {string} to the cells", |trace, field: String| {
    judge::carried_same_field(trace, &field)
});
then!(
    "no cell received the host {string} with the request for {string}",
    |trace, host: String, path: String| {
        Arrivals(judge::no_cell_received_host(trace, &host, &path))
    }
);
then!("each request had {string} in the field {string}", |trace, value: String, field: String| {
    judge::each_request_had_in_field(trace, &value, &field)
});
then!(
    "a cell received the field {string} as {string}, or the router refused \
             the raw request",
    |trace, field: String, value: String| {
        judge::came_unfolded_or_refused(trace, &field, &value)
    }
);
then!("the response to {person} names no cell's address", |trace, person: Person| {
    judge::names_no_address(trace, &person.0)
});
then!("the router's cookies are HttpOnly, Secure and SameSite=Lax", |trace| {
    judge::router_cookies_are_guarded(trace)
});
then!("the router's cookies name no cell", |trace| judge::router_cookies_name_no_cell(trace));
