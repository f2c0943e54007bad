//! A second-level cache in the user's cookies (CA-15): the user gets the learnt routes, and a cold
//! router uses them as hints.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderValue, Response};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::base::body::Body;
use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::base::target::{Ask, covers, leading};
use crate::kind::{Mutation, Variation};

/// The cookie's name reveals neither a cell nor a path.
const NAME: &str = "_route";

/// The mutations that this cache can have.
fn is_about_cookies(mutation: Mutation) -> bool {
    matches!(
        mutation,
        Mutation::FailsOnForgedCookies
            | Mutation::CookiesTeachEverybody
            | Mutation::BelievesForgedCookies
            | Mutation::CookiesNameAHost
            | Mutation::CookiesWithoutHttponly
            | Mutation::CookiesWithoutSecure
            | Mutation::CookiesWithoutSamesite
            | Mutation::CookiesNameTheCell
    )
}

fn is_on(router: &Router) -> bool {
    router.config.cookie_cache
        && (router.differs(Variation::KeepsRoutesInCookies)
            || router.mutation().is_some_and(is_about_cookies))
}

fn values(ask: &Ask) -> impl Iterator<Item = &str> {
    let cookies = ask
        .headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    cookies.filter_map(|cookie| cookie.trim().strip_prefix(NAME)?.strip_prefix('='))
}

/// The cell that the user's cookie names for this request. A cookie that no router of these cells
/// wrote is ignored (Z-18), and nothing of a cookie enters the shared cache.
pub(crate) fn hint(router: &Router, ask: &Ask) -> Option<usize> {
    if !is_on(router) {
        return None;
    }
    let by_id = |id: &str| router.config.cells.iter().position(|cell| cell.id == id);
    match router.mutation() {
        Some(Mutation::BelievesForgedCookies) => values(ask).find_map(by_id),
        Some(Mutation::CookiesTeachEverybody) => {
            let cell = values(ask).find_map(by_id)?;
            router.cache().teach(ask, leading(ask.path(), 1), false, cell, Instant::now());
            Some(cell)
        }
        Some(Mutation::CookiesNameAHost) => {
            values(ask).find_map(|value| value.parse().ok()).map(|host| router.adopt(host))
        }
        _ => {
            let hints = values(ask).filter_map(|value| parse(router, value));
            let mut cells = hints.filter(|hint| {
                if hint.exact { hint.path == ask.path() } else { covers(&hint.path, ask.path()) }
            });
            cells
                .find(|hint| hint.ends > now() && hint.cell < router.config.cells.len())
                .map(|hint| hint.cell)
        }
    }
}

/// The mutation that treats an invalid cookie as an error.
pub(crate) fn refuses(router: &Router, ask: &Ask) -> Option<Refusal> {
    let bad = router.has(Mutation::FailsOnForgedCookies)
        && is_on(router)
        && values(ask).any(|value| parse(router, value).is_none());
    bad.then(|| Refusal::bad_gateway("a cookie that cannot be read"))
}

struct Hint {
    cell: usize,
    exact: bool,
    /// When the hint expires, as its cache entry does. Milliseconds since 1970.
    ends: u64,
    path: String,
}

fn parse(router: &Router, value: &str) -> Option<Hint> {
    let (text, seal) = value.rsplit_once('.')?;
    if seal != self::seal(router, text) {
        return None;
    }
    let mut parts = text.splitn(4, '.');
    let cell = parts.next()?;
    let cell = match router.config.cells.iter().position(|known| known.id == cell) {
        Some(position) => position,
        None => cell.parse().ok()?,
    };
    let exact = parts.next()? == "1";
    let ends = parts.next()?.parse().ok()?;
    Some(Hint {
        cell,
        exact,
        ends,
        path: percent_decode_str(parts.next()?).decode_utf8().ok()?.into_owned(),
    })
}

/// The seal: only routers can write it, because users do not know the cells' addresses (RT-12).
fn seal(router: &Router, text: &str) -> String {
    let mut hasher = DefaultHasher::new();
    for cell in &router.config.cells {
        cell.authority.as_str().hash(&mut hasher);
    }
    text.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn now() -> u64 {
    since_1970(Duration::ZERO)
}

fn since_1970(ahead: Duration) -> u64 {
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + ahead;
    u64::try_from(age.as_millis()).unwrap_or(u64::MAX)
}

/// Sends the user the new route.
pub(crate) fn give(router: &Router, ask: &Ask, response: &mut Response<Body>) {
    if !is_on(router) {
        return;
    }
    let taught = router.extra().taught.take();
    let Some((path, exact, cell)) = taught.filter(|(path, ..)| covers(path, ask.path())) else {
        return;
    };
    let Some(named) = router.config.cells.get(cell) else { return };
    let scope = if has_plain_value(router) { leading(ask.path(), 1) } else { "/" };
    let value = match router.mutation() {
        Some(Mutation::CookiesNameAHost) => named.authority.to_string(),
        _ if has_plain_value(router) => named.id.clone(),
        mutation => {
            let cell = if mutation == Some(Mutation::CookiesNameTheCell) {
                named.id.clone()
            } else {
                cell.to_string()
            };
            let path = utf8_percent_encode(&path, NON_ALPHANUMERIC);
            let text =
                format!("{cell}.{}.{}.{path}", u8::from(exact), since_1970(router.config.ttl));
            format!("{text}.{}", seal(router, &text))
        }
    };
    let mut line = format!("{NAME}={value}; Path={scope}");
    for (attribute, lacking) in [
        ("HttpOnly", Mutation::CookiesWithoutHttponly),
        ("Secure", Mutation::CookiesWithoutSecure),
        ("SameSite=Lax", Mutation::CookiesWithoutSamesite),
    ] {
        if !router.has(lacking) {
            line.push_str("; ");
            line.push_str(attribute);
        }
    }
    if let Ok(line) = HeaderValue::from_str(&line) {
        response.headers_mut().append(SET_COOKIE, line);
    }
}

/// The mutations whose cookie has no seal.
fn has_plain_value(router: &Router) -> bool {
    router.has(Mutation::BelievesForgedCookies)
        || router.has(Mutation::CookiesTeachEverybody)
        || router.has(Mutation::CookiesNameAHost)
}
