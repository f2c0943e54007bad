//! Both: what one request on a user's connection leaves for the next, which may be another user's.

use crate::entry::{Mutant, both, buffering};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "gives-the-next-user-the-cookie",
        "Z-96",
        Mutation::KeepsTheLastCookie,
        "a request without Cookie gets the one of the request before it on its connection",
    ),
    both(
        "gives-the-next-user-the-credentials",
        "Z-96",
        Mutation::KeepsTheLastCredentials,
        "a request without Authorization or Private-Token gets that of the request before it on \
         its connection",
    ),
    both(
        "gives-the-next-user-the-query",
        "Z-96",
        Mutation::KeepsTheLastQuery,
        "a target without a query gets that of the request before it on its connection",
    ),
    both(
        "gives-the-next-user-the-body",
        "Z-96",
        Mutation::KeepsTheLastBody,
        "a request without a body gets that of the request before it on its connection",
    ),
    buffering(
        "counts-bodies-of-a-connection-together",
        "Z-96",
        Mutation::CountsBodiesTogether,
        "the limit for a body counts all bodies of a connection",
    ),
];
