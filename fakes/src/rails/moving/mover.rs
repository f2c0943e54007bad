//! What does the phases of a move; another one can take its place.

use std::fmt;

use async_trait::async_trait;

use crate::moves::{MovePhase, UnderWay};
use crate::rails::control::ControlError;
use crate::rails::installation::Installation;

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
}

/// The mover of correct cells.
#[derive(Debug)]
pub struct CorrectMover;

impl Mover for CorrectMover {}
