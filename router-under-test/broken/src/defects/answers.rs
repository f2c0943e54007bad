//! Learning: what the answer to a pre-flight means.

use crate::catalog::{Defect, learning};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    learning("needs-the-exact-member", "LN-04", Flaw::NeedsExactMember, "an answer without the optional member is taken for malformed"),
    learning("takes-every-answer-for-exact", "LN-05", Flaw::AllExact, "an answer is remembered for the asked path alone"),
    learning("takes-exact-false-for-exact", "LN-05", Flaw::ExactByPresence, "the member exact counts by being there, whatever it says"),
    learning("ignores-exact", "LN-06", Flaw::IgnoresExact, "every answer is remembered as a prefix"),
    learning("exact-with-the-query", "LN-06", Flaw::ExactWithQuery, "an exact answer is remembered with the query of the request"),
    learning("exact-without-the-last-slash", "LN-06", Flaw::ExactIgnoresSlash, "paths are compared without the slash at their end"),
    learning("knows-routable-sources-only", "LN-07", Flaw::RoutableOnly, "an answer whose source is not routable is refused"),
    learning(
        "serves-fixed-pages-anywhere",
        "LN-16",
        Flaw::FixedServedLocally,
        "a fixed answer is taken to mean that the asked cell serves it as well",
    ),
    learning(
        "sends-to-the-asked-cell",
        "LN-18",
        Flaw::SendsToAsked,
        "the answer is only remembered, and the request goes to the cell that was asked",
    ),
    learning(
        "takes-learnt-cells-for-names",
        "LN-18",
        Flaw::LooksUpByName,
        "the answer's cell is looked up among names (Cell EU0) instead of ids (cell_eu0)",
    ),
    learning("does-not-remember-fixed-answers", "LN-05", Flaw::FixedNotRemembered, "only routable answers are remembered"),
    learning(
        "signs-in-where-it-asks",
        "LN-19",
        Flaw::SignsInWhereItAsks,
        "every cell is taken to have the sign-in page, as under buffering",
    ),
    learning("treats-the-dashboard-like-root", "LN-20", Flaw::DashboardLikeRoot, "/dashboard is sent to any cell without a pre-flight"),
    learning("serves-admin-anywhere", "AD-04", Flaw::AdminAnywhere, "/admin is sent to any cell without a pre-flight"),
    learning(
        "refuses-unknown-learn-members",
        "Z-30",
        Flaw::RejectsLearnMembers,
        "an answer with a member that the parser does not know is malformed",
    ),
    learning("crashes-on-a-wrong-type", "Z-30", Flaw::CrashesOnWrongType, "the parser's error is not handled and ends the process"),
    learning(
        "takes-no-owner-for-an-error",
        "PR-06",
        Flaw::UnknownIsError,
        "a pre-flight that names nobody becomes a 502, also for what any cell can serve",
    ),
    learning("answers-unknown-places-itself", "UN-05", Flaw::UnknownIs404, "a pre-flight that names nobody becomes a 404 of the router"),
    learning(
        "remembers-that-nobody-knew",
        "Z-34",
        Flaw::RemembersUnknown,
        "a pre-flight's 404 is remembered as an answer of the asked cell",
    ),
    learning(
        "sends-unknown-places-anywhere",
        "Z-34",
        Flaw::UnknownAnywhere,
        "what nobody knows goes to a cell of another region that is not the latest",
    ),
];
