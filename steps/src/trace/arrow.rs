//! A trace as arrows between participants, as a sequence diagram draws it.

use std::fmt;

use cell_fleet::{CellId, Region, Stamp};

use super::{Gate, Hop, Origin, Phase, Trace};
use crate::action::{Action, Visits};

/// One end of an arrow.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Participant {
    User(String),
    Router(Region),
    /// A cell, as the documents name it.
    Cell(CellId),
    /// The unknown sender of an unsolicited request.
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

/// What an arrow carries. Numbers are indices of the trace's `users` and `hops`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// A request as its user sent it.
    Sent(usize),
    /// A request as a cell received it.
    Received(usize),
    /// A cell's response.
    Responded(usize),
    /// What the user received.
    Got(usize),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    pub at: Stamp,
    pub from: Participant,
    pub to: Participant,
    pub content: Content,
}

impl Trace {
    /// The arrows of all When steps, or of the last one only, in order. Where a step repeats a
    /// visit until a cell was asked, the last visit alone counts.
    pub fn arrows(&self, last_step_only: bool) -> Vec<Arrow> {
        let last = self.acted().map(|(_, request)| request.phase).max();
        let wanted = |user: usize| {
            let phase = self.users[user].phase;
            phase != Phase::Setup && (!last_step_only || Some(phase) == last) && !self.is_try(user)
        };
        let begin = self.acted().find(|(index, _)| wanted(*index)).map(|(_, request)| request.sent);
        let mut arrows = Vec::new();
        for (index, request) in self.users.iter().enumerate().filter(|(index, _)| wanted(*index)) {
            let user = Participant::User(request.person.clone());
            let Gate::Router(region) = &request.gate else { continue };
            let router = Participant::Router(region.clone());
            arrows.push(Arrow {
                at: request.sent,
                from: user.clone(),
                to: router.clone(),
                content: Content::Sent(index),
            });
            if let Some(response) = &request.response {
                arrows.push(Arrow {
                    at: response.at,
                    from: router,
                    to: user,
                    content: Content::Got(index),
                });
            }
        }
        for (index, hop) in self.hops.iter().enumerate() {
            let Some(asker) = self.asker(hop, &wanted, begin) else { continue };
            let cell = Participant::Cell(hop.cell.clone());
            arrows.push(Arrow {
                at: hop.at,
                from: asker.clone(),
                to: cell.clone(),
                content: Content::Received(index),
            });
            if let Some((at, _)) = &hop.response {
                arrows.push(Arrow {
                    at: *at,
                    from: cell,
                    to: asker,
                    content: Content::Responded(index),
                });
            }
        }
        arrows.sort_by_key(|arrow| arrow.at);
        arrows
    }

    /// Whether a request is a visit that its step repeated, because it did not lead to the cell.
    fn is_try(&self, user: usize) -> bool {
        let request = &self.users[user];
        let until =
            |action: &Action| matches!(action, Action::Visits { visits: Visits::Until { .. }, .. });
        self.action_of(request).is_some_and(until)
            && self.users[user + 1..].iter().any(|later| later.phase == request.phase)
    }

    /// The sender of a hop of a wanted request.
    fn asker(
        &self,
        hop: &Hop,
        wanted: &impl Fn(usize) -> bool,
        begin: Option<Stamp>,
    ) -> Option<Participant> {
        match hop.origin {
            Origin::User(user) | Origin::PreFlight(user, _) => {
                let request = &self.users[user];
                wanted(user).then(|| match &request.gate {
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
