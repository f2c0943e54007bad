//! Both: what attacks on proxies try, beyond the framing of one message.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "passes-underscored-names",
        "Z-83",
        Mutation::PassesAliases,
        "fields that a user must not send pass with underscores for hyphens",
    ),
    both(
        "forwards-the-last-hop",
        "Z-84",
        Mutation::ForwardsTheLastHop,
        "an OPTIONS with Max-Forwards 0 is forwarded",
    ),
    both(
        "keeps-max-forwards",
        "Z-84",
        Mutation::KeepsMaxForwards,
        "Max-Forwards is forwarded as it came",
    ),
    both(
        "echoes-traces",
        "Z-85",
        Mutation::EchoesTraces,
        "a TRACE is responded to with all fields of the request",
    ),
    both(
        "takes-stray-bytes-for-responses",
        "Z-86",
        Mutation::TakesStrayBytes,
        "bytes that a cell sent on an idle connection are the response to the next request",
    ),
    both(
        "passes-links-to-cells",
        "Z-87",
        Mutation::PassesCellLinks,
        "a cell's address in Link, Refresh, Content-Location or Alt-Svc reaches the user",
    ),
    both(
        "drops-cdn-loop",
        "Z-88",
        Mutation::DropsCdnLoop,
        "CDN-Loop of a request does not reach the cell",
    ),
    both(
        "keeps-the-first-host",
        "Z-89",
        Mutation::KeepsTheFirstHost,
        "the host of a connection's first request is that of all its requests",
    ),
    both(
        "drops-earlier-via",
        "Z-90",
        Mutation::DropsEarlierVia,
        "Via of a request does not reach the cell",
    ),
    both(
        "reads-endless-chunk-extensions",
        "Z-93",
        Mutation::EndlessExtensions,
        "chunk extensions of any length are read and dropped",
    ),
    both(
        "limits-chunk-extensions-one-by-one",
        "Z-93",
        Mutation::CountsExtensionsByChunk,
        "chunk extensions are limited in each chunk, and not in a body",
    ),
    both(
        "serves-the-rest-of-its-own-responses",
        "Z-54",
        Mutation::ServesTheRestOfItsOwn,
        "the body of a request that the router responds to itself is read as the next request",
    ),
    both(
        "forgets-bodies-that-it-did-not-ask-for",
        "Z-54",
        Mutation::ForgetsUnaskedBodies,
        "behind Expect, a body for which 100 was not sent is read as the next request",
    ),
    both(
        "gives-up-paused-bodies",
        "Z-54",
        Mutation::GivesUpPausedBodies,
        "the rest of a body that pauses for too long is read as the next request",
    ),
    both(
        "serves-the-rest-of-refused-requests",
        "Z-54",
        Mutation::ServesTheRestOfRefused,
        "the body of a request that was refused early is read as the next request",
    ),
    both(
        "drops-fields-beyond-ninety",
        "Z-47",
        Mutation::AddsFieldsAtTheLimit,
        "of the fields of a request, those after the ninetieth are dropped",
    ),
    learning(
        "serves-learn-when-escaped-twice",
        "Z-10",
        Mutation::LearnPathDecodedOnce,
        "the learn path is refused after one decoding only",
    ),
    learning(
        "serves-learn-with-parameters",
        "Z-10",
        Mutation::LearnPathWithParameters,
        "the learn path is not refused where a segment has parameters",
    ),
    learning(
        "serves-learn-with-backslashes",
        "Z-10",
        Mutation::LearnPathWithBackslashes,
        "the learn path is not refused with backslashes for slashes",
    ),
    learning(
        "serves-learn-with-control-characters",
        "Z-10",
        Mutation::LearnPathWithControls,
        "the learn path is not refused with an escaped line feed at its end",
    ),
];
