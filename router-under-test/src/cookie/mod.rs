//! The second-level cache, in the user's cookie (CA-15): what the router learnt for this user's
//! recent paths, so that a router that knows nothing yet need not learn it again.
//!
//! It is a hint and no more. The router's own cache comes first, a hint is never put into it, and
//! a cell that a hint names and that cannot be reached is passed over as if there had been none. A
//! user cannot write hints: they are sealed with a key that only the routers of the fleet have, so
//! a wrong one is at worst a stale one, within the time that a cell's word is good for anyway
//! (Z-18).
//!
//! A cookie is given with responses of the 2xx class alone. A private page and one that does not
//! exist both end in other classes, and a cookie with the one and not with the other would tell
//! them apart (Z-27). It is not given with a response that others may be shown out of a shared
//! cache either.

mod field;
mod hints;
mod seal;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::cache::Entry;
use crate::config::{CellIndex, Protocol, Topology};
use crate::metrics::{self, Count};
use crate::wire;
use hints::{Hint, Hints};
use seal::{Seal, Tag};

/// Cookies of the router's name that are looked at, where a user sends several.
const MOST_READ: usize = 3;

/// How far the clocks of two routers of a fleet may be apart.
const SKEW: Duration = Duration::from_secs(10);

/// What one thread needs to read and write cookies.
#[derive(Debug)]
pub(crate) struct Cookies {
    seal: Seal,
    /// What stands for each cell.
    tags: Box<[(CellIndex, Tag)]>,
    /// How long what is learnt is good for; without end under buffering.
    ttl: Option<Duration>,
}

/// The route cookie of one user.
#[derive(Debug)]
pub(crate) struct RouteCookie {
    hints: Hints,
    /// A cookie was present and invalid.
    rejected: bool,
}

impl Cookies {
    /// `None` if the capability is off; cookies are then ignored.
    pub(crate) fn new(topology: &Topology) -> Option<Self> {
        if !topology.cookie_cache {
            return None;
        }
        // The configuration has made sure of a key.
        let seal = Seal::new(topology.settings.cookie_key.as_ref()?, &topology.protocol);
        let tag = |cell| (cell, seal.tag(&topology.cell(cell).id));
        let tags = topology.cells().map(tag).collect();
        let ttl = matches!(topology.protocol, Protocol::Learning { .. }).then_some(topology.ttl);
        Some(Self { seal, tags, ttl })
    }

    /// Takes the router's cookie out of the fields of a request: it is not for cells.
    pub(crate) fn take(&self, headers: &mut HeaderMap) -> RouteCookie {
        let values = field::take(headers, wire::COOKIE.as_bytes());
        let read =
            values.iter().take(MOST_READ).find_map(|value| Hints::read(&self.seal.opened(value)?));
        let rejected = read.is_none() && !values.is_empty();
        if rejected {
            metrics::count(Count::CookieRejected);
        }
        RouteCookie { hints: read.unwrap_or_default(), rejected }
    }

    /// The cell that a user's cookie names for a path.
    pub(crate) fn owner(&self, route_cookie: &RouteCookie, path: &str) -> Option<CellIndex> {
        self.owner_at(route_cookie, path, now())
    }

    fn owner_at(&self, route_cookie: &RouteCookie, path: &str, now: u64) -> Option<CellIndex> {
        let hint = route_cookie.hints.about(path, now)?;
        // An expiry later than any that this router would write is not believed.
        if let Some(ttl) = self.ttl
            && hint.end.is_none_or(|end| end > now.saturating_add(millis(ttl.saturating_add(SKEW))))
        {
            return None;
        }
        // A cell that is gone has no tag any more.
        self.tags.iter().find(|(_, tag)| *tag == hint.cell).map(|(cell, _)| *cell)
    }

    /// Gives the user what the router knows about this path, where that is news to the user's
    /// cookie.
    ///
    /// `known` is what the router remembers about `path`, and `cell` the one that gave this
    /// response.
    pub(crate) fn give(
        &self,
        route_cookie: RouteCookie,
        path: &str,
        known: Option<&Entry<'_>>,
        cell: CellIndex,
        (status, headers): (StatusCode, &mut HeaderMap),
    ) {
        if !status.is_success() || is_shared(headers) {
            return;
        }
        let Some(value) = self.news(route_cookie, path, known, cell, now()) else { return };
        let attributes = if value.is_empty() { "; Max-Age=0" } else { "" };
        let line =
            format!("{}={value}; Path=/; Secure; HttpOnly; SameSite=Lax{attributes}", wire::COOKIE);
        if let Ok(line) = HeaderValue::try_from(line) {
            headers.append(SET_COOKIE, line);
            metrics::count(Count::CookieGiven);
        }
    }

    /// The new value of a user's cookie, empty where it is to be removed; none where it may stay.
    fn news(
        &self,
        route_cookie: RouteCookie,
        path: &str,
        known: Option<&Entry<'_>>,
        cell: CellIndex,
        now: u64,
    ) -> Option<String> {
        let RouteCookie { mut hints, rejected } = route_cookie;
        let (_, tag) = *self.tags.iter().find(|(own, _)| *own == cell)?;
        let said = hints.about(path, now);
        let mut changed = rejected;
        // What is known is worth telling if the one who responded is the one it names.
        if let Some(known) = known.filter(|known| known.cell() == cell) {
            let same = |hint: &Hint| {
                hint.cell == tag && hint.exact == known.is_exact() && hint.path == known.path()
            };
            if !said.is_some_and(same) {
                let end = known.expires().map(|expires| {
                    now.saturating_add(millis(expires.saturating_duration_since(Instant::now())))
                });
                let hint =
                    Hint { path: known.path().to_vec(), exact: known.is_exact(), cell: tag, end };
                let before = hints.clone();
                hints.put(hint, now);
                changed |= hints != before;
            }
        } else if said.is_some_and(|hint| hint.cell != tag) {
            hints.forget(path);
            changed = true;
        }
        match hints.is_empty() {
            _ if !changed => None,
            true => Some(String::new()),
            false => self.seal.sealed(&hints.written()),
        }
    }
}

/// Whether the response says that a cache that serves many users may keep it for them (RFC 9111
/// 5.2.2).
fn is_shared(headers: &HeaderMap) -> bool {
    let mut lasts = false;
    let lines = headers.get_all(CACHE_CONTROL).iter();
    for directive in
        lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
    {
        let mut parts = directive.splitn(2, |&byte| byte == b'=');
        let (name, value) = (
            parts.next().unwrap_or_default().trim_ascii(),
            parts.next().unwrap_or_default().trim_ascii(),
        );
        let is = |other: &[u8]| name.eq_ignore_ascii_case(other);
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
