//! Routes learning: when a cell is asked, and where the one request goes.

use std::collections::BTreeSet;

use super::memory::Sure;
use super::{Case, Learnt, Model, is_called, learnt, listed};
use crate::trace::{Hop, Origin};

impl Model<'_> {
    pub(super) fn learning(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        for hop in &case.preflights {
            self.preflight(case, hop, say);
        }
        // "the request itself is sent exactly once"
        if let [first, second, ..] = case.hops.as_slice() {
            say("LN-10", format!("sent to {} and to {}", first.cell, second.cell));
        }
        if let Some(hop) = case.hops.first() {
            self.the_request(case, hop, say);
        }
        self.needless(case, say);
    }

    fn preflight(&self, case: &Case<'_>, hop: &Hop, say: &mut dyn FnMut(&'static str, String)) {
        let Origin::PreFlight(_, asked) = &hop.origin else { return };
        let learn_path = self.trace.learn_path.as_deref().unwrap_or_default();
        if asked.path != learn_path {
            say("LN-02", format!("{} was asked at {}, not at {learn_path}", hop.cell, asked.path));
        }
        if asked.method.as_deref() != Some(&case.request.method)
            || asked.path_info.as_deref() != Some(case.request.path())
            || !asked.others.is_empty()
        {
            say("LN-03", format!("the pre-flight was {}", hop.request.target));
        }
        if hop.read.as_ref().is_some_and(|(_, body)| body.length > 0) {
            say("LN-11", format!("the pre-flight to {} has a body", hop.cell));
        }
        self.cold_pick(case, &hop.cell, "LN-17", say);
    }

    /// The request goes where a cell said: now, to another request, or within the lifetime of an
    /// entry. Where no cell knows an owner, it stays in the region or goes to the latest (Z-34).
    fn the_request(&self, case: &Case<'_>, hop: &Hop, say: &mut dyn FnMut(&'static str, String)) {
        let asked = self.question(case);
        let mut permitted = BTreeSet::new();
        let mut nobody = case.path == "/";
        for preflight in case.preflights.iter().filter(|preflight| preflight.at < hop.at) {
            match preflight.response.as_ref().map(|(_, response)| learnt(response)) {
                Some(Learnt::Owner { cell, .. }) => {
                    permitted.extend(
                        self.facts.cells.iter().filter(|known| is_called(known, &cell)).cloned(),
                    );
                }
                Some(Learnt::Nobody) => nobody = true,
                Some(Learnt::Unreadable) | None => {}
            }
        }
        // One that is under way for the same path may be shared (contract: single flight).
        let shared = self.trace.hops.iter().filter(|other| {
            matches!(&other.origin, Origin::PreFlight(user, about)
                if *user != case.user && about.path_info.as_deref() == Some(case.request.path()))
                && other.at < hop.at
        });
        for other in shared {
            if let Some((at, response)) = &other.response
                && *at > case.request.sent
                && learnt(response) == Learnt::Nobody
            {
                nobody = true;
            }
        }
        let question = super::memory::Question { decided: hop.at, ..asked };
        let covering = case.memory.covering(&question, self.limits());
        let expired = |entry: &super::Entry| {
            covering
                .iter()
                .any(|(other, sure)| std::ptr::eq(*other, entry) && *sure == Sure::Expired)
        };
        let live = covering.iter().filter(|(entry, _)| !expired(entry));
        permitted.extend(live.map(|(entry, _)| entry.cell.clone()));
        let in_region = self.facts.of_region(case.region);
        if nobody {
            let region = in_region.iter().map(|cell| (*cell).clone());
            permitted.extend(region.chain([self.facts.latest.clone()]));
        }
        if permitted.contains(&hop.cell) || case.has_other_spellings() {
            return;
        }
        let stale = covering.iter().find(|(entry, _)| entry.cell == hop.cell && expired(entry));
        match (stale, permitted.is_empty()) {
            (Some((entry, _)), _) => say(
                "LN-13",
                format!("sent to {} by an entry for {} that had expired", hop.cell, entry.path),
            ),
            (None, true) => match case.memory.elsewhere(&question, &hop.cell) {
                Some(entry) => say(
                    "CA-06",
                    format!(
                        "sent to {} without a pre-flight, as if {} covered it",
                        hop.cell, entry.path
                    ),
                ),
                None => say(
                    "LN-01",
                    format!("sent to {}, although no cell had named an owner", hop.cell),
                ),
            },
            (None, false) if nobody => say(
                "Z-34",
                format!(
                    "no cell knows an owner, and it was sent to {}, not to {}",
                    hop.cell,
                    listed(&permitted)
                ),
            ),
            (None, false) => say(
                "RT-14",
                format!("sent to {}; the cells named {}", hop.cell, listed(&permitted)),
            ),
        }
    }

    /// While an entry certainly lives, no cell is asked (LN-05, LN-21, RT-09).
    fn needless(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        let Some(preflight) = case.preflights.first() else { return };
        let asked = super::memory::Question { decided: preflight.at, ..self.question(case) };
        let covering = case.memory.covering(&asked, self.limits());
        let Some((entry, sure)) = covering.first() else { return };
        let requirement = match sure {
            Sure::Certain if entry.exact => "LN-06",
            Sure::Certain if entry.path != case.path => "CA-08",
            Sure::Certain => "LN-05",
            Sure::ForOtherMethods => "LN-21",
            Sure::Possible | Sure::Expired => return,
        };
        if !case.troubled.contains(&entry.cell) && !case.has_other_spellings() {
            say(
                requirement,
                format!(
                    "{} was asked, although the router knows that {} belongs to {} (request {})",
                    preflight.cell,
                    entry.path,
                    entry.cell,
                    entry.taught_by + 1
                ),
            );
        }
    }
}
