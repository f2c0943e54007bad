//! What mutants store on one cell, where sound cells use the shared databases.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use crate::CellId;

/// The notes of all cells of a fleet. Empty where the cells are sound.
#[derive(Debug, Default)]
pub(super) struct Notes {
    of_cells: Mutex<BTreeMap<CellId, OfCell>>,
    /// The first cell that received each session.
    met: Mutex<BTreeMap<String, CellId>>,
}

#[derive(Debug, Default)]
struct OfCell {
    /// Sessions that were made here, with the names of their users.
    sessions: BTreeMap<String, String>,
    /// Tokens that were made here, with the names of their users.
    tokens: BTreeMap<String, String>,
    /// Sessions that were ended here.
    ended: Vec<String>,
}

impl Notes {
    pub(super) fn add_session(&self, cell: &CellId, session: String, user: &str) {
        self.lock().entry(cell.clone()).or_default().sessions.insert(session, user.to_owned());
    }

    /// The name of the user who signed in here with this session.
    pub(super) fn user_of(&self, cell: &CellId, session: &str) -> Option<String> {
        self.lock().get(cell)?.sessions.get(session).cloned()
    }

    pub(super) fn add_token(&self, cell: &CellId, token: String, user: &str) {
        self.lock().entry(cell.clone()).or_default().tokens.insert(token, user.to_owned());
    }

    /// The name of the user for whom this token was made here.
    pub(super) fn user_of_token(&self, cell: &CellId, token: &str) -> Option<String> {
        self.lock().get(cell)?.tokens.get(token).cloned()
    }

    /// Whether no other cell received this session before.
    pub(super) fn meets_first(&self, cell: &CellId, session: &str) -> bool {
        let mut met = self.met.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        met.entry(session.to_owned()).or_insert_with(|| cell.clone()) == cell
    }

    pub(super) fn end_session(&self, cell: &CellId, session: &str) {
        self.lock().entry(cell.clone()).or_default().ended.push(session.to_owned());
    }

    /// Whether the session was ended here.
    pub(super) fn has_ended(&self, cell: &CellId, session: &str) -> bool {
        self.lock().get(cell).is_some_and(|notes| notes.ended.iter().any(|ended| ended == session))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<CellId, OfCell>> {
        // Each note is one insertion, so the notes are whole even after a panic.
        self.of_cells.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
