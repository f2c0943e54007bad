//! Both: the second-level cache in the user's cookies.

use crate::entry::{Mutant, both};
use crate::kind::Mutation;

const CLAIM: &str = "cookie-cache";

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "fails-on-forged-cookies",
        "Z-18",
        Mutation::ForgedCookiesFail,
        "an invalid route cookie is an error",
    )
    .claiming(CLAIM),
    both(
        "cookies-teach-everybody",
        "Z-18",
        Mutation::TeachesFromCookies,
        "the hints of a user's route cookie are cached for all users",
    )
    .claiming(CLAIM),
    both(
        "believes-forged-cookies",
        "Z-18",
        Mutation::BelievesForgedCookies,
        "the cell's id in a route cookie is used without a check of its seal",
    )
    .claiming(CLAIM),
    both(
        "cookies-name-a-host",
        "Z-18",
        Mutation::CookieNamesHost,
        "the route cookie names the address that a request goes to",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-httponly",
        "Z-19",
        Mutation::CookieWithoutHttpOnly,
        "the route cookie lacks HttpOnly",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-secure",
        "Z-19",
        Mutation::CookieWithoutSecure,
        "the route cookie lacks Secure",
    )
    .claiming(CLAIM),
    both(
        "cookies-without-samesite",
        "Z-19",
        Mutation::CookieWithoutSameSite,
        "the route cookie lacks SameSite",
    )
    .claiming(CLAIM),
    both(
        "cookies-name-the-cell",
        "Z-19",
        Mutation::CookieNamesCell,
        "the route cookie contains the id of the cell",
    )
    .claiming(CLAIM),
];
