//! The moves that have begun and not ended, written down so that a dead mover can be replaced.

use std::collections::BTreeMap;

use super::phase::MovePhase;
use super::side::ProjectStores;
use crate::CellId;
use crate::lock::Lock;
use crate::rows::{Counters, Id, IdTable, Job, OrganizationRows};

/// A move that has begun.
#[derive(Clone, Debug)]
pub struct UnderWay {
    /// The cell that has the organization, by its role.
    pub from: CellId,
    /// The cell that gets it, by its role.
    pub to: CellId,
    /// The last phase that is done.
    pub done: Option<MovePhase>,
    /// What has been copied so far; not visible on the new cell before the switch.
    pub copied: Copied,
    /// The fresh ids of rows whose ids are unique on their cell alone, the same in each copy.
    pub fresh: BTreeMap<(IdTable, Id), Id>,
}

impl UnderWay {
    /// A move that begins.
    pub fn new(from: CellId, to: CellId) -> Self {
        let (copied, fresh) = (Copied::default(), BTreeMap::new());
        Self { from, to, done: None, copied, fresh }
    }
}

/// The data of an organization.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Copied {
    /// The rows of its cell's database.
    pub rows: OrganizationRows,
    /// What is kept of each project outside the databases.
    pub side: Vec<(Id, ProjectStores)>,
    /// What Redis has of each project.
    pub state: Vec<(Id, Counters)>,
    /// The jobs that have not ended, where the cell has its own queue.
    pub jobs: Vec<Job>,
}

impl Copied {
    /// The ids of the projects.
    pub fn projects(&self) -> Vec<Id> {
        self.side.iter().map(|(project, _)| *project).collect()
    }

    /// Loses what a mover that dies in the middle of a copy has not copied yet.
    pub fn lose_half(&mut self) {
        self.rows.notes.clear();
        self.rows.merge_requests.clear();
        for (_, stores) in &mut self.side {
            stores.repository.objects.clear();
        }
    }
}

/// The record of moves, by the slugs of their organizations.
#[derive(Debug, Default)]
pub struct Moves(Lock<BTreeMap<String, UnderWay>>);

impl Moves {
    /// The move of an organization, where one is under way.
    pub fn of(&self, organization: &str) -> Option<UnderWay> {
        self.0.lock().get(organization).cloned()
    }

    /// Writes a move down.
    pub fn put(&self, organization: &str, under_way: UnderWay) {
        self.0.lock().insert(organization.to_owned(), under_way);
    }

    /// Removes a move from the record.
    pub fn end(&self, organization: &str) {
        self.0.lock().remove(organization);
    }
}
