//! The second-level cache, in the user's cookie (CA-15): what the router learned for this user's
//! recent paths, so that a router that knows nothing yet need not learn it again.
//!
//! It is a hint and no more. The router's own cache comes first, a hint is never put into it, and
//! a cell that a hint names and that cannot be reached is passed over as if there had been none. A
//! user cannot write hints: they are encrypted with a key that only the routers of the fleet have,
//! so a wrong one is at worst a stale one, within the time that a cell's word is good for anyway
//! (Z-18).
//!
//! A cookie is given with responses of the 2xx class alone. A private page and one that does not
//! exist both end in other classes, and a cookie with the one and not with the other would tell
//! them apart (Z-27). It is not given with a response that others may be shown out of a shared
//! cache either.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ::cookie::{Cookie, CookieJar, Key};
use http::header::{CACHE_CONTROL, COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Response};
use serde::{Deserialize, Serialize};

use crate::cache::{Entry, Rule};
use crate::config::Settings;
use crate::topology::{CellIndex, Protocol, Topology};
use crate::wire;

/// Cookies of the router's name that are looked at, where a user sends several.
const MOST_READ: usize = 3;
/// A longer value was not written by a router, and is ignored.
const LONGEST_VALUE: usize = 2048;
const MOST_HINTS: usize = 16;
/// Bytes of all hints before they are sealed. Name and value are less than 2 KiB then.
const LONGEST_HINTS: usize = 1480;
/// A longer path gets no hint, in bytes.
const LONGEST_PATH: usize = 255;
/// How far the clocks of two routers of a fleet may be apart.
const SKEW: Duration = Duration::from_secs(10);

/// Reads and writes the route cookies of users.
#[derive(Debug)]
pub struct Cookies {
    key: Key,
    /// How long what is learned is good for; without end under buffering.
    ttl: Option<Duration>,
}

/// The route cookie of one user.
#[derive(Debug, Default)]
pub struct RouteCookie {
    /// The latest first.
    hints: Vec<Hint>,
    /// A cookie was present and invalid.
    pub rejected: bool,
}

/// Which cell owns one path or prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Hint {
    path: String,
    exact: bool,
    /// The cell's id, which stays the same when cells come and go.
    cell: String,
    /// When it expires, in milliseconds since 1970, if it does.
    end: Option<u64>,
}

impl Hint {
    fn covers(&self, path: &str) -> bool {
        Rule { path: &self.path, exact: self.exact }.covers(path)
    }

    fn is_over(&self) -> bool {
        self.end.is_some_and(|end| end <= now())
    }
}

impl Cookies {
    /// `None` if the capability is off; cookies are then ignored.
    pub fn new(topology: &Topology, settings: &Settings) -> Option<Self> {
        // The configuration has made sure of a secret.
        let secret = settings.cookie_key.as_ref().filter(|_| topology.capabilities.cookie_cache)?;
        // For each protocol its own key: what the one says means something else in the other. With
        // this in front the secret is long enough for the derivation.
        let purpose = format!("second-level cookie, {}, ", topology.protocol.name());
        let key = Key::derive_from(&[purpose.as_bytes(), secret.as_bytes()].concat());
        let ttl =
            matches!(topology.protocol, Protocol::Learning { .. }).then_some(topology.cache.ttl);
        Some(Self { key, ttl })
    }

    /// Takes the router's cookie out of the fields of a request: it is not for cells. All other
    /// cookies stay as they are.
    pub fn take(&self, headers: &mut HeaderMap) -> RouteCookie {
        let values = take_values(headers);
        let read = values.iter().take(MOST_READ).find_map(|value| self.opened(value));
        let rejected = read.is_none() && !values.is_empty();
        RouteCookie { hints: read.unwrap_or_default(), rejected }
    }

    /// The cell that a user's cookie names for a path.
    pub fn owner(
        &self,
        route_cookie: &RouteCookie,
        path: &str,
        topology: &Topology,
    ) -> Option<CellIndex> {
        let hint = about(&route_cookie.hints, path)?;
        // An expiry later than any that this router would write is not believed.
        let is_believed = self.ttl.is_none_or(|ttl| {
            hint.end.is_some_and(|end| end <= in_millis(ttl.saturating_add(SKEW)))
        });
        topology.cell_with_id(&hint.cell).filter(|_| is_believed)
    }

    /// Gives the user what the router knows about this path, where that is news to the user's
    /// cookie. `cell` is the one that gave this response.
    pub fn give<B>(
        &self,
        route_cookie: RouteCookie,
        path: &str,
        known: Option<Entry<'_>>,
        cell: CellIndex,
        topology: &Topology,
        response: &mut Response<B>,
    ) {
        if !response.status().is_success() || is_shared(response.headers()) {
            return;
        }
        let id = &topology.cell(cell).id;
        let known = known.filter(|known| known.cell == cell);
        let Some(value) = self.news(route_cookie, path, known, id) else { return };
        let attributes = if value.is_empty() { "; Max-Age=0" } else { "" };
        let line =
            format!("{}={value}; Path=/; Secure; HttpOnly; SameSite=Lax{attributes}", wire::COOKIE);
        if let Ok(line) = HeaderValue::try_from(line) {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }

    /// The new value of a user's cookie, empty where it is to be removed; none where it may stay.
    ///
    /// `cell` is the id of the one that responded, and `known` what is known if it names this one.
    fn news(
        &self,
        route_cookie: RouteCookie,
        path: &str,
        known: Option<Entry<'_>>,
        cell: &str,
    ) -> Option<String> {
        let RouteCookie { mut hints, rejected } = route_cookie;
        let said = about(&hints, path);
        let before = hints.clone();
        if let Some(known) = known {
            let is_said = said.is_some_and(|hint| {
                hint.cell == cell && hint.exact == known.rule.exact && hint.path == known.rule.path
            });
            if !is_said {
                put(&mut hints, known, cell);
            }
        } else if said.is_some_and(|hint| hint.cell != cell) {
            hints.retain(|hint| !hint.covers(path));
        }
        if hints == before && !rejected {
            return None;
        }
        self.sealed(hints)
    }

    /// A cookie's value: as many of the latest hints as fit, encrypted.
    fn sealed(&self, mut hints: Vec<Hint>) -> Option<String> {
        let mut text = serde_json::to_string(&hints).ok()?;
        while text.len() > LONGEST_HINTS {
            hints.pop();
            text = serde_json::to_string(&hints).ok()?;
        }
        if hints.is_empty() {
            return Some(String::new());
        }
        let mut jar = CookieJar::new();
        jar.private_mut(&self.key).add(Cookie::new(wire::COOKIE, text));
        jar.get(wire::COOKIE).map(|cookie| cookie.value().to_owned())
    }

    /// The hints of a value that a router of this fleet wrote.
    fn opened(&self, value: &[u8]) -> Option<Vec<Hint>> {
        let value = str::from_utf8(value).ok().filter(|value| value.len() <= LONGEST_VALUE)?;
        let cookie = Cookie::new(wire::COOKIE, value.to_owned());
        let opened = CookieJar::new().private(&self.key).decrypt(cookie)?;
        serde_json::from_str(opened.value()).ok()
    }
}

/// What is said about a path: an exact hint first, then the longest prefix (Z-38).
fn about<'a>(hints: &'a [Hint], path: &str) -> Option<&'a Hint> {
    hints
        .iter()
        .filter(|hint| !hint.is_over() && hint.covers(path))
        .max_by_key(|hint| (hint.exact, hint.path.len()))
}

/// Puts what is known in front, replacing an earlier hint, and drops what has expired.
fn put(hints: &mut Vec<Hint>, known: Entry<'_>, cell: &str) {
    hints.retain(|hint| {
        !hint.is_over() && (hint.exact != known.rule.exact || hint.path != known.rule.path)
    });
    if known.rule.path.len() <= LONGEST_PATH {
        let left = known.expires.map(|end| end.saturating_duration_since(Instant::now()));
        let end = left.map(in_millis);
        let (path, cell) = (known.rule.path.to_owned(), cell.to_owned());
        hints.insert(0, Hint { path, exact: known.rule.exact, cell, end });
    }
    hints.truncate(MOST_HINTS);
}

/// Takes all cookies of the router's name out of the fields, and gives their values in order.
///
/// Other cookies stay unchanged and in order; a line without other cookies is removed.
fn take_values(headers: &mut HeaderMap) -> Vec<Vec<u8>> {
    let lines: Vec<HeaderValue> = headers.get_all(COOKIE).iter().cloned().collect();
    headers.remove(COOKIE);
    let mut values = Vec::new();
    for line in lines {
        let pieces = line.as_bytes().split(|&byte| byte == b';');
        let (own, others): (Vec<_>, Vec<_>) = pieces.partition(|piece| value(piece).is_some());
        values.extend(own.into_iter().filter_map(value).map(<[u8]>::to_vec));
        // The blank after a semicolon stands before the next cookie.
        if let Ok(rest) = HeaderValue::from_bytes(others.join(&b';').trim_ascii_start())
            && !others.iter().all(|piece| piece.trim_ascii().is_empty())
        {
            headers.append(COOKIE, rest);
        }
    }
    values
}

/// The value, where the piece is the router's cookie (RFC 6265 5.4: blanks around do not count).
fn value(piece: &[u8]) -> Option<&[u8]> {
    let equals = piece.iter().position(|&byte| byte == b'=')?;
    let is_own = piece[..equals].trim_ascii() == wire::COOKIE.as_bytes();
    is_own.then(|| piece[equals + 1..].trim_ascii())
}

/// Whether the response says that a cache that serves many users may keep it for them (RFC 9111
/// 5.2.2).
fn is_shared(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(CACHE_CONTROL).iter().filter_map(|line| line.to_str().ok());
    let directives = lines.flat_map(|line| line.split(','));
    let directives: Vec<String> =
        directives.map(|one| one.replace([' ', '\t'], "").to_ascii_lowercase()).collect();
    let has = |name| directives.iter().any(|one| one.split('=').next() == Some(name));
    let lasts = has("max-age") && !directives.iter().any(|one| one == "max-age=0");
    (lasts || has("public") || has("s-maxage")) && !has("private") && !has("no-store")
}

/// Milliseconds since 1970, which routers on other machines agree on more or less.
fn now() -> u64 {
    in_millis(Duration::ZERO)
}

/// What [`now`] will be after this time.
fn in_millis(time: Duration) -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.saturating_add(time).as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
