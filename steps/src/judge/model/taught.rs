//! What cells teach a router by their responses.

use cell_fleet::{CellId, Protocol, Region, ResponseSeen, Stamp};

use super::entries::{Entries, Entry};
use super::exchange::{Case, Learned, Said, given, is_whole, learned, prefixes, said};
use super::installation::{Installation, covers};
use crate::trace::{Hop, Origin, Trace};

/// What a journey teaches.
pub(super) struct Lessons<'m> {
    pub(super) installation: &'m Installation,
    pub(super) trace: &'m Trace,
    /// All requests of the journey, in the order in which they were sent.
    pub(super) cases: &'m [Case<'m>],
}

impl Lessons<'_> {
    /// What the cells said to the router of a region, and what made it doubtful.
    pub(super) fn heard_in(&self, region: &Region) -> Entries {
        let mut entries = Entries::default();
        let cases = || self.cases.iter().filter(|case| case.region == region);
        for case in cases() {
            for hop in case.all_hops() {
                self.teach(case, hop, &mut entries.0);
            }
            self.moved(case, &mut entries.0);
        }
        entries.replace(self.installation.protocol);
        for case in cases() {
            let end = case.ended().unwrap_or(case.request.sent);
            let path = (!case.is_odd).then_some(case.path.as_str());
            // "when it led to a bounce, to a 404 without a cache field, or to a failure"
            for hop in case.hops.iter().filter(|hop| contradicts(hop)) {
                entries.doubt(path, Some(&hop.cell), hop.at, over(case, hop));
            }
            // A cell that could not be reached left no hop.
            for cell in &case.troubled {
                entries.doubt(path, Some(cell), end, Some(end));
            }
            // A user who broke off within the body makes entries doubtful as well, and so does a
            // request that no cell read: a router that refuses an upload at once may drop the entry
            // (Z-82).
            if case.broke_off(self.trace) || case.hops.is_empty() {
                entries.doubt(path, None, case.request.sent, case.ended());
            }
        }
        entries
    }

    /// A bounce of a body that cannot be sent again may move the entry that led there to the cell
    /// that it names (contract, *What an entry covers*; Z-82).
    fn moved(&self, case: &Case<'_>, entries: &mut Vec<Entry>) {
        let Some((hop, (said_at, response))) =
            case.hops.last().and_then(|hop| Some((hop, hop.response.as_ref()?)))
        else {
            return;
        };
        let Said::Bounce(name) = said(response) else { return };
        let Some(named) =
            self.installation.called(&name).filter(|_| self.installation.is_too_large(case))
        else {
            return;
        };
        let led_there = entries.iter().filter(|entry| {
            entry.banned.is_none()
                && entry.cell == hop.cell
                && entry.said < hop.at
                && entry.covers(&case.path)
        });
        let moved: Vec<_> = led_there
            .map(|entry| Entry {
                cell: named.clone(),
                said: *said_at,
                known: None,
                user: case.user,
                ..entry.clone()
            })
            .collect();
        entries.extend(moved);
    }

    /// What a response teaches, or must not teach.
    fn teach(&self, case: &Case<'_>, hop: &Hop, entries: &mut Vec<Entry>) {
        let Some((heard, response)) = &hop.response else { return };
        let read = case.request.response.as_ref().filter(|end| end.got.is_ok()).map(|end| end.at);
        let is_preflight = matches!(hop.origin, Origin::PreFlight(..));
        let acted = case.hops.first().map(|hop| hop.at).filter(|_| is_preflight);
        let mut add = |path: &str, exact, cell: &CellId, banned, is_sure: bool| {
            // Another spelling may be covered all the same.
            let banned = if case.is_odd { None } else { banned };
            entries.push(Entry {
                path: path.to_owned(),
                exact,
                cell: cell.clone(),
                about: (case.path.clone(), case.request.method.clone()),
                said: *heard,
                known: acted.or(read).filter(|known| known > heard),
                user: case.user,
                corrects: case.hops.len() > 1,
                generation: case.generation,
                banned,
                doubtful: (case.is_odd || !is_sure).then_some(*heard),
                replaced: None,
            });
        };
        let unfit = |path: &str, exact| match path {
            "" => Some("Z-65"),
            _ if covers(path, exact, &case.path) => None,
            _ => Some("Z-07"),
        };
        if is_preflight {
            return match learned(response) {
                Learned::Nobody => add(&case.path, true, &hop.cell, Some("Z-34"), true),
                Learned::Unreadable => add(&case.path, true, &hop.cell, Some("Z-14"), true),
                Learned::Owner { path, cell, exact } => match self.installation.called(&cell) {
                    Some(owner) => add(&path, exact, owner, unfit(&path, exact), true),
                    None => add(&path, exact, &hop.cell, Some("Z-02"), true),
                },
            };
        }
        let bounced = said(response) != Said::Final;
        let prefixes = prefixes(response);
        let one = prefixes.len() == 1;
        let bare = if bounced { "CA-18" } else { "CA-04" };
        match self.installation.protocol {
            Protocol::Buffering => {
                for prefix in &prefixes {
                    let path = prefix.as_deref();
                    let banned = if bounced {
                        Some("Z-06")
                    } else {
                        path.and_then(|path| unfit(path, false))
                    };
                    match path {
                        Some(path) => add(path, false, &hop.cell, banned, one),
                        None => add(&case.path, true, &hop.cell, Some("Z-36"), true),
                    }
                }
                if prefixes.is_empty() {
                    add(&case.path, true, &hop.cell, Some(bare), true);
                }
            }
            // "If a page carries the cache field, the router may remember it or not".
            Protocol::Learning => {
                let covering =
                    prefixes.iter().flatten().filter(|path| unfit(path, false).is_none());
                covering.for_each(|path| add(path, false, &hop.cell, None, false));
            }
        }
    }
}

/// When nothing of an exchange is under way anymore: when its user had the response. Where the
/// user left, only the cell's response is known.
fn over(case: &Case<'_>, hop: &Hop) -> Option<Stamp> {
    let sent = hop.response.as_ref().map(|(at, _)| *at);
    let received = case.request.response.as_ref().filter(|end| end.got.is_ok());
    received.map(|end| end.at).max(sent)
}

/// Whether a router may drop the entry that led to this (contract, *What an entry covers*).
fn contradicts(hop: &Hop) -> bool {
    let contradicts = |given: &ResponseSeen| given.status == 404 || said(given) != Said::Final;
    !is_whole(hop) || given(hop).is_none_or(contradicts)
}
