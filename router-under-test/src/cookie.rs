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
use crate::topology::{CellIndex, Topology};
use crate::wire;

/// Bytes of all hints before they are sealed. Name and value are less than 2 KiB then.
const LONGEST_HINTS: usize = 1480;

/// Reads and writes the route cookies of users.
#[derive(Debug)]
pub struct Cookies(Key);

/// The route cookie of one user: what was learned last comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteCookie(Vec<Hint>);

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
        self.end.is_some_and(|end| end <= in_millis(Duration::ZERO))
    }
}

impl RouteCookie {
    /// The cell that it names for a path: an exact hint first, then the longest prefix (Z-38).
    pub fn owner(&self, path: &str, topology: &Topology) -> Option<CellIndex> {
        let about = self.0.iter().filter(|hint| !hint.is_over() && hint.covers(path));
        let hint = about.max_by_key(|hint| (hint.exact, hint.path.len()))?;
        topology.cell_with_id(&hint.cell)
    }

    /// Takes in what is known about a path, and drops what the response of `cell` proves wrong.
    fn learn(&mut self, path: &str, known: Option<Entry<'_>>, cell: &str) {
        self.0.retain(|hint| !hint.is_over() && (hint.cell == cell || !hint.covers(path)));
        let Some(Entry { rule, expires, .. }) = known else { return };
        if !self.0.iter().any(|hint| hint.path == rule.path && hint.exact == rule.exact) {
            let left = expires.map(|end| end.saturating_duration_since(Instant::now()));
            let (path, cell, end) = (rule.path.to_owned(), cell.to_owned(), left.map(in_millis));
            self.0.insert(0, Hint { path, exact: rule.exact, cell, end });
        }
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
        Some(Self(Key::derive_from(&[purpose.as_bytes(), secret.as_bytes()].concat())))
    }

    /// Takes the router's cookie out of the fields of a request: it is not for cells. All other
    /// cookies stay as they are.
    pub fn take(&self, headers: &mut HeaderMap) -> RouteCookie {
        take_values(headers).iter().find_map(|value| self.opened(value)).unwrap_or_default()
    }

    /// Gives the user what the router knows about this path, where that is news to the user's
    /// cookie. `cell` is the one that gave this response.
    pub fn give<B>(
        &self,
        cookie: RouteCookie,
        path: &str,
        known: Option<Entry<'_>>,
        cell: CellIndex,
        topology: &Topology,
        response: &mut Response<B>,
    ) {
        if !response.status().is_success() || is_shared(response.headers()) {
            return;
        }
        let mut news = cookie.clone();
        let known = known.filter(|known| known.cell == cell);
        news.learn(path, known, &topology.cell(cell).id);
        if news == cookie {
            return;
        }
        let line = self.sealed(news).map(|value| {
            format!("{}={value}; Path=/; Secure; HttpOnly; SameSite=Lax", wire::COOKIE)
        });
        if let Some(Ok(line)) = line.map(HeaderValue::try_from) {
            response.headers_mut().append(SET_COOKIE, line);
        }
    }

    /// A cookie's value: as many of the latest hints as fit, encrypted.
    fn sealed(&self, mut cookie: RouteCookie) -> Option<String> {
        let mut text = serde_json::to_string(&cookie).ok()?;
        while text.len() > LONGEST_HINTS {
            cookie.0.pop();
            text = serde_json::to_string(&cookie).ok()?;
        }
        let mut jar = CookieJar::new();
        jar.private_mut(&self.0).add(Cookie::new(wire::COOKIE, text));
        jar.get(wire::COOKIE).map(|cookie| cookie.value().to_owned())
    }

    /// What a router of this fleet wrote.
    fn opened(&self, value: &[u8]) -> Option<RouteCookie> {
        let cookie = Cookie::new(wire::COOKIE, str::from_utf8(value).ok()?.to_owned());
        let opened = CookieJar::new().private(&self.0).decrypt(cookie)?;
        serde_json::from_str(opened.value()).ok()
    }
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

/// Whether a cache that serves many users may keep the response for them (RFC 9111 5.2.2).
fn is_shared(headers: &HeaderMap) -> bool {
    let is_own = |line: &HeaderValue| {
        let line = String::from_utf8_lossy(line.as_bytes()).to_ascii_lowercase();
        ["private", "no-store", "no-cache"].iter().any(|directive| line.contains(directive))
    };
    headers.contains_key(CACHE_CONTROL) && !headers.get_all(CACHE_CONTROL).iter().any(is_own)
}

/// This long from now, in milliseconds since 1970, which routers on other machines agree on more or
/// less.
fn in_millis(time: Duration) -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.saturating_add(time).as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
