//! What cells received of a request, and what its user received.

use cell_fleet::{Field, Protocol, ResponseSeen, wire};

use super::{Case, Learnt, Model, Said, Say, given, is_whole, learnt, listed, said};
use crate::action::Action;
use crate::judge::{REFUSALS, copy_differs, says_of_cells};
use crate::trace::field_lines::lines;
use crate::trace::{Hop, ReceivedResponse, relay};

/// So long is a cookie that only its browser can have.
const SECRET: usize = 20;

impl Model<'_> {
    /// Each cell received what the user sent, and nothing beyond.
    pub(super) fn copies(&self, case: &Case<'_>, say: Say<'_>) {
        let sent = case.request;
        for (number, hop) in case.hops.iter().enumerate() {
            let (cell, came) = (&hop.cell, &hop.request);
            if came.method.as_bytes() != sent.method.as_bytes() {
                say("BF-05", format!("{cell} received the method {}", came.method));
            }
            // A target in absolute form may travel in origin form (Z-42).
            if came.target != sent.target && sent.target.as_bytes().starts_with(b"/") {
                let requirement = if number > 0 { "BF-06" } else { "Z-13" };
                say(requirement, format!("{cell} received the target {}", came.target));
            }
            if let Some((_, body)) =
                hop.read.as_ref().filter(|(_, it)| it.digest != sent.body.digest)
            {
                let (length, got) = (sent.body.length, body.length);
                let requirement = if got < length && number == 0 { "Z-61" } else { "BF-04" };
                say(
                    requirement,
                    format!("{cell} received {got} bytes of {length} as a whole body"),
                );
            }
            let is_theirs = |field: &&Field| !wire::INTERNAL.iter().any(|name| field.is(name));
            let carried: Vec<_> = sent.fields.iter().filter(is_theirs).cloned().collect();
            if let Some(why) = copy_differs(&carried, hop) {
                say("Z-46", format!("at {cell}: {why}"));
            }
            let has = |fields: &[Field], name| fields.iter().any(|field| field.is(name));
            for name in wire::INTERNAL.into_iter().filter(|name| has(&came.fields, name)) {
                let forged = has(&sent.fields, name);
                say(if forged { "Z-04" } else { "Z-72" }, format!("{cell} received {name}"));
            }
            for cookie in lines(&came.fields, "Cookie").iter().flat_map(|line| line.split(';')) {
                if let Some(requirement) = self.is_foreign(case, cookie.trim()) {
                    say(requirement, format!("{cell} received the cookie {cookie}"));
                }
            }
        }
    }

    /// Whether a cookie that cannot be guessed was set, but never in a response that this user
    /// received (Z-74, Z-60).
    fn is_foreign(&self, case: &Case<'_>, cookie: &str) -> Option<&'static str> {
        if cookie.len() < SECRET {
            return None;
        }
        let sets = |hop: &&Hop| set_cookies(hop).iter().any(|set| set == cookie);
        let mut found = None;
        for other in &self.cases {
            let is_theirs = other.request.person == case.request.person;
            let last = other.hops.last().map(|hop| hop.id);
            for hop in other.all_hops().filter(sets) {
                if is_theirs && Some(hop.id) == last {
                    return None;
                }
                found = if is_theirs { Some("Z-60") } else { found.or(Some("Z-74")) };
            }
        }
        found
    }

    /// The user receives the owner's response (RT-08), or a refusal where one is permitted.
    pub(super) fn response(&self, case: &Case<'_>, say: Say<'_>) {
        // A user who has left, or whose router stopped, is owed nothing.
        let Some(end) = &case.request.response else { return };
        if self.broke_off(case) {
            return;
        }
        let mut absences = self.facts.absences.iter();
        if absences.any(|(region, span)| region == case.region && span.meets(case.span)) {
            return;
        }
        let last = case.hops.last().copied();
        // What comes after its user had a response was not waited for (contract, *Limits*).
        let answer = last.and_then(|hop| hop.response.as_ref()).filter(|(at, _)| *at < end.at);
        let answer = answer.map(|(_, response)| response);
        let whole = last.is_some_and(is_whole);
        let got = match &end.got {
            Ok(got) => got,
            // A router may close a connection after any of the requests on it (Z-43).
            Err(_) if self.follows_another(case) => return,
            Err(why) => {
                let broken = last.is_some() && !whole || !case.troubled.is_empty();
                // "or the connection is reset, as long as no cell has got anything"
                if self.is_too_large(case) && last.is_some() && !broken {
                    say("Z-20", format!("the user got no response: {why}"));
                } else if !self.is_too_large(case) && !broken {
                    say("RT-08", format!("the user got no response: {why}"));
                }
                return;
            }
        };
        self.discreet(case, got, answer, say);
        let refused = REFUSALS.contains(&got.status);
        match answer {
            Some(answer) if self.is_final(answer) => {
                let unchanged = self.trace.differences(answer, got);
                if whole && !unchanged.is_empty() {
                    let is_unknown = answer.status == 404 && self.is_nobodys(case);
                    say(
                        if is_unknown { "UN-08" } else { "RT-08" },
                        format!("the response was changed: {}", unchanged.join("; ")),
                    );
                }
                if !whole && relay::differences(answer, got).is_empty() {
                    say("Z-41", "a response that broke off looks complete to the user".to_owned());
                }
                let owners = self.facts.owners(&case.path, case.span);
                let cell = last.map(|hop| &hop.cell).filter(|cell| !owners.contains(cell));
                if let Some(cell) = cell
                    && (200..300).contains(&answer.status)
                    && !owners.is_empty()
                {
                    say("RT-07", format!("{cell} responded; {} owns the path", listed(owners)));
                }
            }
            // "A larger one receives 413", also where it cannot be sent again after a bounce.
            _ if got.status == 413 && self.is_too_large(case) => {}
            _ if got.status == 413 => {
                let (length, most) = (case.request.body.length, self.facts.max_body);
                say("BF-04", format!("the user received 413 for {length} bytes of {most}"));
            }
            Some(bounce) => self.bounced(case, bounce, got.status, say),
            None if refused && (last.is_some() || self.may_refuse(case)) => {}
            None if got.status == 400 && case.is_odd => {}
            None if got.status == 404 && self.is_nobodys(case) => {
                say("UN-08", "no cell made the 404".to_owned());
            }
            None => say(self.unexplained(case, got), format!("no cell sent the {}", got.status)),
        }
    }

    /// Nothing that is between cells and routers reaches the user (RT-12).
    fn discreet(
        &self,
        case: &Case<'_>,
        got: &ReceivedResponse,
        answer: Option<&ResponseSeen>,
        say: Say<'_>,
    ) {
        for (name, requirement) in wire::INTERNAL.into_iter().zip(["BF-03", "Z-03"]) {
            if got.fields.iter().any(|field| field.is(name)) {
                say(requirement, format!("the user received {name}"));
            }
        }
        let own = answer.map_or_else(Vec::new, |answer| cookies(&answer.fields));
        for cookie in cookies(&got.fields).iter().filter(|cookie| !own.contains(cookie)) {
            if let Some(hop) = case.all_hops().find(|hop| set_cookies(hop).contains(cookie)) {
                let is_bounce = case.hops.iter().any(|it| it.id == hop.id);
                let requirement = if is_bounce { "Z-60" } else { "Z-73" };
                say(requirement, format!("the user received a cookie of {}: {cookie}", hop.cell));
            }
        }
        if case.path.starts_with("/admin") {
            return;
        }
        let theirs = |field: &&Field| {
            !wire::INTERNAL.iter().any(|name| field.is(name))
                && answer.is_none_or(|answer| {
                    !lines(&answer.fields, &field.name.to_string())
                        .contains(&field.value.to_string())
                })
        };
        let added = got.fields.iter().filter(theirs);
        let body = if answer.is_none() { got.body.text() } else { String::new() };
        // A trace without a list of cells shows no name of one.
        if let Ok(Some(why)) = says_of_cells(self.trace, case.request, added, &body) {
            say(if answer.is_none() { "Z-58" } else { "RT-12" }, why);
        }
    }

    /// Whether a pre-flight found that no cell owns the path.
    fn is_nobodys(&self, case: &Case<'_>) -> bool {
        case.preflights.iter().any(|hop| given(hop).map(learnt) == Some(Learnt::Nobody))
    }

    fn is_final(&self, response: &ResponseSeen) -> bool {
        self.facts.protocol == Protocol::Learning || said(response) == Said::Final
    }

    /// The chain ended with a bounce: the router had to follow it, or could not (Z-02, Z-35).
    fn bounced(&self, case: &Case<'_>, bounce: &ResponseSeen, status: u16, say: Say<'_>) {
        let next = match said(bounce) {
            Said::Bounce(name) => self.called(&name),
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
            say("BF-03", format!("the user received {status}, and {next} was not asked"));
        }
    }

    /// Whether a router may refuse what no cell has read: a cell that it needs is in trouble, or a
    /// learn response left it nowhere to go (contract, *Learning on the wire*).
    fn may_refuse(&self, case: &Case<'_>) -> bool {
        let covering = self.covering(case, case.decided());
        let named = covering.iter().map(|(entry, _)| &entry.cell);
        let heard: Vec<_> = case.preflights.iter().map(|hop| given(hop).map(learnt)).collect();
        let nowhere = heard.iter().any(|heard| match heard {
            Some(Learnt::Owner { path, cell, exact }) => {
                !super::facts::covers(path, *exact, &case.path) || self.called(cell).is_none()
            }
            Some(Learnt::Nobody) => false,
            Some(Learnt::Unreadable) | None => true,
        });
        let owners = heard.iter().flatten().filter_map(|heard| self.owner(heard));
        let picked = self.facts.of_region(case.region).chain([&self.facts.latest]);
        let mut needed = named.chain(owners).chain(picked);
        // Another spelling may have led to any cell (decision A-18).
        nowhere
            || case.is_odd && !case.troubled.is_empty()
            || needed.any(|cell| case.troubled.contains(cell))
    }

    /// Which sentence a response breaks that no cell sent.
    fn unexplained(&self, case: &Case<'_>, got: &ReceivedResponse) -> &'static str {
        let earlier =
            self.trace.hops.iter().filter(|hop| hop.request.target == case.request.target);
        let mut earlier = earlier.filter(|hop| hop.at < case.request.sent).filter_map(given);
        let mut before = self.facts.troubles.iter().filter(|(_, span)| span.to < case.span.from);
        let refused = REFUSALS.contains(&got.status);
        match () {
            () if case.hops.last().is_some() => "Z-35",
            () if refused && before.next().is_some() => "Z-16",
            () if earlier.any(|given| given.body.digest == got.body.digest && !refused) => "CA-17",
            () => "RT-08",
        }
    }

    /// Whether the user ended the connection within the body. After a whole request, a response is
    /// owed (Z-45).
    fn broke_off(&self, case: &Case<'_>) -> bool {
        let Some(Action::RawBytes { half_close: true, text, .. }) =
            self.trace.action_of(case.request)
        else {
            return false;
        };
        let mut lengths = text.lines().filter_map(|line| line.strip_prefix("Content-Length: "));
        let is_short = |length: &str| length.parse().is_ok_and(|it| case.request.body.length < it);
        lengths.any(is_short) || text.contains("chunked\n") && !text.contains("\n0\n")
    }

    fn follows_another(&self, case: &Case<'_>) -> bool {
        let before = case.user.checked_sub(1).map(|before| &self.trace.users[before]);
        matches!(self.trace.action_of(case.request), Some(Action::RawBytes { .. }))
            && before.is_some_and(|before| before.phase == case.request.phase)
    }

    /// Only buffering knows a limit (contract, *Limits*).
    pub(super) fn is_too_large(&self, case: &Case<'_>) -> bool {
        case.request.body.length > self.facts.max_body
    }
}

/// The cookies that field lines set, without their attributes.
fn cookies(fields: &[Field]) -> Vec<String> {
    let lines = lines(fields, "Set-Cookie");
    let pair = |line: &String| line.split(';').next().unwrap_or_default().trim().to_owned();
    lines.iter().map(pair).collect()
}

fn set_cookies(hop: &Hop) -> Vec<String> {
    given(hop).map_or_else(Vec::new, |response| cookies(&response.fields))
}
