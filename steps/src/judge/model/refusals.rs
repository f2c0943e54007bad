//! What the user receives: the owner's response, or a refusal of the router.

use cell_fleet::{Protocol, ResponseSeen};

use super::Model;
use super::by_hand::ByHand;
use super::exchange::{
    Case, Internal, Learned, Said, Say, given, is_plain_bounce, is_whole, learned, learned_from,
    listed, row_of_source, said,
};
use super::forwarding;
use super::installation::covers;
use crate::judge::{REFUSALS, repeated};
use crate::trace::ReceivedResponse;

impl Model<'_> {
    /// The user receives the owner's response (RT-08), or a refusal where one is permitted.
    pub(super) fn response(&self, case: &Case<'_>, say: Say<'_>) {
        // A user who has left, or whose router stopped, is owed nothing.
        let Some(end) = &case.request.response else { return };
        if case.broke_off(self.trace) {
            return;
        }
        let mut absences = self.installation.absences.iter();
        if absences.any(|(region, span)| region == case.region && span.meets(case.span)) {
            return;
        }
        let last = case.hops.last().copied();
        // What comes after its user had a response was not waited for (contract, *Limits*).
        let answer = last.and_then(|hop| hop.response.as_ref()).filter(|(at, _)| *at < end.at);
        let answer = answer.map(|(_, response)| response);
        let whole = last.is_some_and(is_whole);
        if answer.is_none() && case.is_old(self.trace) {
            return;
        }
        let got = match &end.got {
            Ok(got) => got,
            // A router may close a connection after any of the requests on it (Z-43).
            Err(_) if case.follows_another(self.trace) => return,
            Err(_) if case.half_closed(self.trace) => return,
            Err(_) if may_be_rejected(case) => return,
            Err(why) => {
                let broken = last.is_some() && !whole || !case.troubled.is_empty();
                // "or the connection is reset, as long as no cell has got anything"
                if self.installation.is_too_large(case) && last.is_some() && !broken {
                    say("Z-20", format!("the user got no response: {why}"));
                } else if !self.installation.is_too_large(case) && !broken {
                    // Whoever waits to be asked for the body waits forever (RFC 9110 10.1.1).
                    let requirement = if case.waits(self.trace) { "Z-21" } else { "RT-08" };
                    say(requirement, format!("the user got no response: {why}"));
                }
                return;
            }
        };
        let is_learn = case.internal == Some(Internal::Learn);
        if is_learn && matches!(learned_from(got.status, &got.body), Learned::Owner { .. }) {
            say("Z-10", "the user received what a pre-flight is told".to_owned());
            if answer.is_none() {
                return;
            }
        }
        forwarding::discreet(self.trace, case, answer, got, say);
        let refused = REFUSALS.contains(&got.status);
        if answer.is_none() && (refused || last.is_none() && got.status >= 400) {
            repeated(got).into_iter().for_each(|why| say("Z-99", why));
        }
        let learning = self.installation.protocol == Protocol::Learning;
        match answer {
            Some(answer) if forwarding::contradicts_itself(answer) => {
                if !refused {
                    let why = "a response with two lengths was passed on";
                    say("Z-49", why.to_owned());
                }
            }
            Some(answer) if learning || said(answer) == Said::Final => {
                forwarding::unchanged(self.trace, case, (answer, whole), got, say);
                if let Some(hop) = last.filter(|_| (200..300).contains(&answer.status)) {
                    // A cell knows the target as it came, which may be another than the user's
                    // (Z-13).
                    let came = String::from_utf8_lossy(hop.path());
                    let owners = self.installation.owners(&came, case.span);
                    if !owners.is_empty() && !owners.contains(&hop.cell) {
                        let why =
                            format!("{} responded; {} owns the path", hop.cell, listed(owners));
                        say("RT-07", why);
                    }
                }
            }
            // Pre-flights are for routers: any refusal is right (decision A-78).
            None if is_learn && got.status >= 400 => {}
            // "A larger one receives 413", also where it cannot be sent again after a bounce.
            _ if got.status == 413 && self.installation.is_too_large(case) => {}
            _ if got.status == 413 => {
                let (length, most) = (case.request.body.length, self.installation.max_body);
                say("BF-04", format!("the user received 413 for {length} bytes of {most}"));
            }
            Some(bounce) => self.bounced(case, bounce, got.status, say),
            None if refused && (last.is_some() || self.may_refuse(case)) => {}
            None if got.status == 400 && case.is_odd => {}
            None if matches!(got.status, 400..=431 | 501) && may_be_rejected(case) => {}
            None if refused && has_idle_content(case) => {}
            // What the cell sent instead is no response.
            None if got.status < 400
                && last.is_some_and(|hop| case.troubled.contains(&hop.cell)) =>
            {
                say("Z-48", format!("no cell sent the {}", got.status));
            }
            None if got.status == 404 && (case.is_nobodys() || case.internal.is_some()) => {
                say("UN-08", "no cell made the 404".to_owned());
            }
            // A method that a router does not know (RFC 9110 16.1); parsers take it for malformed.
            None if matches!(got.status, 400..=499 | 501) && !is_standard(&case.request.method) => {
                say("Z-98", format!("no cell sent the {}", got.status));
            }
            None => say(self.unexplained(case, got), format!("no cell sent the {}", got.status)),
        }
    }

    /// The chain ended with a bounce: the router had to follow it, or could not (Z-02, Z-35).
    fn bounced(&self, case: &Case<'_>, bounce: &ResponseSeen, status: u16, say: Say<'_>) {
        let next = match said(bounce) {
            Said::Bounce(name) => self.installation.called(&name),
            Said::UnreadableBounce | Said::Final => None,
        };
        let refused = REFUSALS.contains(&status);
        let Some(next) = next else {
            if !refused {
                say("Z-35", format!("a bounce to no known cell became {status}"));
            }
            return;
        };
        // "Three must work"; a chain that reaches one cell twice may end (contract, *Limits*).
        let may_end = case.hops.len() >= 3 || case.hops.iter().any(|hop| hop.cell == *next);
        if !(refused && (may_end || case.troubled.contains(next))) {
            // A router that cannot read another form of the field does not follow it.
            let requirement = if is_plain_bounce(bounce, next) { "BF-03" } else { "BF-10" };
            say(requirement, format!("the user received {status}, and {next} was not asked"));
        }
    }

    /// Whether a router may refuse what no cell has read: a cell that it needs is in trouble, or a
    /// learn response left it nowhere to go (contract, *Learning on the wire*).
    fn may_refuse(&self, case: &Case<'_>) -> bool {
        let covering = self.covering(case, case.decided());
        let named = covering.iter().map(|(entry, _)| &entry.cell);
        let heard: Vec<_> = case.preflights.iter().map(|hop| given(hop).map(learned)).collect();
        let nowhere = heard.iter().any(|heard| match heard {
            // "Whether such a request is sent or refused is left open" (*What an entry covers*).
            Some(Learned::Owner { path, cell, exact }) => {
                path.is_empty()
                    || !covers(path, *exact, &case.path)
                    || self.installation.called(cell).is_none()
            }
            Some(Learned::Nobody) => false,
            Some(Learned::Unreadable) | None => true,
        });
        let owners = heard.iter().flatten().filter_map(|heard| self.owner(heard));
        let picked = self.installation.of_region(case.region).chain([&self.installation.latest]);
        let mut needed = named.chain(owners).chain(picked);
        // Another spelling may have led to any cell (decision A-18).
        nowhere
            || case.is_odd && !case.troubled.is_empty()
            || needed.any(|cell| case.troubled.contains(cell))
    }

    /// The sentence that is broken by a response which no cell sent.
    fn unexplained(&self, case: &Case<'_>, got: &ReceivedResponse) -> &'static str {
        let earlier =
            self.trace.hops.iter().filter(|hop| hop.request.target == case.request.target);
        let earlier = earlier.filter(|hop| hop.at < case.request.sent).filter_map(given);
        let mut stored =
            earlier.filter(|gave| (gave.status, gave.body.digest) == (got.status, got.body.digest));
        let mut before =
            self.installation.troubles.iter().filter(|(_, span)| span.to < case.span.from);
        let refused = REFUSALS.contains(&got.status);
        // A learn response that the router had, and that says where the request belongs.
        let mut preflights = case.preflights.iter().copied().filter_map(given);
        let heard = |said: &&ResponseSeen| match learned(said) {
            Learned::Owner { .. } => self.owner(&learned(said)).is_some(),
            Learned::Nobody => true,
            Learned::Unreadable => false,
        };
        let heard = preflights.rfind(heard);
        match () {
            () if case.hops.last().is_some() => "Z-35",
            // A refusal was right, with another status.
            () if got.status >= 500 && !refused && self.may_refuse(case) => "Z-35",
            () if refused && before.next().is_some() => "Z-16",
            () if !refused && stored.next().is_some() => "CA-17",
            () if refused => heard.map_or("RT-08", |said| match learned(said) {
                Learned::Nobody => "Z-34",
                _ => row_of_source(said),
            }),
            () => "RT-08",
        }
    }
}

/// Whether a router may take a request for malformed, although one like it is legal.
fn may_be_rejected(case: &Case<'_>) -> bool {
    has_idle_content(case) || case.by_hand.as_ref().is_some_and(ByHand::may_be_refused)
}

/// Whether a request has content that "might lead some implementations to reject" it (RFC 9110
/// 9.3.1, 9.3.2, 9.3.5).
fn has_idle_content(case: &Case<'_>) -> bool {
    let is_idle = matches!(case.request.method.as_str(), "GET" | "HEAD" | "DELETE");
    is_idle && case.request.body.length > 0
}

/// Whether a method is one of RFC 9110 9.3, or PATCH, by which clients of GitLab write.
fn is_standard(method: &str) -> bool {
    ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"]
        .contains(&method)
}
