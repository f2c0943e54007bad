//! Buffering: the second sending is the same request.

use crate::catalog::{Defect, both, buffering};
use crate::kind::Flaw;

pub(crate) const TABLE: &[Defect] = &[
    buffering("drops-the-body-on-resend", "BF-04", Flaw::DropsBody, "the body was read by the first sending and is gone for the second"),
    buffering("cuts-the-body-on-resend", "BF-04", Flaw::TruncatesBody, "only the first 64 KiB of a body are kept for the second sending"),
    buffering(
        "loses-content-fields-on-resend",
        "BF-04",
        Flaw::DropsContentFields,
        "the second request is built anew, without Accept, Authorization and Content-Type",
    ),
    buffering("resends-as-get", "BF-05", Flaw::ResendsAsGet, "the HTTP library turns the method into GET after a 302, as browsers do"),
    buffering("resends-writes-as-post", "BF-05", Flaw::TunnelsMethods, "every request with side effects is sent again as POST"),
    buffering("drops-the-query-on-resend", "BF-06", Flaw::DropsQueryOnResend, "only the path is kept for the second sending"),
    buffering(
        "resends-to-the-location",
        "BF-06",
        Flaw::ResendsToLocation,
        "the Location of the bounce gives the target of the second sending",
    ),
    buffering("decodes-the-target-on-resend", "BF-06", Flaw::DecodesOnResend, "the target is kept decoded and sent so the second time"),
    buffering(
        "asks-without-the-body",
        "BF-07",
        Flaw::AsksWithoutBody,
        "the owner of a write is found with its head alone, as if the URI decided everything",
    ),
    buffering(
        "refuses-to-resend-writes",
        "BF-08",
        Flaw::RefusesToResendWrites,
        "a request with side effects is never sent twice, so that a bounced one is refused",
    ),
    buffering("rewrites-forms", "BF-14", Flaw::RewritesForms, "form bodies are decoded into a map and encoded again before they are sent"),
    buffering("flattens-the-owners-status", "RT-08", Flaw::FlattensStatus, "an answer that took a bounce is given to the user as 200"),
    both(
        "knows-fields-by-name",
        "RT-08",
        Flaw::DropsUnknownAnswerFields,
        "only a list of well-known fields of the cell's answer is copied",
    ),
];
