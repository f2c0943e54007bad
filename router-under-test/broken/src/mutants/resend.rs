//! Buffering: the second sending is the same request.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "drops-the-body-on-resend",
        "BF-04",
        Mutation::DropsBody,
        "the body was read by the first sending and is gone for the second",
    ),
    buffering(
        "cuts-the-body-on-resend",
        "BF-04",
        Mutation::TruncatesBody,
        "only the first 64 KiB of a body are kept for the second sending",
    ),
    buffering(
        "loses-content-fields-on-resend",
        "BF-04",
        Mutation::DropsContentFields,
        "the second request is built anew, without Accept, Authorization and Content-Type",
    ),
    buffering(
        "resends-as-get",
        "BF-05",
        Mutation::ResendsAsGet,
        "the HTTP library turns the method into GET after a 302, as browsers do",
    ),
    buffering(
        "resends-writes-as-post",
        "BF-05",
        Mutation::TunnelsMethods,
        "every request with side effects is sent again as POST",
    ),
    buffering(
        "drops-the-query-on-resend",
        "BF-06",
        Mutation::DropsQueryOnResend,
        "only the path is kept for the second sending",
    ),
    buffering(
        "resends-to-the-location",
        "BF-06",
        Mutation::ResendsToLocation,
        "the Location of the bounce gives the target of the second sending",
    ),
    buffering(
        "decodes-the-target-on-resend",
        "BF-06",
        Mutation::DecodesOnResend,
        "the target is kept decoded and sent so the second time",
    ),
    buffering(
        "asks-without-the-body",
        "BF-07",
        Mutation::AsksWithoutBody,
        "the owner of a write is found with its head alone, as if the URI decided everything",
    ),
    buffering(
        "refuses-to-resend-writes",
        "BF-08",
        Mutation::RefusesToResendWrites,
        "a request with side effects is never sent twice, so that a bounced one is refused",
    ),
    buffering(
        "rewrites-forms",
        "BF-14",
        Mutation::RewritesForms,
        "form bodies are decoded into a map and encoded again before they are sent",
    ),
    buffering(
        "flattens-the-owners-status",
        "RT-08",
        Mutation::FlattensStatus,
        "a response that took a bounce is given to the user as 200",
    ),
    both(
        "knows-fields-by-name",
        "RT-08",
        Mutation::DropsUnknownResponseFields,
        "only a list of well-known fields of the cell's response is copied",
    ),
];
