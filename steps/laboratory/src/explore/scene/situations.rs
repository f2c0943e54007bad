//! The situations that a router is brought into: what brings it there, and what ends them.

use strum::VariantArray;

use super::{LIFE, Scene, Stand, Story};
use crate::explore::world::Condition;
use conformance_suite::action::{CellGroup, RouterAction, WorldAction};

/// How long a slow cell takes, in milliseconds.
const SLOW: u64 = 15;

/// The situation that a router is brought into before the deed. Where something happened, the place
/// was visited first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub(in crate::explore) enum Situation {
    AsItIs,
    Visited,
    /// Its organization moved.
    Moved,
    /// The same, and the replicas lag until the deed is done.
    MovedUnseen,
    /// Its entry's lifetime passed.
    Outlived,
    /// Its entry was used within its lifetime, and the lifetime passed.
    OutlivedInUse,
    /// More places than the cache holds were visited.
    Crowded,
    OwnerDown,
    /// The router's region is down.
    RegionDown,
    /// The owner resets or closes the connection once, instead of its response or within it.
    OwnerBreaks,
    /// The owner responds late.
    OwnerSlow,
    Restarted,
}

impl Situation {
    /// How often it is drawn.
    pub(in crate::explore) fn weight(self) -> u32 {
        match self {
            Self::Visited => 5,
            Self::AsItIs => 4,
            Self::Moved | Self::OwnerDown => 2,
            _ => 1,
        }
    }

    /// Whether a cell does not respond, so that nothing can be held there.
    pub(super) fn is_trouble(self) -> bool {
        matches!(self, Self::OwnerDown | Self::RegionDown | Self::OwnerBreaks)
    }

    /// Whether the place is one that moves with an organization.
    pub(super) fn moves(self) -> bool {
        matches!(self, Self::Moved | Self::MovedUnseen)
    }
}

impl Story {
    /// Brings the router into the situation of the scene; `moved` is the organization that moves.
    pub(super) fn bring_about(&mut self, scene: &Scene, stand: &Stand, moved: Option<&str>) {
        let visit = |story: &mut Self| story.get(stand, &stand.target);
        let owner = CellGroup::Cell(stand.place.cell.clone());
        let region = self.world.routers[0].clone();
        match scene.situation {
            Situation::AsItIs => {}
            Situation::Visited => visit(self),
            Situation::Moved | Situation::MovedUnseen => {
                let unseen = scene.situation == Situation::MovedUnseen && !self.changed;
                if unseen && !self.lags() {
                    let lagging = scene.pick(3, &[None, Some(region)]).clone();
                    self.world.conditions.push(Condition::Lag(lagging));
                }
                visit(self);
                self.moves(scene, moved);
            }
            Situation::Outlived => {
                self.world.ttl_ms = Some(LIFE);
                visit(self);
                self.act(WorldAction::PassTime { ms: LIFE + 30 });
            }
            Situation::OutlivedInUse => {
                self.world.ttl_ms = Some(LIFE);
                visit(self);
                self.act(WorldAction::PassTime { ms: LIFE / 2 });
                visit(self);
                self.act(WorldAction::PassTime { ms: LIFE / 2 + 30 });
            }
            Situation::Crowded => {
                visit(self);
                self.crowd(stand);
            }
            Situation::OwnerDown => {
                visit(self);
                self.act(WorldAction::TakeDown(owner.clone()));
            }
            Situation::RegionDown => {
                visit(self);
                self.act(WorldAction::TakeDown(CellGroup::Region(region.clone())));
            }
            Situation::OwnerBreaks => {
                let (cell, path) = (&stand.place.cell, &stand.target);
                let (resets, in_body) = (scene.number(3, 2) == 0, scene.number(4, 2) == 0);
                self.world.conditions.push(Condition::breaks_off(cell, path, resets, in_body));
                visit(self);
            }
            Situation::OwnerSlow => {
                let words = format!("responds to \"{}\" after {SLOW} ms", stand.target);
                let slow = Condition::of(&stand.place.cell, &words);
                if !self.world.conditions.contains(&slow) {
                    self.world.conditions.push(slow);
                }
                visit(self);
            }
            Situation::Restarted => {
                visit(self);
                // A router that stops waits for its open requests.
                if self.has_begun() {
                    self.act(WorldAction::Release);
                }
                self.act(WorldAction::Router { region, action: RouterAction::Restart });
            }
        }
    }

    /// Ends a situation that would hinder what follows.
    pub(super) fn end(&mut self, situation: Situation, stand: &Stand) {
        match situation {
            Situation::OwnerDown => {
                self.act(WorldAction::BringBack(CellGroup::Cell(stand.place.cell.clone())))
            }
            Situation::RegionDown => {
                let region = self.world.routers[0].clone();
                self.act(WorldAction::BringBack(CellGroup::Region(region)));
            }
            Situation::MovedUnseen if self.lags() => self.act(WorldAction::ReleaseReplicas),
            _ => return,
        }
        self.get(stand, &stand.target);
    }
}
