//! Both: a proxy's duties towards requests and responds.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "decodes-encoded-slashes",
        "Z-13",
        Mutation::DecodesSlash,
        "%2F in the path is sent on as a slash",
    ),
    both(
        "collapses-slashes",
        "Z-13",
        Mutation::CollapsesSlashes,
        "neighbouring slashes become one",
    ),
    both("lower-cases-paths", "Z-13", Mutation::LowercasesPath, "paths are made lower case"),
    both(
        "drops-an-empty-query",
        "Z-13",
        Mutation::DropsEmptyQuery,
        "a question mark with nothing behind it is left out",
    ),
    both(
        "resolves-dot-segments",
        "Z-13",
        Mutation::ResolvesDots,
        "segments of one or two dots are resolved",
    ),
    both("upper-cases-escapes", "Z-13", Mutation::UppercasesEscapes, "%2f is sent on as %2F"),
    both(
        "trims-the-last-slash",
        "Z-13",
        Mutation::TrimsTrailingSlash,
        "a slash at the end of the path is left out",
    ),
    both(
        "overwrites-request-ids",
        "Z-31",
        Mutation::OverwritesId,
        "the user's request id is replaced by one of the router",
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
        "the cells' own fields are accepted from users",
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
        "the page of a refusal says which cell could not be reached",
    ),
    both("refuses-with-500", "Z-35", Mutation::Refuses500, "all refusals are internal errors"),
    both(
        "leaks-the-redirect-field",
        "Z-37",
        Mutation::LeaksRedirectHeader,
        "the redirect header of a response without a bounce reaches the user",
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
        "response fields are kept in a map with one value each",
    ),
    both(
        "buffers-responses",
        "Z-59",
        Mutation::BuffersResponses,
        "a response is read to its end before its first byte is given to the user",
    ),
    both(
        "hides-truncation",
        "Z-41",
        Mutation::HidesTruncation,
        "a response that broke off is given to the user as if it were whole",
    ),
];
