//! Both: the second-level cache in the user's cookies.

use crate::entry::mutants;

mutants! {
    FailsOnForgedCookies: Both, "Z-18", claims "cookie-cache",
        "an invalid route cookie is an error";
    CookiesTeachEverybody: Both, "Z-18", claims "cookie-cache",
        "the hints of a user's route cookie are cached for all users";
    BelievesForgedCookies: Both, "Z-18", claims "cookie-cache",
        "the cell's id in a route cookie is used without a check of its seal";
    CookiesNameAHost: Both, "Z-18", claims "cookie-cache",
        "the route cookie names the address that a request goes to";
    CookiesWithoutHttponly: Both, "Z-19", claims "cookie-cache", "the route cookie lacks HttpOnly";
    CookiesWithoutSecure: Both, "Z-19", claims "cookie-cache", "the route cookie lacks Secure";
    CookiesWithoutSamesite: Both, "Z-19", claims "cookie-cache", "the route cookie lacks SameSite";
    CookiesNameTheCell: Both, "Z-19", claims "cookie-cache",
        "the route cookie contains the id of the cell";
}
