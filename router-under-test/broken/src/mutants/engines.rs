//! Both: what clients of GitLab need of a router, and what HTTP libraries do by themselves.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "drops-private-tokens",
        "Z-68",
        Mutation::DropsPrivateTokens,
        "Private-Token of a request does not reach the cell",
    ),
    both(
        "drops-fields-of-scripts",
        "Z-68",
        Mutation::DropsFieldsOfScripts,
        "Origin and X-CSRF-Token of a request do not reach the cell",
    ),
    both(
        "folds-spaces-in-values",
        "Z-68",
        Mutation::FoldsSpaces,
        "two spaces inside the value of a field reach the cell as one",
    ),
    both(
        "decompresses-requests",
        "Z-68",
        Mutation::DecompressesRequests,
        "the HTTP library decompresses the body of a request",
    ),
    both(
        "drops-fields-of-registries",
        "RT-08",
        Mutation::DropsFieldsOfRegistries,
        "the Docker- fields of a response do not reach the user",
    ),
    both(
        "answers-options-itself",
        "RT-01",
        Mutation::AnswersOptions,
        "an OPTIONS that a browser sends ahead gets a 204 of the router",
    ),
    both(
        "refuses-unknown-methods",
        "Z-98",
        Mutation::RefusesUnknownMethods,
        "a method outside a fixed list gets 501",
    ),
    both(
        "never-sends-100",
        "Z-21",
        Mutation::NeverSends100,
        "a user who waits for 100 before sending a body gets nothing",
    ),
    both(
        "decompresses-responses",
        "Z-77",
        Mutation::DecompressesResponses,
        "the HTTP library decompresses the body of a response",
    ),
    both(
        "marks-tags-of-coded-content",
        "Z-77",
        Mutation::MarksTagsOfCodedContent,
        "the ETag of a compressed response gets a suffix",
    ),
    both(
        "zeroes-lengths-of-head",
        "Z-21",
        Mutation::ZeroesLengthsOfHead,
        "a response without a body says Content-Length: 0",
    ),
    both(
        "joins-cookie-lines-by-commas",
        "Z-46",
        Mutation::JoinsCookieLinesByCommas,
        "several Cookie lines of a request are joined with a comma",
    ),
    both(
        "drops-lengths-of-zero",
        "Z-69",
        Mutation::DropsLengthsOfZero,
        "a POST with an empty body is sent without Content-Length",
    ),
    buffering(
        "drops-authorization-at-another-origin",
        "BF-04",
        Mutation::DropsAuthorizationAtAnotherOrigin,
        "the HTTP library resends a request to another host without Authorization",
    ),
];
