//! Where a router sends a request, and what it asks before.

use std::collections::BTreeSet;

use cell_fleet::{CellId, Protocol};

use super::Model;
use super::entries::{Entry, Sure};
use super::exchange::{
    Case, Internal, Learned, Said, Say, given, has_begun, is_called, is_whole, learned, listed,
    said,
};
use crate::judge::credential;
use crate::trace::{Hop, Origin};

/// A router may end a chain after at most this many hops (contract, *Limits*).
const MOST_HOPS: usize = 16;

impl Model<'_> {
    pub(super) fn routing(&self, case: &Case<'_>, say: Say<'_>) {
        match self.installation.protocol {
            Protocol::Buffering => self.buffering(case, say),
            Protocol::Learning => self.learning(case, say),
        }
        self.sent_again(case, say);
        if case.hops.len() > MOST_HOPS {
            say("Z-01", format!("sent to cells {} times", case.hops.len()));
        }
    }

    /// "the first thing that a cell receives is the user's own request", and it goes to the cell of
    /// an entry, or to one of the region.
    fn buffering(&self, case: &Case<'_>, say: Say<'_>) {
        if let Some(hop) = case.preflights.first() {
            say("BF-01", format!("{} received a pre-flight", hop.cell));
        }
        let Some(first) = case.hops.first() else { return };
        let covering = self.covering(case, first.at);
        let deciding = self.deciding(case, &covering);
        if deciding.permits(&first.cell) {
            return;
        }
        match deciding.certain {
            Some(entry) => {
                let usual = if entry.corrects { "RT-09" } else { "CA-03" };
                let requirement = deciding.overruled(&first.cell);
                let why = format!("asked {} first, although {}", first.cell, known(entry));
                say(requirement.unwrap_or_else(|| self.blame(case, first, usual)), why);
            }
            None => self.cold_pick(case, first, "BF-11", say),
        }
    }

    /// While an entry lives no cell is asked (LN-05); then the request goes where a cell said.
    fn learning(&self, case: &Case<'_>, say: Say<'_>) {
        case.preflights.iter().for_each(|hop| self.preflight(case, hop, say));
        if let Some(hop) = case.preflights.first() {
            let covering = self.covering(case, hop.at);
            if let Some(entry) = self.deciding(case, &covering).certain {
                let requirement = match () {
                    () if entry.about.1 != case.request.method => "LN-21",
                    () if entry.exact => "LN-06",
                    () if entry.path != case.path => "CA-08",
                    () => "LN-05",
                };
                say(requirement, format!("{} was asked, although {}", hop.cell, known(entry)));
            }
        }
        if let Some(hop) = case.hops.first() {
            self.the_request(case, hop, say);
        }
    }

    fn preflight(&self, case: &Case<'_>, hop: &Hop, say: Say<'_>) {
        let Origin::PreFlight(_, asked) = &hop.origin else { return };
        let learn_path = self.trace.learn_path.as_deref().unwrap_or_default();
        if asked.path != learn_path {
            say("LN-02", format!("{} was asked at {}, not at {learn_path}", hop.cell, asked.path));
        }
        if hop.request.method.as_bytes() != b"GET" {
            say("LN-01", format!("{} received the pre-flight by {}", hop.cell, hop.request.method));
        }
        // Of simultaneous requests for one path, it may be about any.
        let is_about = |other: &&Case<'_>| {
            let is_open =
                other.request.sent < hop.at && other.ended().is_none_or(|end| end > hop.at);
            is_open && other.path == case.path
        };
        let mut about = self.cases.iter().filter(is_about).chain([case]);
        let has_method = about.any(|it| asked.method.as_deref() == Some(&it.request.method));
        if !has_method || !asked.others.is_empty() {
            say("LN-03", format!("the pre-flight was {}", hop.request.target));
        }
        // A target that cells receive in another form is wrong by itself (Z-13), and asked about
        // rightly.
        let mut right = case.hops.iter().map(|hop| hop.path()).chain([case.request.path()]);
        if !right.any(|path| asked.path_info.as_deref() == Some(path)) {
            let requirement = if case.is_odd { "Z-12" } else { "LN-03" };
            say(requirement, format!("the pre-flight was {}", hop.request.target));
        }
        if hop.read.as_ref().is_some_and(|(_, body)| body.length > 0) {
            say("LN-11", format!("the pre-flight to {} has a body", hop.cell));
        }
        if let Some(name) = credential(hop) {
            say("Z-11", format!("the pre-flight to {} has the field {name}", hop.cell));
        }
        self.cold_pick(case, hop, "LN-17", say);
    }

    /// The request goes where a cell said: now, to another request, or within the lifetime of an
    /// entry. Where no cell knows an owner, it stays in the region or goes to the latest (Z-34).
    fn the_request(&self, case: &Case<'_>, hop: &Hop, say: Say<'_>) {
        // Misses that are under way for one path may share a pre-flight (contract).
        let about = |other: &&Hop| {
            matches!(&other.origin, Origin::PreFlight(user, asked) if *user == case.user
                || asked.path_info.as_deref() == Some(case.request.path()))
        };
        let heard = self.trace.hops.iter().filter(about).filter_map(|hop| hop.response.as_ref());
        let heard = heard.filter(|(at, _)| *at > case.request.sent && *at < hop.at);
        let heard: Vec<_> = heard.map(|(_, response)| learned(response)).collect();
        let mut permitted: BTreeSet<_> = heard.iter().filter_map(|said| self.owner(said)).collect();
        let covering = self.covering(case, hop.at);
        let mut deciding = self.deciding(case, &covering);
        // A router may tell methods apart (LN-21).
        if deciding.certain.is_some_and(|entry| entry.about.1 != case.request.method) {
            deciding = Deciding { may: &covering, certain: None, others: &[] };
        }
        let live = deciding.may.iter().filter(|(_, sure)| *sure != Sure::Expired);
        permitted.extend(live.map(|(entry, _)| &entry.cell));
        // "For `/` no pre-flight is needed."; "if none is reachable, asking elsewhere is allowed".
        if heard.contains(&Learned::Nobody) || case.path == "/" {
            let region =
                self.installation.of_region(case.region).chain([&self.installation.latest]);
            let elsewhere = self.installation.cells.iter().filter(|_| self.is_cut_off(case));
            permitted.extend(region.chain(elsewhere));
        }
        if permitted.contains(&hop.cell) || case.is_odd || case.internal == Some(Internal::Learn) {
            return;
        }
        let usual = match heard.first() {
            None => "LN-01",
            Some(Learned::Nobody) => "Z-34",
            Some(_) => "LN-18",
        };
        let expected = match permitted.is_empty() {
            true => "a pre-flight is expected first".to_owned(),
            false => format!("{} is expected", listed(permitted)),
        };
        let requirement = deciding.overruled(&hop.cell);
        let requirement = requirement.unwrap_or_else(|| self.blame(case, hop, usual));
        say(requirement, format!("sent to {}; {expected}", hop.cell));
    }

    /// A cold pick is a cell of the region, while one of them can be reached (RG-01).
    fn cold_pick(&self, case: &Case<'_>, hop: &Hop, usual: &'static str, say: Say<'_>) {
        let region: Vec<_> = self.installation.of_region(case.region).collect();
        let is_permitted = region.contains(&&hop.cell) || self.is_cut_off(case) || case.is_odd;
        if !is_permitted {
            let requirement = if usual == "LN-17" { usual } else { self.blame(case, hop, usual) };
            let why = format!(
                "asked {} first; no entry covers it, so {} is expected",
                hop.cell,
                listed(region)
            );
            say(requirement, why);
        }
    }

    /// Whether no cell of the region is sure to be reachable.
    fn is_cut_off(&self, case: &Case<'_>) -> bool {
        self.installation.of_region(case.region).all(|cell| case.troubled.contains(cell))
    }

    /// After a bounce the request goes to the cell that it names (BF-03). Otherwise a request that
    /// a cell has read is not sent again (decision A-75): LN-10 and Z-17, unless its method is
    /// idempotent and no byte of a response came (LN-25, Z-52). What a cell says after the request
    /// was sent again, to a connection that nobody reads perhaps, is no reason for it.
    fn sent_again(&self, case: &Case<'_>, say: Say<'_>) {
        let mut followed = BTreeSet::new();
        for (number, next) in case.hops.iter().enumerate().skip(1) {
            let heard = |hop: &&Hop| hop.response.as_ref().is_some_and(|(at, _)| *at < next.at);
            let before = case.hops[..number].iter().copied().rev();
            let leads_there = |hop: &Hop| {
                // Whether a learning router follows a bounce is not judged (decision A-35).
                matches!(given(hop).map(said), Some(Said::Bounce(name)) if is_called(&next.cell, &name))
            };
            let mut bounces = before.filter(heard).filter(|hop| !followed.contains(&hop.id));
            if let Some(bounce) = bounces.find(|hop| leads_there(hop)) {
                followed.insert(bounce.id);
                continue;
            }
            let last = case.hops[number - 1];
            let (cell, next) = (&last.cell, &next.cell);
            match Some(last).filter(heard).filter(|hop| is_whole(hop)).and_then(given).map(said) {
                Some(Said::Bounce(name)) => {
                    // A router that takes a cell for another with a name like it.
                    let other = next.name();
                    let is_alike = other.starts_with(&name) || name.starts_with(&other);
                    let requirement = if is_alike { "BF-10" } else { "BF-03" };
                    say(requirement, format!("{cell} pointed to {name}, not to {next}"));
                }
                Some(Said::UnreadableBounce) => {
                    say(
                        "Z-35",
                        format!("{cell} sent an unreadable redirect, and {next} was asked"),
                    );
                }
                Some(Said::Final) | None => {
                    let has_begun = Some(last).filter(heard).is_some_and(has_begun);
                    let is_learning = self.installation.protocol == Protocol::Learning;
                    let requirement = row_of_again(is_learning, &case.request.method, has_begun);
                    say(requirement, format!("sent to {next} after {cell} had read it"));
                }
            }
        }
    }

    /// The sentence that a router breaks by sending the request to this cell. If something that a
    /// cell said explains the choice, it is the sentence about what the router must have
    /// remembered.
    fn blame(&self, case: &Case<'_>, hop: &Hop, usual: &'static str) -> &'static str {
        let learning = self.installation.protocol == Protocol::Learning;
        let heard = || {
            let entries = self.entries_of(case).heard(hop.at);
            entries.filter(|entry| entry.generation == case.generation && entry.cell == hop.cell)
        };
        // In learning, a request to nobody's place goes to any cell.
        let nobody = self
            .entries_of(case)
            .heard(hop.at)
            .find(|entry| learning && entry.banned == Some("Z-34") && entry.covers(&case.path));
        // A router that forgot may pick any cell, also one that announced nothing.
        let forgot = matches!(usual, "CA-03" | "RT-09");
        let about = heard().filter(|entry| {
            entry.covers(&case.path) && !(forgot && matches!(entry.banned, Some("CA-04" | "CA-18")))
        });
        let about = about.chain(nobody);
        let explained = about.max_by_key(|entry| entry.said).map(|entry| match entry.banned {
            Some(banned) => banned,
            None if usual == "RT-09" => usual,
            None if entry.replaced.is_some_and(|replaced| replaced < case.request.sent) => "Z-38",
            None if learning => "LN-13",
            None => usual,
        });
        let elsewhere = || {
            let mut beside = heard().filter(|entry| !entry.covers(&case.path));
            Some(match beside.find(|entry| entry.banned.is_none())? {
                entry if entry.exact => "LN-06",
                _ if learning => "CA-07",
                _ => "CA-06",
            })
        };
        explained.or_else(elsewhere).unwrap_or(usual)
    }

    /// Which of the entries that cover a path may decide. While the cell of one that may decide
    /// cannot be reached, or after one that has expired, a router may go on as if it knew nothing.
    fn deciding<'c>(&self, case: &Case<'_>, covering: &'c [(&'c Entry, Sure)]) -> Deciding<'c> {
        let nothing_sure = Deciding { may: covering, certain: None, others: &[] };
        let certain = covering.iter().position(|(_, sure)| *sure == Sure::Certain);
        let Some(index) = certain.filter(|_| !case.is_odd) else { return nothing_sure };
        let (may, others) = covering.split_at(index + 1);
        let is_no_help = |(entry, sure): &(&Entry, Sure)| {
            *sure == Sure::Expired || case.troubled.contains(&entry.cell)
        };
        if may.iter().any(is_no_help) {
            return nothing_sure;
        }
        Deciding { may, certain: Some(may[index].0), others }
    }
}

/// The row by which a request that a cell has read is not sent again. Its method may be idempotent
/// (RFC 9110 9.2.2), and a response may have begun.
pub(in crate::judge) fn row_of_again(
    is_learning: bool,
    method: &str,
    has_begun: bool,
) -> &'static str {
    let is_idempotent = matches!(method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE");
    match (is_learning, is_idempotent && !has_begun) {
        (true, false) => "LN-10",
        (true, true) => "LN-25",
        (false, false) => "Z-17",
        (false, true) => "Z-52",
    }
}

/// Which entries may decide where a request goes.
struct Deciding<'c> {
    /// The entries that may decide. The first one does if the router has it.
    may: &'c [(&'c Entry, Sure)],
    /// The last of these entries, if the router certainly has it and can follow it: then one of
    /// these entries must decide.
    certain: Option<&'c Entry>,
    /// The entries that are overruled by it.
    others: &'c [(&'c Entry, Sure)],
}

impl Deciding<'_> {
    fn permits(&self, cell: &CellId) -> bool {
        self.may.iter().any(|(entry, _)| entry.cell == *cell)
    }

    /// What is violated by a router that follows an overruled entry to this cell.
    fn overruled(&self, cell: &CellId) -> Option<&'static str> {
        let is_followed =
            |(entry, sure): &&(&Entry, Sure)| entry.cell == *cell && *sure != Sure::Expired;
        let (entry, _) = self.others.iter().find(is_followed)?;
        let is_longer = self.certain.is_some_and(|it| !it.exact && it.path != entry.path);
        Some(if is_longer { "CA-10" } else { "Z-38" })
    }
}

fn known(entry: &Entry) -> String {
    let path = if entry.path.is_empty() { "/" } else { &entry.path };
    format!("the router knows that {path} belongs to {} (request {})", entry.cell, entry.user + 1)
}
