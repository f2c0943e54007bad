//! A trace as arrows between parties: what sequence diagrams draw.

use std::fmt;

use cell_fleet::{CellId, Region, Stamp};

use super::{Gate, Hop, Origin, Phase, Trace};

/// One end of an arrow.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Participant {
    /// A person.
    User(String),
    /// The router of a region.
    Router(Region),
    /// A cell, as the documents name it.
    Cell(CellId),
    /// Whoever sent a request that no user asked for.
    Unknown,
}

impl fmt::Display for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(person) => f.write_str(person),
            Self::Router(region) => write!(f, "router_{region}"),
            Self::Cell(cell) => write!(f, "{cell}"),
            Self::Unknown => f.write_str("unsolicited"),
        }
    }
}

/// What an arrow carries; numbers are places in the trace's `users` and `hops`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A request as its user sent it.
    Sent(usize),
    /// A request as a cell received it.
    Received(usize),
    /// A cell's response.
    Responded(usize),
    /// What the user got.
    Got(usize),
}

/// One arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// When.
    pub at: Stamp,
    /// From whom.
    pub from: Participant,
    /// To whom.
    pub to: Participant,
    /// What.
    pub content: Content,
}

impl Trace {
    /// The arrows of the exchange, or of its last When step only, in order.
    pub fn arrows(&self, last_step_only: bool) -> Vec<Arrow> {
        let last = self.acted().map(|(_, request)| request.phase).max();
        let wanted =
            |phase: Phase| phase != Phase::Setup && (!last_step_only || Some(phase) == last);
        let begin = self
            .acted()
            .find(|(_, request)| wanted(request.phase))
            .map(|(_, request)| request.sent);
        let mut arrows = Vec::new();
        for (place, request) in
            self.users.iter().enumerate().filter(|(_, request)| wanted(request.phase))
        {
            let user = Participant::User(request.person.clone());
            let Gate::Router(region) = &request.gate else { continue };
            let router = Participant::Router(region.clone());
            arrows.push(Arrow {
                at: request.sent,
                from: user.clone(),
                to: router.clone(),
                content: Content::Sent(place),
            });
            if let Some(response) = &request.response {
                arrows.push(Arrow {
                    at: response.at,
                    from: router,
                    to: user,
                    content: Content::Got(place),
                });
            }
        }
        for (place, hop) in self.hops.iter().enumerate() {
            let Some(asker) = self.asker(hop, &wanted, begin) else { continue };
            let cell = Participant::Cell(hop.cell.clone());
            arrows.push(Arrow {
                at: hop.at,
                from: asker.clone(),
                to: cell.clone(),
                content: Content::Received(place),
            });
            if let Some((at, _)) = &hop.response {
                arrows.push(Arrow {
                    at: *at,
                    from: cell,
                    to: asker,
                    content: Content::Responded(place),
                });
            }
        }
        arrows.sort_by_key(|arrow| arrow.at);
        arrows
    }

    /// Who sent a hop, if the hop belongs to what is wanted.
    fn asker(
        &self,
        hop: &Hop,
        wanted: &impl Fn(Phase) -> bool,
        begin: Option<Stamp>,
    ) -> Option<Participant> {
        match hop.origin {
            Origin::User(user) | Origin::PreFlight(user, _) => {
                let request = &self.users[user];
                wanted(request.phase).then(|| match &request.gate {
                    Gate::Router(region) => Participant::Router(region.clone()),
                    Gate::Cell(_) => Participant::User(request.person.clone()),
                })
            }
            Origin::Unsolicited => {
                begin.is_none_or(|begin| hop.at > begin).then_some(Participant::Unknown)
            }
        }
    }
}
