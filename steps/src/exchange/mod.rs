//! Exchanges: the messages that a scenario expects, in the notation of the documents' diagrams.
//!
//! An expected exchange is the body of a Mermaid `sequenceDiagram` ([`Exchange::parse`]). It is
//! compared with the observed arrows of a trace by unification ([`compare`]): participants may be
//! variables, blocks may be optional. Both sides render to the same notation.

mod message;
mod parse;
mod render;
mod unify;

use cell_fleet::{CellId, Protocol, Region};

use crate::ledger::RequirementId;
use crate::trace::{Gate, Trace, UserRequest};

pub use message::{ExpectedRequest, ExpectedResponse};
pub use unify::{Comparison, Divergence, compare, observe};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exchange {
    blocks: Vec<Block>,
    text: String,
}

impl Exchange {
    /// The last request in one hop: it reaches this cell as its user sent it, and the cell's 200
    /// comes back unchanged.
    pub(crate) fn straight(trace: &Trace, cell: &CellId) -> Result<Self, String> {
        let (region, request) = last_at_router(trace)?;
        Self::last_hop(region, request, "", cell)
    }

    /// The last request as on a cold cache, to a cell of another region: the router asks a cell of
    /// its own first, by the request itself under buffering, by a pre-flight under learning. It is
    /// an error if the router may pick the cell itself.
    pub(crate) fn cold(trace: &Trace, cell: &CellId, protocol: Protocol) -> Result<Self, String> {
        let (region, request) = last_at_router(trace)?;
        if region == cell.region() {
            return Err(format!("a router of its region may pick {cell} at once"));
        }
        let UserRequest { method, target, .. } = request;
        let target = target.to_string();
        let path = target.split('?').next().unwrap_or_default();
        let asked = match protocol {
            Protocol::Buffering => format!(
                "router_{region}->>any_{region}_cell: {method} {target}\n\
                 any_{region}_cell-->>router_{region}: 302\n"
            ),
            Protocol::Learning => format!(
                "%% choice LN-17\n\
                 router_{region}->>any_{region}_cell: GET {{learn}}?method={method}&path_info={path}\n\
                 any_{region}_cell-->>router_{region}: 200\n"
            ),
        };
        Self::last_hop(region, request, &asked, cell)
    }

    /// A request that reaches this cell after the arrows `before`.
    fn last_hop(
        region: &Region,
        request: &UserRequest,
        before: &str,
        cell: &CellId,
    ) -> Result<Self, String> {
        let UserRequest { person, method, target, .. } = request;
        let drawn = format!(
            "{person}->>router_{region}: {method} {target}\n\
             {before}router_{region}->>{cell}: {method} {target}\n{cell}-->>{person}: 200"
        );
        Self::parse(&drawn)
    }

    /// The text, without common indentation and without blank lines around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The requirements that its comment lines cite.
    pub fn cited(&self) -> Vec<RequirementId> {
        self.arrows().into_iter().filter_map(|arrow| arrow.requirement.clone()).collect()
    }

    pub fn choices(&self) -> Vec<RequirementId> {
        self.arrows().into_iter().filter_map(|arrow| arrow.choice.clone()).collect()
    }

    fn arrows(&self) -> Vec<&ExpectedArrow> {
        fn walk<'a>(blocks: &'a [Block], found: &mut Vec<&'a ExpectedArrow>) {
            for block in blocks {
                match block {
                    Block::Arrow(arrow) => found.push(arrow),
                    Block::Optional(body) => walk(body, found),
                    Block::Alternatives(ways) => ways.iter().for_each(|way| walk(way, found)),
                }
            }
        }
        let mut found = Vec::new();
        walk(&self.blocks, &mut found);
        found
    }
}

fn last_at_router(trace: &Trace) -> Result<(&Region, &UserRequest), String> {
    let (_, request) = trace.last()?;
    match &request.gate {
        Gate::Router(region) => Ok((region, request)),
        _ => Err("the last request went to a cell directly".to_owned()),
    }
}

/// A piece of an exchange.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Block {
    Arrow(Box<ExpectedArrow>),
    /// `opt`: present as a whole, or absent.
    Optional(Vec<Block>),
    /// `alt`: exactly one of these.
    Alternatives(Vec<Vec<Block>>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ExpectedArrow {
    /// Line of the exchange's text, counted from 0.
    line: usize,
    from: ExpectedParticipant,
    to: ExpectedParticipant,
    message: Message,
    /// The requirement that a mismatch violates; the requirement of the step where none is given.
    requirement: Option<RequirementId>,
    /// The requirement that a router violates by asking a cell of another region. With it, the
    /// router may ask any cell of its own region.
    choice: Option<RequirementId>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Message {
    Request(ExpectedRequest),
    Response(ExpectedResponse),
}

/// One end of an expected arrow.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ExpectedParticipant {
    /// `user`: the acting person, or the person of this name.
    User(Option<String>),
    Router(Region),
    /// `cell_eu0`, as the documents name it.
    Cell(CellId),
    /// `any_eu_cell`, `any_cell`: any cell (of the region), free at each occurrence.
    AnyCell(Option<Region>),
    /// `some_eu_cell`: the same cell at each occurrence. Variables with different names in one
    /// region are different cells.
    Variable(String, Region),
}

impl ExpectedParticipant {
    fn is_cell(&self) -> bool {
        matches!(self, Self::Cell(_) | Self::AnyCell(_) | Self::Variable(..))
    }

    fn shown(&self) -> String {
        match self {
            Self::User(person) => person.clone().unwrap_or_else(|| "user".to_owned()),
            Self::Router(region) => format!("router_{region}"),
            Self::Cell(cell) => cell.id(),
            Self::AnyCell(Some(region)) => format!("any cell of region {region}"),
            Self::AnyCell(None) => "any cell".to_owned(),
            Self::Variable(name, _) => name.clone(),
        }
    }
}
