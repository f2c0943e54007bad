//! Both: the second-level cache in the user's cookies.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

const CLAIM: &str = "cookie-cache";

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "fails-on-forged-cookies",
        "Z-18",
        Mutation::ForgedCookiesFail,
        "a cookie of the router that cannot be read is an error",
    )
    .claiming(CLAIM),
    both(
        "cookies-teach-everybody",
        "Z-18",
        Mutation::TeachesFromCookies,
        "what a user's cookie says is remembered for all users",
    )
    .claiming(CLAIM),
    both(
        "believes-forged-cookies",
        "Z-18",
        Mutation::BelievesForgedCookies,
        "the cell's id in the cookie is believed, whoever wrote it",
    )
    .claiming(CLAIM),
    both(
        "cookies-name-a-host",
        "Z-18",
        Mutation::CookieNamesHost,
        "the cookie says to which address a request goes",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-httponly",
        "Z-19",
        Mutation::CookieWithoutHttpOnly,
        "the router's cookie can be read by scripts",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-secure",
        "Z-19",
        Mutation::CookieWithoutSecure,
        "the router's cookie travels in the clear",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-samesite",
        "Z-19",
        Mutation::CookieWithoutSameSite,
        "the router's cookie has no SameSite",
    )
    .claiming(CLAIM),
    both(
        "cookies-name-the-cell",
        "Z-19",
        Mutation::CookieNamesCell,
        "the router's cookie has the id of the cell in it",
    )
    .claiming(CLAIM),
];
