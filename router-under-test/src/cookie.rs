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
use http::header::{CACHE_CONTROL, COOKIE, Entry as Lines, SET_COOKIE};
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
/// Hints in one cookie.
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
    #[serde(rename = "p")]
    path: String,
    #[serde(rename = "x")]
    exact: bool,
    /// The cell's id, which stays the same when cells come and go.
    #[serde(rename = "c")]
    cell: String,
    /// When it expires, in milliseconds since 1970, if it does.
    #[serde(rename = "e")]
    end: Option<u64>,
}

impl Hint {
    fn covers(&self, path: &str) -> bool {
        Rule { path: &self.path, exact: self.exact }.covers(path)
    }

    fn is_over(&self, now: u64) -> bool {
        self.end.is_some_and(|end| end <= now)
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
        self.owner_at(route_cookie, path, topology, now())
    }

    fn owner_at(
        &self,
        route_cookie: &RouteCookie,
        path: &str,
        topology: &Topology,
        now: u64,
    ) -> Option<CellIndex> {
        let hint = about(&route_cookie.hints, path, now)?;
        // An expiry later than any that this router would write is not believed.
        if let Some(ttl) = self.ttl
            && hint.end.is_none_or(|end| end > now.saturating_add(millis(ttl.saturating_add(SKEW))))
        {
            return None;
        }
        topology.cell_with_id(&hint.cell)
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
        let Some(value) = self.news(route_cookie, path, known, id, now()) else { return };
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
        now: u64,
    ) -> Option<String> {
        let RouteCookie { mut hints, rejected } = route_cookie;
        let said = about(&hints, path, now);
        let before = hints.clone();
        if let Some(known) = known {
            let is_said = said.is_some_and(|hint| {
                hint.cell == cell && hint.exact == known.rule.exact && hint.path == known.rule.path
            });
            if !is_said {
                put(&mut hints, known, cell, now);
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

/// What is said about a path at this time: an exact hint first, then the longest prefix (Z-38).
fn about<'a>(hints: &'a [Hint], path: &str, now: u64) -> Option<&'a Hint> {
    hints
        .iter()
        .filter(|hint| !hint.is_over(now) && hint.covers(path))
        .max_by_key(|hint| (hint.exact, hint.path.len()))
}

/// Puts what is known in front, replacing an earlier hint, and drops what has expired.
fn put(hints: &mut Vec<Hint>, known: Entry<'_>, cell: &str, now: u64) {
    hints.retain(|hint| {
        !hint.is_over(now) && (hint.exact != known.rule.exact || hint.path != known.rule.path)
    });
    if known.rule.path.len() <= LONGEST_PATH {
        let end = known.expires.map(|expires| {
            now.saturating_add(millis(expires.saturating_duration_since(Instant::now())))
        });
        let (path, cell) = (known.rule.path.to_owned(), cell.to_owned());
        hints.insert(0, Hint { path, exact: known.rule.exact, cell, end });
    }
    hints.truncate(MOST_HINTS);
}

/// Takes all cookies of the router's name out of the fields, and gives their values in order.
///
/// Other cookies stay unchanged and in order; a line without other cookies is removed.
fn take_values(headers: &mut HeaderMap) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    let Lines::Occupied(lines) = headers.entry(COOKIE) else { return values };
    let (_, lines) = lines.remove_entry_mult();
    let lines: Vec<HeaderValue> = lines.collect();
    for line in lines {
        if let Some(rest) = without(line, &mut values) {
            headers.append(COOKIE, rest);
        }
    }
    values
}

/// What is left of a line, if anything.
fn without(line: HeaderValue, values: &mut Vec<Vec<u8>>) -> Option<HeaderValue> {
    let before = values.len();
    let mut others = Vec::new();
    for piece in line.as_bytes().split(|&byte| byte == b';') {
        match value(piece) {
            Some(value) => values.push(value.to_vec()),
            None => others.push(piece),
        }
    }
    if values.len() == before {
        return Some(line);
    }
    if others.iter().all(|piece| piece.trim_ascii().is_empty()) {
        return None;
    }
    // The blank after a semicolon stands before the next cookie.
    HeaderValue::from_bytes(others.join(&b';').trim_ascii_start()).ok()
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
    let mut lasts = false;
    let lines = headers.get_all(CACHE_CONTROL).iter();
    for directive in lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b',')) {
        let (name, value) = match directive.iter().position(|&byte| byte == b'=') {
            Some(equals) => (&directive[..equals], directive[equals + 1..].trim_ascii()),
            None => (directive, &b""[..]),
        };
        let is = |other: &[u8]| name.trim_ascii().eq_ignore_ascii_case(other);
        if is(b"private") || is(b"no-store") {
            return false;
        }
        lasts |= is(b"public") || is(b"s-maxage") || (is(b"max-age") && value != b"0");
    }
    lasts
}

/// Milliseconds since 1970, which routers on other machines agree on more or less.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis)
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
