//! Both: a proxy's duties towards requests and responses.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "decodes-encoded-slashes",
        "Z-13",
        Mutation::DecodesSlash,
        "%2F in the path is forwarded as a slash",
    ),
    both("collapses-slashes", "Z-13", Mutation::CollapsesSlashes, "doubled slashes are merged"),
    both("lower-cases-paths", "Z-13", Mutation::LowercasesPath, "paths are lower-cased"),
    both(
        "drops-an-empty-query",
        "Z-13",
        Mutation::DropsEmptyQuery,
        "the question mark of an empty query is removed",
    ),
    both("resolves-dot-segments", "Z-13", Mutation::ResolvesDots, "dot segments are resolved"),
    both("upper-cases-escapes", "Z-13", Mutation::UppercasesEscapes, "%2f is forwarded as %2F"),
    both(
        "trims-the-last-slash",
        "Z-13",
        Mutation::TrimsTrailingSlash,
        "a trailing slash is removed from the path",
    ),
    both(
        "overwrites-request-ids",
        "Z-31",
        Mutation::OverwritesId,
        "the user's request id is replaced",
    ),
    both(
        "drops-extension-fields",
        "Z-31",
        Mutation::DropsExtensionFields,
        "request fields that begin with X- do not reach the cell",
    ),
    both(
        "passes-spoofed-fields",
        "Z-04",
        Mutation::PassesSpoofed,
        "internal fields of users reach the cells",
    ),
    both(
        "names-the-cell",
        "RT-12",
        Mutation::NamesCell,
        "a field of each response names the cell that gave it",
    ),
    both(
        "names-the-cell-when-it-refuses",
        "Z-58",
        Mutation::RefusalNamesCell,
        "the page of a refusal names the cell that could not be reached",
    ),
    both("refuses-with-500", "Z-35", Mutation::Refuses500, "every refusal is a 500"),
    both(
        "leaks-the-redirect-field",
        "Z-37",
        Mutation::LeaksRedirectHeader,
        "a redirect header that is not followed reaches the user",
    ),
    both(
        "leaks-the-cache-field",
        "Z-03",
        Mutation::LeaksCacheHeader,
        "the cache header reaches the user",
    ),
    buffering(
        "passes-cookies-of-the-bounce",
        "Z-60",
        Mutation::BounceCookies,
        "the cookies of a bounce are added to those of the response",
    ),
    both(
        "joins-cookie-lines",
        "Z-05",
        Mutation::JoinsCookies,
        "several Set-Cookie lines are joined into one",
    ),
    both(
        "keeps-the-last-cookie",
        "Z-05",
        Mutation::LastCookieOnly,
        "of several Set-Cookie lines only the last reaches the user",
    ),
    both(
        "buffers-responses",
        "Z-59",
        Mutation::BuffersResponses,
        "a response is read to its end before its first byte is forwarded",
    ),
    both(
        "hides-truncation",
        "Z-41",
        Mutation::HidesTruncation,
        "a truncated response reaches the user as a complete one",
    ),
];
