//! The model: what a router may do, as the documents have it.
//!
//! It is a third reading of the documents, beside the fleet and the reference router, and imports
//! neither: it knows who owns what ([`Facts`]), what a router may remember ([`memory`]) and what
//! cells said ([`said`]). Judging is a pure function of these and the trace. Where the documents
//! are silent, the model allows everything.
//!
//! Each judgement cites the requirement that carries it. A request is judged in this order: what a
//! router asked first ([`buffering`], [`learning`]), what it sent on, and what the user received
//! ([`response`]).

mod buffering;
mod facts;
mod learning;
mod memory;
mod response;
mod said;
mod state;

use std::collections::BTreeSet;
use std::time::Duration;

use cell_fleet::{CellId, Protocol, Region};

pub(crate) use facts::{Change, Facts, Place, Span};
pub(crate) use state::State;

use crate::trace::{Gate, Hop, Origin, Phase, Trace, UserRequest};
use memory::{Doubt, Entry, Limits, Memory, Question};
use said::{Learnt, Said, is_called, learnt, said};

/// What contradicts the documents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    /// The requirement.
    pub(crate) requirement: &'static str,
    /// What was observed, and what was expected.
    pub(crate) why: String,
    /// The index of the user's request.
    pub(crate) user: usize,
}

/// Judges every request of a user: no violation means that the documents permit what happened. What
/// no request explains is judged for every scenario (Z-75).
pub(crate) fn judge(facts: &Facts, trace: &Trace) -> Vec<Violation> {
    let model = Model::new(facts, trace);
    let mut found = Vec::new();
    for (user, request) in trace.users.iter().enumerate() {
        if let Gate::Router(region) = &request.gate {
            model.request(&model.case(user, request, region), &mut found);
        }
    }
    found
}

/// The states of the routers when they were asked, by the index of the user's request.
pub(crate) fn states(facts: &Facts, trace: &Trace) -> Vec<(usize, State)> {
    let model = Model::new(facts, trace);
    let mut states = Vec::new();
    for (user, request) in trace.users.iter().enumerate() {
        if let Gate::Router(region) = &request.gate {
            states.push((user, model.state(&model.case(user, request, region))));
        }
    }
    states
}

struct Model<'a> {
    facts: &'a Facts,
    trace: &'a Trace,
    /// The routers' memories, by region.
    memories: Vec<(Region, Memory)>,
    nothing: Memory,
}

/// One request of a user, with everything that it caused.
struct Case<'a> {
    user: usize,
    request: &'a UserRequest,
    region: &'a Region,
    path: String,
    span: Span,
    preflights: Vec<&'a Hop>,
    hops: Vec<&'a Hop>,
    troubled: BTreeSet<CellId>,
    memory: &'a Memory,
}

impl<'a> Model<'a> {
    fn new(facts: &'a Facts, trace: &'a Trace) -> Self {
        let mut model = Self { facts, trace, memories: Vec::new(), nothing: Memory::default() };
        let mut memories: Vec<(Region, Memory)> = Vec::new();
        for (user, request) in trace.users.iter().enumerate() {
            let Gate::Router(region) = &request.gate else { continue };
            let place = memories.iter().position(|(of, _)| of == region).unwrap_or_else(|| {
                memories.push((region.clone(), Memory::default()));
                memories.len() - 1
            });
            let case = model.case(user, request, region);
            model.remember(&case, &mut memories[place].1);
        }
        model.memories = memories;
        model
    }

    fn case<'b>(&'b self, user: usize, request: &'b UserRequest, region: &'b Region) -> Case<'b> {
        let of = |hop: &&Hop| matches!(hop.origin, Origin::PreFlight(of, _) if of == user);
        let span = self.span(request);
        let memory = self.memories.iter().find(|(of, _)| of == region);
        Case {
            user,
            request,
            region,
            path: String::from_utf8_lossy(request.path()).into_owned(),
            span,
            preflights: self.trace.hops.iter().filter(of).collect(),
            hops: self.trace.hops_of(user).collect(),
            troubled: self.facts.troubled(span),
            memory: memory.map_or(&self.nothing, |(_, memory)| memory),
        }
    }

    /// The steps during which a request was under way.
    fn span(&self, request: &UserRequest) -> Span {
        let from = match request.phase {
            Phase::Setup => 0,
            Phase::Step(step) => step + 1,
        };
        let began = from.checked_sub(1).and_then(|step| self.trace.actions.get(step));
        let to = match began {
            Some(crate::action::Action::Begin { .. }) => {
                let changes = self.facts.changes.iter();
                let mut released = changes.filter(|(_, change)| *change == Change::Release);
                released.find(|(at, _)| *at > from).map_or(usize::MAX, |(at, _)| *at)
            }
            _ => from,
        };
        Span { from, to }
    }

    /// Adds what a request taught its router, and what it made doubtful.
    fn remember(&self, case: &Case<'_>, memory: &mut Memory) {
        let generation = self.facts.generation(case.region, case.span.from);
        let read = case.request.response.as_ref().filter(|end| end.got.is_ok()).map(|end| end.at);
        let mut entry = |path: String, exact, cell: CellId, hop: &Hop, known| {
            let Some((said, _)) = &hop.response else { return };
            let corrected = case.hops.len() > 1;
            memory.entries.push(Entry {
                path,
                exact,
                cell,
                method: case.request.method.clone(),
                said: *said,
                known,
                taught_by: case.user,
                corrected,
                generation,
            });
        };
        match self.facts.protocol {
            Protocol::Buffering => {
                let last = case.hops.last().and_then(|hop| Some((*hop, hop.response.as_ref()?)));
                if let Some((hop, (_, response))) = last
                    && let Said::Final { prefix: Some(prefix) } = said(response)
                    && is_below(&case.path, &prefix)
                {
                    entry(prefix, false, hop.cell.clone(), hop, read);
                }
            }
            Protocol::Learning => {
                let acted = case.hops.first().map(|hop| hop.at).or(read);
                for hop in &case.preflights {
                    let Some((_, response)) = &hop.response else { continue };
                    let Learnt::Owner { path, cell, exact } = learnt(response) else { continue };
                    let covers =
                        if exact { path == case.path } else { is_below(&case.path, &path) };
                    let owner = self.facts.cells.iter().find(|known| is_called(known, &cell));
                    if let (true, Some(owner)) = (covers, owner) {
                        entry(path, exact, owner.clone(), hop, acted);
                    }
                }
            }
        }
        // A bounce that cannot be followed, since the body is gone, may move the entry that led
        // there to the cell that it names (Z-82).
        let last = case.hops.last().and_then(|hop| Some((*hop, hop.response.as_ref()?)));
        if let Some((hop, (at, response))) = last
            && let Said::Bounce(name) = said(response)
            && self.is_too_large(case)
            && let Some(named) = self.facts.cells.iter().find(|cell| is_called(cell, &name))
        {
            let question = self.question(case);
            let led_there: Vec<Entry> = memory
                .covering(&question, self.limits())
                .into_iter()
                .filter(|(entry, _)| entry.cell == hop.cell)
                .map(|(entry, _)| Entry {
                    cell: named.clone(),
                    said: *at,
                    known: None,
                    taught_by: case.user,
                    ..entry.clone()
                })
                .collect();
            memory.entries.extend(led_there);
        }
        // A bounce, a 404 or a failure may end the entry that led there.
        for hop in &case.hops {
            let contradicts = hop.response.as_ref().is_none_or(|(_, response)| {
                response.status == 404 || !matches!(said(response), Said::Final { .. })
            }) || !is_whole(hop);
            if contradicts {
                memory.doubts.push(Doubt {
                    path: case.path.clone(),
                    cell: hop.cell.clone(),
                    at: hop.at,
                    generation,
                });
            }
        }
        // A cell that could not be reached left no hop.
        for cell in &case.troubled {
            memory.doubts.push(Doubt {
                path: case.path.clone(),
                cell: cell.clone(),
                at: case.request.response.as_ref().map_or(case.request.sent, |end| end.at),
                generation,
            });
        }
    }

    fn question<'b>(&self, case: &'b Case<'_>) -> Question<'b> {
        let first = case.preflights.iter().chain(&case.hops).map(|hop| hop.at).min();
        let end = case.request.response.as_ref().map(|end| end.at);
        Question {
            path: &case.path,
            method: &case.request.method,
            sent: case.request.sent,
            decided: first.or(end).unwrap_or(case.request.sent),
            generation: self.facts.generation(case.region, case.span.from),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            ttl: Duration::from_millis(self.facts.ttl_ms),
            max_entries: self.facts.max_entries,
            covers_itself: self.facts.protocol == Protocol::Learning,
        }
    }

    fn request(&self, case: &Case<'_>, found: &mut Vec<Violation>) {
        let mut say = |requirement: &'static str, why: String| {
            let why = format!("{} {}: {why}", case.request.method, case.request.target);
            found.push(Violation { requirement, why, user: case.user });
        };
        match self.facts.protocol {
            Protocol::Buffering => self.buffering(case, &mut say),
            Protocol::Learning => self.learning(case, &mut say),
        }
        self.copies(case, &mut say);
        self.response(case, &mut say);
    }
}

impl Case<'_> {
    /// Whether the spelling of the path can be normalised (RFC 3986 6.2.2), which a cache may do.
    fn has_other_spellings(&self) -> bool {
        ["%", "//", "/./", "/../"].iter().any(|piece| self.path.contains(piece))
            || self.path.ends_with("/.")
            || self.path.ends_with("/..")
            || !self.path.starts_with('/')
    }
}

/// Whether a cell sent a whole response.
fn is_whole(hop: &Hop) -> bool {
    hop.response.is_some() && hop.ended.is_none_or(|(_, whole)| whole)
}

/// Whether a path is this prefix or below it.
fn is_below(path: &str, prefix: &str) -> bool {
    !prefix.is_empty()
        && path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Cells in a message.
fn listed<'c>(cells: impl IntoIterator<Item = &'c CellId>) -> String {
    let mut names: Vec<_> = cells.into_iter().map(ToString::to_string).collect();
    names.sort();
    names.dedup();
    names.join(" or ")
}
