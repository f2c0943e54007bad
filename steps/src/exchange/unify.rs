//! Compares an expected exchange with the observed one, by unification.
//!
//! Every path through the optional blocks is tried. Where none fits, the one that matches most
//! shows the first mismatch.

use std::collections::BTreeMap;

use cell_fleet::{CellId, Region};
use serde::{Deserialize, Serialize};

use super::render::{observed_line, observed_lines};
use super::{Block, Exchange, ExpectedArrow, ExpectedParticipant, ExpectedResponse, Message};
use crate::ledger::RequirementId;
use crate::trace::{Arrow, Content, Participant, Trace};

/// An expected exchange and the observed one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The lines of the expected exchange.
    pub expected: Vec<String>,
    /// The lines of the observed exchange, in the same notation.
    pub observed: Vec<String>,
    pub shown: Vec<Content>,
    /// The first mismatch; none where they agree.
    pub divergence: Option<Divergence>,
    /// Choices of the router that violate a SHOULD. The rest of the exchange is compared
    /// nevertheless.
    pub choices: Vec<Divergence>,
}

/// Where an observed exchange leaves the expected one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Divergence {
    /// The requirement that it violates, where the exchange names one for the arrow.
    #[serde(skip)]
    pub requirement: Option<RequirementId>,
    /// Index of the expected line; absent if the exchange should have ended.
    pub expected: Option<usize>,
    /// Index of the observed line; absent if nothing more was observed.
    pub observed: Option<usize>,
    /// In words.
    pub why: String,
}

pub fn compare(exchange: &Exchange, trace: &Trace, arrows: &[Arrow]) -> Comparison {
    let todo: Vec<&Block> = exchange.blocks.iter().collect();
    let (observed, line_of) = observed_lines(trace, arrows);
    let shown = shown_by(arrows, &line_of, observed.len());
    let place = |divergence: Divergence| Divergence {
        observed: divergence.observed.and_then(|at| line_of.get(at).copied()),
        ..divergence
    };
    // The literal exchange comes first: where it fits, no choice is a finding.
    let mut search = Search { trace, arrows, lenient: false, furthest: None, fitting: None };
    if !search.run(&todo, 0, &Bindings::default()) {
        search = Search { lenient: true, furthest: None, ..search };
        search.run(&todo, 0, &Bindings::default());
    }
    let (divergence, choices) = match (search.fitting, search.furthest) {
        (Some(choices), _) => (None, choices),
        (None, Some(Furthest { divergence, choices })) => (Some(divergence), choices),
        (None, None) => (None, Vec::new()),
    };
    let choices = choices.into_iter().map(place).collect();
    let expected = exchange.text().lines().map(str::to_owned).collect();
    Comparison { expected, observed, shown, divergence: divergence.map(place), choices }
}

/// The observed exchange, where a scenario expects none.
pub fn observe(trace: &Trace) -> Comparison {
    let arrows = trace.arrows(false);
    let (observed, line_of) = observed_lines(trace, &arrows);
    let shown = shown_by(&arrows, &line_of, observed.len());
    Comparison { expected: Vec::new(), observed, shown, divergence: None, choices: Vec::new() }
}

/// The first arrow of each line.
fn shown_by(arrows: &[Arrow], line_of: &[usize], lines: usize) -> Vec<Content> {
    (0..lines)
        .filter_map(|line| Some(arrows.get(line_of.iter().position(|of| *of == line)?)?.content))
        .collect()
}

struct Search<'a> {
    trace: &'a Trace,
    arrows: &'a [Arrow],
    /// Whether an arrow with a choice may go to another cell.
    lenient: bool,
    furthest: Option<Furthest>,
    /// The choices of the path that fits.
    fitting: Option<Vec<Divergence>>,
}

/// The mismatch of the path that matches most; observed indices are those of arrows.
struct Furthest {
    divergence: Divergence,
    choices: Vec<Divergence>,
}

impl Search<'_> {
    fn run(&mut self, todo: &[&Block], at: usize, bindings: &Bindings) -> bool {
        let Some((first, rest)) = todo.split_first() else {
            return self.end(at, bindings);
        };
        match first {
            Block::Arrow(arrow) => match self.take(arrow, at, bindings) {
                Ok((next, bindings)) => self.run(rest, next, &bindings),
                Err(why) => {
                    self.mismatch(at, Some(arrow), why, bindings);
                    false
                }
            },
            // The path with the optional block comes first, so that a mismatch inside the block is
            // reported there.
            Block::Optional(body) => {
                self.run(&followed_by(body, rest), at, bindings) || self.run(rest, at, bindings)
            }
            Block::Alternatives(ways) => {
                ways.iter().any(|way| self.run(&followed_by(way, rest), at, bindings))
            }
        }
    }

    fn end(&mut self, at: usize, bindings: &Bindings) -> bool {
        match self.arrows.get(at) {
            None => {
                self.fitting = Some(bindings.choices.clone());
                true
            }
            Some(arrow) => {
                let why = format!(
                    "nothing more was expected, but `{}` followed",
                    observed_line(self.trace, arrow)
                );
                self.mismatch(at, None, why, bindings);
                false
            }
        }
    }

    fn mismatch(
        &mut self,
        at: usize,
        arrow: Option<&ExpectedArrow>,
        why: String,
        bindings: &Bindings,
    ) {
        if self.furthest.as_ref().is_none_or(|furthest| Some(at) > furthest.divergence.observed) {
            let (expected, requirement) =
                (arrow.map(|arrow| arrow.line), arrow.and_then(|arrow| arrow.requirement.clone()));
            let divergence = Divergence { requirement, expected, observed: Some(at), why };
            self.furthest = Some(Furthest { divergence, choices: bindings.choices.clone() });
        }
    }

    /// Matches one expected arrow, and returns the index after the observed arrows that it took.
    fn take(
        &self,
        expected: &ExpectedArrow,
        at: usize,
        bindings: &Bindings,
    ) -> Result<(usize, Bindings), String> {
        let observed = self.arrows.get(at).ok_or("nothing more was observed")?;
        let mut bindings = bindings.clone();
        if let (Message::Response(message), true) = (
            &expected.message,
            matches!(expected.to, ExpectedParticipant::User(_)) && expected.from.is_cell(),
        ) {
            let next = self.take_passed_on(expected, message, at, &mut bindings)?;
            return Ok((next, bindings));
        }
        // Kinds are compared before participants: a response instead of a request is the clearer
        // mismatch.
        match (&expected.message, observed.content) {
            (Message::Request(_), Content::Responded(_) | Content::Got(_)) => {
                return Err(format!(
                    "`{}` where a request was expected",
                    observed_line(self.trace, observed)
                ));
            }
            (Message::Response(_), Content::Sent(_) | Content::Received(_)) => {
                return Err(format!(
                    "`{}` where a response was expected",
                    observed_line(self.trace, observed)
                ));
            }
            _ => {}
        }
        if !bindings.stands_in(expected, observed) {
            self.bind(&expected.from, &observed.from, &mut bindings)?;
        }
        if let Err(why) = self.bind(&expected.to, &observed.to, &mut bindings) {
            self.choose(expected, at, why, &mut bindings)?;
        }
        bindings.follow(expected, observed.content)?;
        let mismatch = match (&expected.message, observed.content) {
            (Message::Request(request), Content::Sent(place)) => {
                request.mismatch_sent(&self.trace.users[place])
            }
            (Message::Request(request), Content::Received(place)) => {
                request.mismatch_received(&self.trace.hops[place], self.trace)
            }
            (Message::Response(response), Content::Responded(place)) => {
                response.mismatch_of_cell(&self.trace.hops[place], false, self.trace)
            }
            (Message::Response(response), Content::Got(place)) => {
                match self.trace.users[place].received() {
                    Ok(got) => response.mismatch_of_user(got, self.trace),
                    Err(why) => Some(why),
                }
            }
            // Excluded above.
            (Message::Request(_), Content::Responded(_) | Content::Got(_))
            | (Message::Response(_), Content::Sent(_) | Content::Received(_)) => None,
        };
        mismatch.map_or(Ok((at + 1, bindings)), Err)
    }

    /// `cell-->>user` in one arrow: the response of the cell, passed on unchanged by the router.
    /// Without a router between them, it is one observed arrow as well.
    fn take_passed_on(
        &self,
        expected: &ExpectedArrow,
        message: &ExpectedResponse,
        at: usize,
        bindings: &mut Bindings,
    ) -> Result<usize, String> {
        let first = &self.arrows[at];
        let Content::Responded(hop) = first.content else {
            return Err(match first.content {
                Content::Got(place) => match self.trace.users[place].received() {
                    Ok(got) => format!("the router responded by itself with {}", got.status),
                    Err(why) => why,
                },
                _ => {
                    format!("`{}` where a response was expected", observed_line(self.trace, first))
                }
            });
        };
        self.bind(&expected.from, &first.from, bindings)?;
        bindings.follow(expected, first.content)?;
        let hop = &self.trace.hops[hop];
        if matches!(first.to, Participant::User(_)) {
            self.bind(&expected.to, &first.to, bindings)?;
            return message.mismatch_of_cell(hop, false, self.trace).map_or(Ok(at + 1), Err);
        }
        if let Some(why) = message.mismatch_of_cell(hop, true, self.trace) {
            return Err(why);
        }
        let second = self.arrows.get(at + 1).ok_or("the user got no response")?;
        let Content::Got(place) = second.content else {
            return Err(format!(
                "the response was not passed on; `{}` followed",
                observed_line(self.trace, second)
            ));
        };
        self.bind(&expected.to, &second.to, bindings)?;
        let got = self.trace.users[place].received()?;
        let (_, response) = hop.response.as_ref().ok_or("the cell sent no response")?;
        let differences = self.trace.differences(response, got);
        if !differences.is_empty() {
            return Err(format!("the response was changed on its way: {}", differences.join("; ")));
        }
        message
            .mismatch_of_user(got, self.trace)
            .map_or(Ok(at + 2), |why| Err(format!("the user's response is not as drawn: {why}")))
    }

    /// A request at another cell than the expected one, where the arrow has a choice. Any cell of
    /// the router's region is right; another cell is a finding. `why` is the difference.
    fn choose(
        &self,
        expected: &ExpectedArrow,
        at: usize,
        why: String,
        bindings: &mut Bindings,
    ) -> Result<(), String> {
        let observed = &self.arrows[at];
        let (
            Some(requirement),
            Content::Received(hop),
            Participant::Cell(cell),
            Participant::Router(own),
            true,
        ) = (&expected.choice, observed.content, &observed.to, &observed.from, self.lenient)
        else {
            return Err(why);
        };
        bindings.stand_ins.insert(hop, expected.to.clone());
        if cell.region() != own {
            let why = format!("router_{own} asked {cell}, a cell of another region");
            bindings.choices.push(Divergence {
                requirement: Some(requirement.clone()),
                expected: Some(expected.line),
                observed: Some(at),
                why,
            });
        }
        Ok(())
    }

    fn bind(
        &self,
        expected: &ExpectedParticipant,
        observed: &Participant,
        bindings: &mut Bindings,
    ) -> Result<(), String> {
        let fits = match (expected, observed) {
            (ExpectedParticipant::User(None), Participant::User(_))
            | (ExpectedParticipant::AnyCell(None), Participant::Cell(_)) => true,
            (ExpectedParticipant::User(Some(name)), Participant::User(person)) => name == person,
            (ExpectedParticipant::Router(expected), Participant::Router(observed)) => {
                expected == observed
            }
            (ExpectedParticipant::Cell(expected), Participant::Cell(observed)) => {
                expected == observed
            }
            (ExpectedParticipant::AnyCell(Some(region)), Participant::Cell(cell)) => {
                region == cell.region()
            }
            (ExpectedParticipant::Variable(name, region), Participant::Cell(cell)) => {
                region == cell.region() && bindings.bind(name, region, cell)
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(format!("{observed} where {} was expected", expected.shown()))
        }
    }
}

fn followed_by<'a>(body: &'a [Block], rest: &[&'a Block]) -> Vec<&'a Block> {
    body.iter().chain(rest.iter().copied()).collect()
}

/// The cell of each variable, and the person of `user`.
#[derive(Clone, Default)]
struct Bindings {
    cells: BTreeMap<String, CellId>,
    /// The last matched request at a cell, an index of the trace's hops.
    asked: Option<usize>,
    /// Requests at another cell than the expected one, by their indices of the trace's hops, with
    /// the expected one.
    stand_ins: BTreeMap<usize, ExpectedParticipant>,
    /// The findings about choices so far; observed indices are those of arrows.
    choices: Vec<Divergence>,
}

impl Bindings {
    /// Whether a response comes from the cell that got the request instead of the expected one.
    fn stands_in(&self, expected: &ExpectedArrow, observed: &Arrow) -> bool {
        let Content::Responded(hop) = observed.content else { return false };
        self.stand_ins.get(&hop) == Some(&expected.from)
    }

    /// The response of any cell belongs to the request before it.
    fn follow(&mut self, expected: &ExpectedArrow, content: Content) -> Result<(), String> {
        match content {
            Content::Received(place) => self.asked = Some(place),
            Content::Responded(place)
                if matches!(expected.from, ExpectedParticipant::AnyCell(_))
                    && self.asked != Some(place) =>
            {
                return Err("the response to another request".to_owned());
            }
            Content::Responded(_) | Content::Sent(_) | Content::Got(_) => {}
        }
        Ok(())
    }

    fn bind(&mut self, name: &str, region: &Region, cell: &CellId) -> bool {
        if let Some(bound) = self.cells.get(name) {
            return bound == cell;
        }
        let free = !self.cells.values().any(|bound| bound == cell && bound.region() == region);
        if free {
            self.cells.insert(name.to_owned(), cell.clone());
        }
        free
    }
}

#[cfg(test)]
mod tests;
