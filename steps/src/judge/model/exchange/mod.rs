//! What happened to each request of a user, put together from the trace, before anything judges it.

mod internal;
mod said;

use std::collections::BTreeSet;

use cell_fleet::{CellId, Region, ResponseSeen, Stamp};

pub(super) use internal::Internal;
pub(super) use said::{
    Learned, Said, is_called, is_plain_bounce, learned, learned_from, prefixes, row_of_source, said,
};

use super::by_hand::ByHand;
use crate::action::{Action, Framing, RequestKind, Until};
use crate::trace::{Gate, Hop, Origin, Phase, Trace, UserRequest};

/// Says what contradicts a requirement.
pub(super) type Say<'s> = &'s mut dyn FnMut(&'static str, String);

/// From one action of the journey to another, both included; 0 is before the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Span {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl Span {
    /// The whole journey.
    pub(crate) const ALWAYS: Self = Self { from: 0, to: usize::MAX };

    /// Whether two spans have an action in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.from <= other.to && other.from <= self.to
    }
}

/// One request of a user to a router, with everything that it caused.
#[derive(Debug)]
pub(super) struct Case<'a> {
    /// The index of the request in the trace.
    pub(super) user: usize,
    pub(super) request: &'a UserRequest,
    pub(super) region: &'a Region,
    /// How often this router was replaced before.
    pub(super) generation: usize,
    pub(super) path: String,
    /// When it was under way.
    pub(super) span: Span,
    pub(super) preflights: Vec<&'a Hop>,
    pub(super) hops: Vec<&'a Hop>,
    /// Cells in trouble meanwhile, and those that this router has not reached since.
    pub(super) troubled: BTreeSet<&'a CellId>,
    /// Whether a cache may see another path in it: RFC 3986 6.2.2 (decision A-18).
    pub(super) is_odd: bool,
    /// What its path has to do with the learn path.
    pub(super) internal: Option<Internal>,
    /// Its bytes, where its user wrote them.
    pub(super) by_hand: Option<ByHand<'a>>,
}

/// The requests to routers in the order in which they were sent. `troubles` says which cells were
/// in trouble, `absences` which routers were replaced.
pub(super) fn cases<'a>(
    trace: &'a Trace,
    troubles: &'a [(CellId, Span)],
    absences: &[(Region, Span)],
) -> Vec<Case<'a>> {
    let mut cases: Vec<Case<'a>> = Vec::new();
    for (user, request) in trace.users.iter().enumerate() {
        let Gate::Router(region) = &request.gate else { continue };
        let about = |hop: &&Hop| matches!(hop.origin, Origin::PreFlight(asker, _) if asker == user);
        let path = String::from_utf8_lossy(request.path()).into_owned();
        let span = span(trace, user, request);
        let replaced = |(of, at): &&(Region, Span)| of == region && at.from < span.from;
        cases.push(Case {
            user,
            request,
            region,
            generation: absences.iter().filter(replaced).count(),
            span,
            preflights: trace.hops.iter().filter(about).collect(),
            hops: trace.hops_of(user).collect(),
            troubled: troubled(&cases, region, request, span, troubles),
            is_odd: request.is_odd(),
            internal: internal::internal(&path, trace.learn_path.as_deref()),
            by_hand: ByHand::in_request(request),
            path,
        });
    }
    cases
}

/// The actions during which a request was under way. One that was begun goes on until another
/// request is sent after its end.
fn span(trace: &Trace, user: usize, request: &UserRequest) -> Span {
    let number = |request: &UserRequest| match request.phase {
        Phase::Setup => 0,
        Phase::Step(step) => step + 1,
    };
    let from = number(request);
    let begins = |action: &Action| {
        matches!(action, Action::Begin { until: Until::Sent | Until::Arrived, .. })
    };
    if !trace.action_of(request).is_some_and(begins) {
        return Span { from, to: from };
    }
    let end = request.response.as_ref().map(|end| end.at);
    let mut later = trace.users[user..].iter().filter(|other| end < Some(other.sent));
    let to = later.find(|_| end.is_some()).map_or(usize::MAX, number);
    Span { from, to }
}

/// The cells that were in trouble at some time within a span. A connection that the trouble broke
/// may be found broken by the first request on it: a router may send it again, and need not
/// (contract, *Learning on the wire*).
fn troubled<'a>(
    before: &[Case<'a>],
    region: &Region,
    request: &UserRequest,
    span: Span,
    troubles: &'a [(CellId, Span)],
) -> BTreeSet<&'a CellId> {
    let has_been_reached = |cell: &CellId, since: usize| {
        let cases = before.iter().filter(|it| it.region == region && it.span.from > since);
        let mut hops = cases.flat_map(Case::all_hops);
        hops.any(|hop| hop.cell == *cell && hop.at < request.sent)
    };
    let is_troubled = |(cell, trouble): &&(CellId, Span)| {
        trouble.meets(span) || trouble.to < span.from && !has_been_reached(cell, trouble.to)
    };
    troubles.iter().filter(is_troubled).map(|(cell, _)| cell).collect()
}

impl<'a> Case<'a> {
    /// Everything that cells read because of it.
    pub(super) fn all_hops(&self) -> impl Iterator<Item = &'a Hop> {
        self.preflights.iter().chain(&self.hops).copied()
    }

    /// When the router had decided: when the first cell read something, or when it was over.
    pub(super) fn decided(&self) -> Stamp {
        let first = self.all_hops().map(|hop| hop.at).min();
        first.or(self.ended()).unwrap_or(self.request.sent)
    }

    /// When its user had the response, or knew that there is none.
    pub(super) fn ended(&self) -> Option<Stamp> {
        self.request.response.as_ref().map(|end| end.at)
    }

    /// Whether a pre-flight found that no cell owns the path.
    pub(super) fn is_nobodys(&self) -> bool {
        self.preflights.iter().any(|hop| given(hop).map(learned) == Some(Learned::Nobody))
    }

    /// Whether the user ended the connection within the body.
    pub(super) fn broke_off(&self, trace: &Trace) -> bool {
        let Some(Action::RawBytes { half_close: true, text, .. }) = trace.action_of(self.request)
        else {
            return false;
        };
        let mut lengths = text.lines().filter_map(|line| line.strip_prefix("Content-Length: "));
        let is_short = |length: &str| length.parse().is_ok_and(|it| self.request.body.length < it);
        lengths.any(is_short) || text.contains("chunked\n") && !text.contains("\n0\n")
    }

    /// Whether the user closed the sending half behind it, which a router may take for leaving (Z-45).
    pub(super) fn half_closed(&self, trace: &Trace) -> bool {
        matches!(trace.action_of(self.request), Some(Action::RawBytes { half_close: true, .. }))
    }

    /// Whether it speaks HTTP/1.0, which a router need not serve (contract, *Capabilities*).
    pub(super) fn is_old(&self, trace: &Trace) -> bool {
        let action = trace.action_of(self.request);
        matches!(action, Some(Action::RawBytes { text, .. }) if text.contains(" HTTP/1.0\n"))
    }

    /// Whether its user waits to be asked for the body, and was not asked.
    pub(super) fn waits(&self, trace: &Trace) -> bool {
        let action = trace.action_of(self.request);
        let waits = |request: &RequestKind| {
            matches!(request, RequestKind::RandomBody { framing: Framing::AfterContinue, .. })
        };
        matches!(action, Some(Action::Request { request, .. }) if waits(request))
            && !self.request.interim.contains(&100)
    }

    /// Whether another request came before it on its connection.
    pub(super) fn follows_another(&self, trace: &Trace) -> bool {
        let before = self.user.checked_sub(1).map(|before| &trace.users[before]);
        matches!(
            trace.action_of(self.request),
            Some(Action::RawBytes { .. } | Action::Shared { .. })
        ) && before.is_some_and(|before| before.phase == self.request.phase)
    }
}

/// The response of a cell, as far as it is known.
pub(super) fn given(hop: &Hop) -> Option<&ResponseSeen> {
    hop.response.as_ref().map(|(_, response)| response)
}

/// Whether a cell sent a whole response.
pub(super) fn is_whole(hop: &Hop) -> bool {
    hop.response.is_some() && hop.ended.is_none_or(|(_, whole)| whole)
}

/// Whether at least one byte of a response certainly came. If nothing followed the head, the response
/// may have been lost with its connection.
pub(super) fn has_begun(hop: &Hop) -> bool {
    is_whole(hop) || hop.ended.is_some_and(|(sent, _)| sent > 0)
}

/// Cells in a message.
pub(super) fn listed<'c>(cells: impl IntoIterator<Item = &'c CellId>) -> String {
    let cells: BTreeSet<_> = cells.into_iter().map(ToString::to_string).collect();
    cells.into_iter().collect::<Vec<_>>().join(" or ")
}
