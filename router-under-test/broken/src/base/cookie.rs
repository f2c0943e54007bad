//! A second-level cache in the user's cookies (CA-15): what was learnt for a user is given to them,
//! and a cold router takes it back as a hint.

use std::time::Instant;

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderValue, Response};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::base::memory;
use crate::base::router::{Body, Router};
use crate::base::target::{Ask, covers};
use crate::kind::Difference;

/// Neither a cell's name nor a place can be read off it.
const NAME: &str = "_route";

fn is_on(router: &Router) -> bool {
    router.differs(Difference::CookieCache) && router.config.cookie_cache
}

/// Takes a hint for this request into a cache that knows nothing of the place.
pub(crate) fn take(router: &Router, ask: &Ask) {
    if !is_on(router) || memory::recall(router, ask).is_some() {
        return;
    }
    let cookies = ask.headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split("; "));
    let hints = cookies.filter_map(|cookie| cookie.strip_prefix(NAME)?.strip_prefix('='));
    // Whatever a user sends is a hint only: a cell that is not there, or a foreign path, says nothing.
    for (cell, exact, path) in hints.filter_map(parse) {
        let covering = if exact { path == ask.path() } else { covers(&path, ask.path()) };
        if covering && cell < router.config.cells.len() {
            router.cache().teach(ask, &path, exact, cell, Instant::now());
        }
    }
}

fn parse(value: &str) -> Option<(usize, bool, String)> {
    let mut parts = value.splitn(3, '.');
    let cell = parts.next()?.parse().ok()?;
    let exact = parts.next()? == "1";
    Some((cell, exact, percent_decode_str(parts.next()?).decode_utf8().ok()?.into_owned()))
}

/// Gives the user what was just learnt.
pub(crate) fn give(router: &Router, response: &mut Response<Body>) {
    if !is_on(router) {
        return;
    }
    let Some((path, exact, cell)) = router.extra().taught.take() else { return };
    let path = utf8_percent_encode(&path, NON_ALPHANUMERIC);
    let line = format!("{NAME}={cell}.{}.{path}; Path=/; HttpOnly; SameSite=Lax", u8::from(exact));
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(SET_COOKIE, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_read_and_nonsense_is_not() {
        assert_eq!(parse("1.0.%2Facme"), Some((1, false, "/acme".to_owned())));
        for value in ["", "x.0.%2Fa", "1.0", "1.1.%FF"] {
            assert_eq!(parse(value), None, "{value}");
        }
    }
}
