//! Learning: the meaning of a learn response.

use crate::entry::{Mutant, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "needs-the-exact-member",
        "LN-04",
        Mutation::NeedsExactMember,
        "a learn response without the optional member exact is invalid",
    ),
    learning(
        "takes-every-response-for-exact",
        "LN-05",
        Mutation::AllExact,
        "every learn response is cached as exact",
    ),
    learning(
        "takes-exact-false-for-exact",
        "LN-05",
        Mutation::ExactByPresence,
        "a learn response with `exact: false` is read as exact",
    ),
    learning(
        "ignores-exact",
        "LN-06",
        Mutation::IgnoresExact,
        "every learn response is cached as a prefix",
    ),
    learning(
        "exact-with-the-query",
        "LN-06",
        Mutation::ExactWithQuery,
        "an exact learn response is cached with the query of the request",
    ),
    learning(
        "exact-without-the-last-slash",
        "LN-06",
        Mutation::ExactIgnoresSlash,
        "exact paths are compared without a trailing slash",
    ),
    learning(
        "knows-routable-sources-only",
        "LN-07",
        Mutation::RoutableOnly,
        "a learn response whose source is not routable is refused",
    ),
    learning(
        "knows-two-sources-only",
        "LN-07",
        Mutation::TwoSourcesOnly,
        "a learn response whose source is neither routable nor fixed is refused",
    ),
    learning(
        "serves-fixed-pages-anywhere",
        "LN-16",
        Mutation::FixedServedLocally,
        "a request goes to the cell that got the pre-flight when the source is fixed",
    ),
    learning(
        "serves-new-endpoints-where-it-asks",
        "UN-05",
        Mutation::LatestServedLocally,
        "a request for one path of the latest cell goes to the cell that got the pre-flight",
    ),
    learning(
        "sends-to-the-asked-cell",
        "LN-18",
        Mutation::SendsToAsked,
        "the learn response is cached, but the request goes to the cell that got the pre-flight",
    ),
    learning(
        "takes-learnt-cells-for-names",
        "LN-18",
        Mutation::LooksUpByName,
        "the cell of a learn response is looked up among names (Cell EU0) instead of ids \
         (cell_eu0)",
    ),
    learning(
        "does-not-remember-fixed-responses",
        "LN-05",
        Mutation::FixedNotRemembered,
        "only learn responses with a routable source are cached",
    ),
    learning(
        "signs-in-where-it-asks",
        "LN-19",
        Mutation::SignsInWhereItAsks,
        "the sign-in page is requested from any cell, as under buffering",
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
        "a learn response with an unknown member is invalid",
    ),
    learning(
        "crashes-on-a-wrong-type",
        "Z-30",
        Mutation::CrashesOnWrongType,
        "a learn response with a wrong type ends the process",
    ),
    learning(
        "takes-no-owner-for-an-error",
        "PR-06",
        Mutation::UnknownIsError,
        "a pre-flight that finds no owner becomes a 502, even for a path that any cell can serve",
    ),
    learning(
        "serves-unknown-places-itself",
        "Z-34",
        Mutation::UnknownIs404,
        "a pre-flight that finds no owner becomes a 404 of the router",
    ),
    learning(
        "remembers-that-nobody-knew",
        "Z-34",
        Mutation::RemembersUnknown,
        "the cell that sent a pre-flight's 404 is cached for the path",
    ),
    learning(
        "sends-unknown-places-anywhere",
        "Z-34",
        Mutation::UnknownAnywhere,
        "a path without an owner goes to a cell of another region that is not the latest",
    ),
];
