//! The model: what a router may do, as the documents have it.
//!
//! It is a third reading of the documents, beside the fleet and the reference router, and imports
//! neither: it knows who owns what ([`Facts`]), what a router may remember ([`memory`]) and what
//! cells said ([`said`]). Judging is a pure function of these and the trace. Where the documents
//! are silent, the model allows everything. What no request explains is judged for every scenario
//! (Z-75). Its sentences, with the requirements that carry them and the places that they stand on
//! (C is the router contract; the others are sections of the proposals or of RFCs):
//!
//! | requirement | sentence | source |
//! | --- | --- | --- |
//! | BF-01 | buffering asks nothing ahead | Differences |
//! | LN-01 | learning asks about what no entry covers | Summary of changes 6 |
//! | LN-02, LN-03, Z-12 | a pre-flight has the user's method and path | Summary of changes 6 |
//! | LN-11, Z-11 | and neither a body nor credentials | Differences |
//! | BF-11, LN-17 | a cold pick is in the region, if one is up | Summary of changes 8 |
//! | CA-03 | an entry leads straight to its cell | Summary of changes 7 |
//! | LN-05, LN-06, CA-08 | what it covers needs no pre-flight | Pre-flight request learning |
//! | LN-21 | it serves all methods | Request flows |
//! | RT-09 | a corrected choice leads straight to the owner | Pros 2 |
//! | LN-18, Z-34 | a request goes where its cell said | Request flows; Cons 9 |
//! | LN-13 | an entry is used for one lifetime | Pre-flight request learning |
//! | CA-06, CA-07, LN-06 | it covers whole segments, or one path | C, *What an entry covers* |
//! | Z-09, Z-38 | exact, then longer, then later ones decide | C, *What an entry covers* |
//! | CA-04, Z-36 | what is not announced is not remembered | Request flows: / |
//! | CA-12 | nor is `/` | Request flows: / |
//! | CA-18, Z-06 | nor what a bounce says | Request flows |
//! | Z-07 | nor what does not cover its request | C, *What an entry covers* |
//! | Z-02, Z-14, Z-34 | nor unknown cells, errors, nobody's paths | C, *Learning on the wire* |
//! | BF-03 | a bounce is followed to the cell it names | Summary of changes 7 |
//! | Z-02, Z-35 | what names no cell is refused | C, *Limits* |
//! | LN-10 | learning sends a request once | Differences |
//! | Z-17, Z-52 | buffering repeats what bounced or is unread | RFC 9112 9.3.1 |
//! | Z-01 | a request is sent 16 times at most; 3 work | C, *Limits* |
//! | BF-04, BF-05, BF-06 | a cell receives the user's body and method | Differences |
//! | Z-13, Z-46, Z-61 | and target and fields, and no part as a whole | RFC 3986; RFC 9110 |
//! | Z-04, Z-72 | and no field by which cells speak | C, *What is left* |
//! | Z-60, Z-74 | and no cookie of others or of a bounce | RFC 6265 5.3 and 5.4 |
//! | RT-08, UN-08 | the user receives what the cell responded | Pros 2; Cons 9 |
//! | CA-17 | and nothing stored | Summary of changes 7 |
//! | RT-07 | a page comes from the owner of its path | Introduction |
//! | BF-03, Z-03, RT-12, Z-58 | the user sees no field and no name of cells | Introduction |
//! | Z-60, Z-73 | and no cookie of a bounce or a pre-flight | C, *on the wire* |
//! | Z-41 | what broke off does not look complete | RFC 9112 8 |
//! | BF-04, Z-20 | 413 is for bodies above the limit | C, *Limits* |
//! | RT-08, Z-35 | a refusal needs a cell in trouble | C, *Limits* |
//! | Z-16 | once it was reached again, nothing is refused | Resilience |

mod facts;
mod memory;
mod response;
mod routing;
mod said;
mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use cell_fleet::{CellId, Protocol, Region, ResponseSeen, Stamp};

pub(crate) use facts::{Facts, Place, Span};
pub(crate) use state::State;

use crate::action::Action;
use crate::trace::{Gate, Hop, Origin, Phase, Trace, UserRequest};
use memory::{Entry, Memory, Question, Sure};
use said::{Learnt, Said, is_called, learnt, prefixes, said};

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

/// Judges every request of a user: no violation means that the documents permit what happened.
pub(crate) fn judge(facts: &Facts, trace: &Trace) -> Vec<Violation> {
    let model = Model::new(facts, trace);
    let mut found = Vec::new();
    for case in &model.cases {
        let (user, request) = (case.user, case.request);
        let mut say = |requirement, why: String| {
            let why = format!("{} {}: {why}", request.method, request.target);
            found.push(Violation { requirement, why, user });
        };
        model.routing(case, &mut say);
        model.copies(case, &mut say);
        model.response(case, &mut say);
    }
    found
}

/// The states of the routers when they were asked, by the index of the user's request.
pub(crate) fn states(facts: &Facts, trace: &Trace) -> Vec<(usize, State)> {
    let model = Model::new(facts, trace);
    model.cases.iter().map(|case| (case.user, model.state(case))).collect()
}

/// Says what contradicts a requirement.
type Say<'s> = &'s mut dyn FnMut(&'static str, String);

struct Model<'a> {
    facts: &'a Facts,
    trace: &'a Trace,
    /// The requests to routers, in the order in which they were sent.
    cases: Vec<Case<'a>>,
    /// The routers' memories, by region.
    memories: Vec<(&'a Region, Memory)>,
}

/// One request of a user, with everything that it caused.
struct Case<'a> {
    user: usize,
    request: &'a UserRequest,
    region: &'a Region,
    path: String,
    /// When it was under way.
    span: Span,
    preflights: Vec<&'a Hop>,
    hops: Vec<&'a Hop>,
    /// Cells in trouble meanwhile, and those that this router has not reached since.
    troubled: BTreeSet<&'a CellId>,
    /// Whether a cache may see another path in it: RFC 3986 6.2.2 (decision A-18).
    is_odd: bool,
}

impl<'a> Model<'a> {
    fn new(facts: &'a Facts, trace: &'a Trace) -> Self {
        let mut model = Self { facts, trace, cases: Vec::new(), memories: Vec::new() };
        for (user, request) in trace.users.iter().enumerate() {
            if let Gate::Router(region) = &request.gate {
                model.cases.push(model.case(user, request, region));
            }
        }
        let regions: BTreeSet<_> = model.cases.iter().map(|case| case.region).collect();
        model.memories = regions.into_iter().map(|region| (region, model.memory(region))).collect();
        model
    }

    fn case(&self, user: usize, request: &'a UserRequest, region: &'a Region) -> Case<'a> {
        let about = |hop: &&Hop| matches!(hop.origin, Origin::PreFlight(of, _) if of == user);
        let path = String::from_utf8_lossy(request.path()).into_owned();
        let span = self.span(user, request);
        let mut troubled = self.facts.troubled(span);
        // A connection that the trouble broke may be found broken by the first request on it: a
        // router may send it again, and need not (contract, *Learning on the wire*).
        let before = self.facts.troubles.iter().filter(|(_, trouble)| trouble.to < span.from);
        troubled.extend(before.map(|(cell, trouble)| (cell, trouble.to)).filter_map(
            |(cell, to)| {
                let reached = self.cases.iter().filter(|case| case.region == region);
                let mut reached =
                    reached.filter(|case| case.span.from > to).flat_map(Case::all_hops);
                let reached = reached.any(|hop| hop.cell == *cell && hop.at < request.sent);
                (!reached).then_some(cell)
            },
        ));
        Case {
            user,
            request,
            region,
            span,
            preflights: self.trace.hops.iter().filter(about).collect(),
            hops: self.trace.hops_of(user).collect(),
            troubled,
            is_odd: !path.starts_with('/')
                || ["%", "//", "/./", "/../"].iter().any(|piece| path.contains(piece))
                || path.ends_with("/.")
                || path.ends_with("/.."),
            path,
        }
    }

    /// The actions during which a request was under way. One that was begun goes on until another
    /// request is sent after its end.
    fn span(&self, user: usize, request: &UserRequest) -> Span {
        let number = |request: &UserRequest| match request.phase {
            Phase::Setup => 0,
            Phase::Step(step) => step + 1,
        };
        let from = number(request);
        if !matches!(self.trace.action_of(request), Some(Action::Begin { .. })) {
            return Span { from, to: from };
        }
        let end = request.response.as_ref().map(|end| end.at);
        let mut later = self.trace.users[user..].iter().filter(|other| end < Some(other.sent));
        let to = later.find(|_| end.is_some()).map_or(usize::MAX, number);
        Span { from, to }
    }

    /// What the cells said to the router of a region, and what made it doubtful.
    fn memory(&self, region: &Region) -> Memory {
        let mut memory = Memory::default();
        let cases = || self.cases.iter().filter(|case| case.region == region);
        for case in cases() {
            for hop in case.all_hops() {
                self.taught(case, hop, &mut memory.0);
            }
            self.moved(case, &mut memory.0);
        }
        memory.replace(self.facts.protocol);
        for case in cases() {
            let end = case.ended().unwrap_or(case.request.sent);
            let path = (!case.is_odd).then_some(case.path.as_str());
            // "when it led to a bounce, to a 404 without a cache field, or to a failure"
            for hop in case.hops.iter().filter(|hop| contradicts(hop)) {
                memory.doubt(path, &hop.cell, hop.at);
            }
            // A cell that could not be reached left no hop.
            case.troubled.iter().for_each(|cell| memory.doubt(path, cell, end));
        }
        memory
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
        let Some(named) = self.called(&name).filter(|_| self.is_too_large(case)) else { return };
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
    fn taught(&self, case: &Case<'_>, hop: &Hop, entries: &mut Vec<Entry>) {
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
                generation: self.facts.generation(case.region, case.span.from),
                banned,
                doubtful: (case.is_odd || !is_sure).then_some(*heard),
                replaced: None,
            });
        };
        let unfit = |path: &str, exact| match path {
            "" => Some("CA-12"),
            _ if facts::covers(path, exact, &case.path) => None,
            _ => Some("Z-07"),
        };
        if is_preflight {
            return match learnt(response) {
                Learnt::Nobody => add(&case.path, true, &hop.cell, Some("Z-34"), true),
                Learnt::Unreadable => add(&case.path, true, &hop.cell, Some("Z-14"), true),
                Learnt::Owner { path, cell, exact } => match self.called(&cell) {
                    Some(owner) => add(&path, exact, owner, unfit(&path, exact), true),
                    None => add(&path, exact, &hop.cell, Some("Z-02"), true),
                },
            };
        }
        let bounced = said(response) != Said::Final;
        let prefixes = prefixes(response);
        let one = prefixes.len() == 1;
        let bare = if bounced { "CA-18" } else { "CA-04" };
        match self.facts.protocol {
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

    fn called(&self, word: &str) -> Option<&'a CellId> {
        self.facts.cells.iter().find(|cell| is_called(cell, word))
    }

    fn question<'b>(&self, case: &'b Case<'_>, decided: Stamp) -> Question<'b> {
        let generation = self.facts.generation(case.region, case.span.from);
        Question { path: &case.path, sent: case.request.sent, decided, generation }
    }

    /// The entries that cover the path of a request, as the router may have them when it decides.
    fn covering(&self, case: &Case<'_>, decided: Stamp) -> Vec<(&Entry, Sure)> {
        self.memory_of(case).covering(self.question(case, decided), self.facts)
    }

    fn memory_of(&self, case: &Case<'_>) -> &Memory {
        static NOTHING: Memory = Memory(Vec::new());
        let found = self.memories.iter().find(|(region, _)| *region == case.region);
        found.map_or(&NOTHING, |(_, memory)| memory)
    }
}

impl<'a> Case<'a> {
    fn all_hops(&self) -> impl Iterator<Item = &'a Hop> {
        self.preflights.iter().chain(&self.hops).copied()
    }

    /// When the router had decided: when the first cell read something, or when it was over.
    fn decided(&self) -> Stamp {
        let first = self.all_hops().map(|hop| hop.at).min();
        first.or(self.ended()).unwrap_or(self.request.sent)
    }

    /// When its user had the response, or knew that there is none.
    fn ended(&self) -> Option<Stamp> {
        self.request.response.as_ref().map(|end| end.at)
    }
}

/// The response of a cell, as far as it is known.
fn given(hop: &Hop) -> Option<&ResponseSeen> {
    hop.response.as_ref().map(|(_, response)| response)
}

/// Whether a cell sent a whole response.
fn is_whole(hop: &Hop) -> bool {
    hop.response.is_some() && hop.ended.is_none_or(|(_, whole)| whole)
}

/// Whether a router may drop the entry that led to this (contract, *What an entry covers*).
fn contradicts(hop: &Hop) -> bool {
    let contradicts = |given: &ResponseSeen| given.status == 404 || said(given) != Said::Final;
    !is_whole(hop) || given(hop).is_none_or(contradicts)
}

/// Cells in a message.
fn listed<'c>(cells: impl IntoIterator<Item = &'c CellId>) -> String {
    let cells: BTreeSet<_> = cells.into_iter().map(ToString::to_string).collect();
    cells.into_iter().collect::<Vec<_>>().join(" or ")
}
