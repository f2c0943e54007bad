//! The stores of sessions as a cell uses them: the journal has every access.

use std::sync::Arc;
use std::time::Duration;

use super::jwt::Claims;
use super::{Revocation, SessionStore};
use crate::journal::{Access, Journal};
use crate::rows::{Position, Stored};
use crate::{CellId, Region};

const SCHEMA: &str = "sessions";

/// The stores of all regions, with their accesses in the journal.
#[derive(Clone, Debug)]
pub struct RegionalSessions {
    pub regions: Vec<Region>,
    store: Arc<dyn SessionStore>,
    journal: Arc<Journal>,
}

impl RegionalSessions {
    /// The stores of these regions.
    pub fn new(regions: Vec<Region>, store: Arc<dyn SessionStore>, journal: Arc<Journal>) -> Self {
        Self { regions, store, journal }
    }

    /// The region that a session names, where the fleet has it.
    pub fn region_of(&self, session: &str) -> Option<&Region> {
        let (region, _) = session.split_once('-')?;
        self.regions.iter().find(|known| known.to_string() == region)
    }

    /// The name of a session's user, from the store of a region. `None` for the cell is a control
    /// of the fleet, whose accesses are not in the journal.
    pub async fn user_of(
        &self,
        cell: &CellId,
        region: &Region,
        session: &str,
    ) -> Stored<Option<String>> {
        let read = self.store.user_of(region, session).await;
        self.entered(Some(cell), region, "sessions", false, read)
    }

    /// Writes a session into the store of a region, for a cell or, without one, from outside.
    pub async fn add(
        &self,
        cell: Option<&CellId>,
        region: &Region,
        session: &str,
        user: &str,
    ) -> Stored<()> {
        let written = self.store.add(region, session, user).await;
        self.entered(cell, region, "sessions", true, written)
    }

    /// Ends a session in the store of a region.
    pub async fn end(&self, cell: Option<&CellId>, region: &Region, session: &str) -> Stored<()> {
        let written = self.store.end(region, session).await;
        self.entered(cell, region, "sessions", true, written)
    }

    /// Ends the sessions of a user in the store of a region, all but one.
    pub async fn end_others(
        &self,
        cell: &CellId,
        region: &Region,
        user: &str,
        keep: Option<&str>,
    ) -> Stored<()> {
        let written = self.store.end_others(region, user, keep).await;
        self.entered(Some(cell), region, "sessions", true, written)
    }

    /// Writes a revocation into the list of a region (SE-11).
    pub async fn revoke(
        &self,
        cell: Option<&CellId>,
        region: &Region,
        revocation: &Revocation,
    ) -> Stored<()> {
        let written = self.store.revoke(region, revocation).await;
        self.entered(cell, region, "revocations", true, written)
    }

    /// Whether the list of a region revokes a token.
    pub async fn is_revoked(&self, cell: &CellId, region: &Region, token: &Claims) -> Stored<bool> {
        let read = self.store.is_revoked(region, token).await;
        self.entered(Some(cell), region, "revocations", false, read)
    }

    /// Enters an access of a cell, and the failure of any.
    fn entered<T>(
        &self,
        cell: Option<&CellId>,
        region: &Region,
        table: &'static str,
        write: bool,
        result: Stored<T>,
    ) -> Stored<T> {
        if let Err(error) = &result {
            let verb = if write { "writing" } else { "reading" };
            let access = format!("{verb} {SCHEMA}.{table} of {region}");
            self.journal.store_failed(cell, access, error);
        } else if let Some(cell) = cell {
            let access = Access { cell, schema: SCHEMA, table, write };
            let (server, position) = (format!("store {region}"), Position::default());
            access.made_at(&self.journal, server, position, Duration::ZERO);
        }
        result
    }
}
