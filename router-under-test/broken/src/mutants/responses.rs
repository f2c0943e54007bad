//! Learning: what the response to a pre-flight means.

use crate::entry::{Mutant, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "needs-the-exact-member",
        "LN-04",
        Mutation::NeedsExactMember,
        "a response without the optional member is taken for malformed",
    ),
    learning(
        "takes-every-response-for-exact",
        "LN-05",
        Mutation::AllExact,
        "a response is remembered for the asked path alone",
    ),
    learning(
        "takes-exact-false-for-exact",
        "LN-05",
        Mutation::ExactByPresence,
        "the member exact counts by being there, whatever it says",
    ),
    learning(
        "ignores-exact",
        "LN-06",
        Mutation::IgnoresExact,
        "every response is remembered as a prefix",
    ),
    learning(
        "exact-with-the-query",
        "LN-06",
        Mutation::ExactWithQuery,
        "an exact response is remembered with the query of the request",
    ),
    learning(
        "exact-without-the-last-slash",
        "LN-06",
        Mutation::ExactIgnoresSlash,
        "paths are compared without the slash at their end",
    ),
    learning(
        "knows-routable-sources-only",
        "LN-07",
        Mutation::RoutableOnly,
        "a response whose source is not routable is refused",
    ),
    learning(
        "serves-fixed-pages-anywhere",
        "LN-16",
        Mutation::FixedServedLocally,
        "a fixed response is taken to mean that the asked cell serves it as well",
    ),
    learning(
        "sends-to-the-asked-cell",
        "LN-18",
        Mutation::SendsToAsked,
        "the response is only remembered, and the request goes to the cell that was asked",
    ),
    learning(
        "takes-learnt-cells-for-names",
        "LN-18",
        Mutation::LooksUpByName,
        "the response's cell is looked up among names (Cell EU0) instead of ids (cell_eu0)",
    ),
    learning(
        "does-not-remember-fixed-responses",
        "LN-05",
        Mutation::FixedNotRemembered,
        "only routable responses are remembered",
    ),
    learning(
        "signs-in-where-it-asks",
        "LN-19",
        Mutation::SignsInWhereItAsks,
        "every cell is taken to have the sign-in page, as under buffering",
    ),
    learning(
        "treats-the-dashboard-like-root",
        "LN-20",
        Mutation::DashboardLikeRoot,
        "/dashboard is sent to any cell without a pre-flight",
    ),
    learning(
        "serves-admin-anywhere",
        "AD-04",
        Mutation::AdminAnywhere,
        "/admin is sent to any cell without a pre-flight",
    ),
    learning(
        "refuses-unknown-learn-members",
        "Z-30",
        Mutation::RejectsLearnMembers,
        "a response with a member that the parser does not know is malformed",
    ),
    learning(
        "crashes-on-a-wrong-type",
        "Z-30",
        Mutation::CrashesOnWrongType,
        "the parser's error is not handled and ends the process",
    ),
    learning(
        "takes-no-owner-for-an-error",
        "PR-06",
        Mutation::UnknownIsError,
        "a pre-flight that names nobody becomes a 502, also for what any cell can serve",
    ),
    learning(
        "serves-unknown-places-itself",
        "UN-05",
        Mutation::UnknownIs404,
        "a pre-flight that names nobody becomes a 404 of the router",
    ),
    learning(
        "remembers-that-nobody-knew",
        "Z-34",
        Mutation::RemembersUnknown,
        "a pre-flight's 404 is remembered as a response of the asked cell",
    ),
    learning(
        "sends-unknown-places-anywhere",
        "Z-34",
        Mutation::UnknownAnywhere,
        "what nobody knows goes to a cell of another region that is not the latest",
    ),
];
