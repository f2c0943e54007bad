//! What does the phases of a move; another one can take its place.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;

use crate::CellId;
use crate::moves::{MovePhase, UnderWay};
use crate::rails::control::error::ControlError;
use crate::rails::installation::Installation;
use crate::rows::{Id, IdTable, OrganizationRows, StoreError};

/// Does the phases of an organization's move.
#[async_trait]
pub trait Mover: fmt::Debug + Send + Sync {
    /// Does one phase; half of it where the mover dies.
    async fn phase(
        &self,
        installation: &Installation,
        slug: &str,
        under_way: &mut UnderWay,
        phase: MovePhase,
        dies: bool,
    ) -> Result<(), ControlError> {
        installation.phase(slug, under_way, phase, dies).await
    }

    /// Gives fresh ids to moving rows whose ids are unique on their cell alone: the same ones as an
    /// earlier copy, if there was one. Returns how many.
    async fn renumber(
        &self,
        installation: &Installation,
        rows: &mut OrganizationRows,
        from: &CellId,
        to: &CellId,
        fresh: &mut BTreeMap<(IdTable, Id), Id>,
    ) -> Result<usize, StoreError> {
        let _ = from;
        installation.renumber(rows, to, fresh).await
    }
}

/// The mover of correct cells.
#[derive(Debug)]
pub struct CorrectMover;

impl Mover for CorrectMover {}
