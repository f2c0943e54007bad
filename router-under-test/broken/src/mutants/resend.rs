//! Buffering: the resent request.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "drops-the-body-on-resend",
        "BF-04",
        Mutation::DropsBody,
        "a request is resent without its body",
    ),
    buffering(
        "cuts-the-body-on-resend",
        "BF-04",
        Mutation::TruncatesBody,
        "only the first 64 KiB of a body are resent",
    ),
    buffering(
        "loses-content-fields-on-resend",
        "BF-04",
        Mutation::DropsContentFields,
        "a request is resent without Accept, Authorization and Content-Type",
    ),
    buffering(
        "resends-as-get",
        "BF-05",
        Mutation::ResendsAsGet,
        "a request is resent as GET, as browsers do after a 302",
    ),
    buffering(
        "resends-writes-as-post",
        "BF-05",
        Mutation::TunnelsMethods,
        "every request with side effects is resent as POST",
    ),
    buffering(
        "drops-the-query-on-resend",
        "BF-06",
        Mutation::DropsQueryOnResend,
        "a request is resent without its query",
    ),
    buffering(
        "resends-to-the-location",
        "BF-06",
        Mutation::ResendsToLocation,
        "a request is resent to the Location of the bounce",
    ),
    buffering(
        "decodes-the-target-on-resend",
        "BF-06",
        Mutation::DecodesOnResend,
        "a request is resent with a decoded target",
    ),
    buffering(
        "asks-without-the-body",
        "BF-07",
        Mutation::AsksWithoutBody,
        "the owner of a write is found with its head alone, without the body",
    ),
    buffering(
        "refuses-to-resend-writes",
        "BF-08",
        Mutation::RefusesToResendWrites,
        "a bounced request with side effects is refused",
    ),
    buffering(
        "rewrites-forms",
        "BF-14",
        Mutation::RewritesForms,
        "form bodies are decoded and encoded again before they are sent",
    ),
    buffering(
        "flattens-the-owners-status",
        "RT-08",
        Mutation::FlattensStatus,
        "a response after a bounce reaches the user as 200",
    ),
    both(
        "knows-fields-by-name",
        "RT-08",
        Mutation::DropsUnknownResponseFields,
        "only well-known response fields are forwarded",
    ),
];
