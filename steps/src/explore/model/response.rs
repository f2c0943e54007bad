//! What cells received of a request, and what its user received.

use cell_fleet::Protocol;

use super::{Case, Learnt, Model, Said, is_called, is_whole, learnt, said};
use crate::trace::relay;

/// The statuses of a refusal (contract, *Limits*).
const REFUSALS: [u16; 4] = [502, 503, 504, 508];

impl Model<'_> {
    /// Each cell received what the user sent (BF-04 to BF-06, Z-13).
    pub(super) fn copies(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        for hop in &case.hops {
            let (sent, came) = (case.request, &hop.request);
            if came.method.as_bytes() != sent.method.as_bytes() {
                say("BF-05", format!("{} received the method {}", hop.cell, came.method));
            }
            let absolute = !sent.target.as_bytes().starts_with(b"/");
            if came.target != sent.target && !absolute {
                say("BF-06", format!("{} received the target {}", hop.cell, came.target));
            }
            if let Some((_, body)) = &hop.read
                && body.digest != sent.body.digest
            {
                let (sent, got) = (sent.body.length, body.length);
                say(
                    "BF-04",
                    format!("{} received {got} bytes of {sent}, as a whole body", hop.cell),
                );
            }
            for name in ["X-Gitlab-Cell-Redirect", "X-Gitlab-Cell-Cache"] {
                let added = came.fields.iter().any(|field| field.is(name));
                if added && !sent.fields.iter().any(|field| field.is(name)) {
                    say("Z-72", format!("{} received the field {name}", hop.cell));
                }
            }
        }
    }

    /// The user receives the owner's response (RT-08), or a refusal where one is permitted.
    pub(super) fn response(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        // A user who has left, or whose router stopped, is owed nothing.
        let Some(end) = &case.request.response else { return };
        if self.facts.is_stopped(case.region, case.span) {
            return;
        }
        let last = case.hops.last();
        let given = last.and_then(|hop| hop.response.as_ref()).map(|(_, response)| response);
        let whole = last.is_some_and(|hop| is_whole(hop));
        let got = match &end.got {
            Ok(got) => got,
            Err(why) => {
                let broken = last.is_some() && !whole || !case.troubled.is_empty();
                if !broken && !self.is_too_large(case) {
                    say("RT-08", format!("the user got no response: {why}"));
                }
                return;
            }
        };
        if got.fields.iter().any(|field| field.is("X-Gitlab-Cell-Redirect")) {
            say("BF-03", "the user received X-Gitlab-Cell-Redirect".to_owned());
        }
        if got.fields.iter().any(|field| field.is("X-Gitlab-Cell-Cache")) {
            say("Z-03", "the user received X-Gitlab-Cell-Cache".to_owned());
        }
        let refused = REFUSALS.contains(&got.status);
        match given {
            Some(given) if self.is_final(given) => {
                let unchanged = self.trace.differences(given, got);
                if whole && !unchanged.is_empty() && !(refused && case.has_trouble()) {
                    say("RT-08", format!("the response was changed: {}", unchanged.join("; ")));
                }
                if !whole && relay::differences(given, got).is_empty() {
                    say("Z-41", "a response that broke off looks complete to the user".to_owned());
                }
                self.is_of_the_owner(case, say);
            }
            Some(given) => self.bounced(case, given, got.status, say),
            None => {
                let excused = refused && (case.has_trouble() || last.is_some());
                let too_large = self.is_too_large(case) && got.status == 413;
                let no_target = case.has_other_spellings() && got.status == 400;
                if !(excused || too_large || no_target || self.may_refuse(case, refused)) {
                    let requirement = if last.is_some() { "Z-35" } else { "RT-08" };
                    say(
                        requirement,
                        format!("the user received {}, which no cell sent", got.status),
                    );
                }
            }
        }
    }

    fn is_final(&self, response: &cell_fleet::ResponseSeen) -> bool {
        self.facts.protocol == Protocol::Learning || matches!(said(response), Said::Final { .. })
    }

    /// The chain ended with a bounce: the router had to follow it, or could not (Z-35, Z-02).
    fn bounced(
        &self,
        case: &Case<'_>,
        given: &cell_fleet::ResponseSeen,
        status: u16,
        say: &mut dyn FnMut(&'static str, String),
    ) {
        let next = match said(given) {
            Said::Bounce(name) => self.facts.cells.iter().find(|cell| is_called(cell, &name)),
            Said::UnreadableBounce | Said::Final { .. } => None,
        };
        let Some(next) = next else {
            if !REFUSALS.contains(&status) {
                say("Z-35", format!("a bounce to no known cell became {status}"));
            }
            return;
        };
        // "Three must work"; a chain that reaches one cell twice may end (contract, *Limits*).
        let may_end = case.hops.len() >= 3 || case.hops.iter().any(|hop| hop.cell == *next);
        // A body beyond the limit went to the cell of an entry as it came, and is gone.
        if status == 413 && self.is_too_large(case) {
            return;
        }
        if !(REFUSALS.contains(&status) && (may_end || case.troubled.contains(next))) {
            say("BF-03", format!("the user received {status}, and {next} was not asked"));
        }
    }

    /// A learn response may have left the router nowhere to go.
    fn may_refuse(&self, case: &Case<'_>, refused: bool) -> bool {
        let unreadable = |hop: &&&crate::trace::Hop| match &hop.response {
            Some((_, response)) => match learnt(response) {
                Learnt::Unreadable => true,
                Learnt::Owner { cell, .. } => {
                    !self.facts.cells.iter().any(|known| is_called(known, &cell))
                }
                Learnt::Nobody => false,
            },
            None => true,
        };
        refused && case.preflights.iter().any(|hop| unreadable(&hop))
    }

    pub(super) fn is_too_large(&self, case: &Case<'_>) -> bool {
        self.facts.protocol == Protocol::Buffering && case.request.body.length > self.facts.max_body
    }

    /// The cell that responded owns the path, unless a learnt entry may be stale (TD-03).
    fn is_of_the_owner(&self, case: &Case<'_>, say: &mut dyn FnMut(&'static str, String)) {
        let Some(owners) = self.facts.owners(&case.path, case.span) else { return };
        let Some(last) = case.hops.last() else { return };
        // For a signed-out visit, the cell asked first may redirect to sign-in (BF-15).
        if last.response.as_ref().is_some_and(|(_, given)| (300..400).contains(&given.status)) {
            return;
        }
        let cell = &last.cell;
        let stale = self.facts.protocol == Protocol::Learning
            && case
                .memory
                .covering(&self.question(case), self.limits())
                .iter()
                .any(|(entry, _)| entry.cell == *cell && entry.taught_by != case.user);
        if !owners.contains(cell) && !stale {
            say("RT-07", format!("{cell} responded; {} owns the path", super::listed(&owners)));
        }
    }
}

impl Case<'_> {
    /// Whether a cell that the request may need is in trouble.
    fn has_trouble(&self) -> bool {
        !self.troubled.is_empty()
    }
}
