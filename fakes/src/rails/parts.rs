//! The parts of a cell that another one can take the place of.
//!
//! A correct cell has [`CorrectParts`]. Cells that differ from it in one thing are made around it,
//! and the rest of the application knows nothing of them: they override one of these methods, and
//! call what a correct cell does where they need it. There are ten such places. Seven are here:
//!
//! - what stands [around](Parts::wrap) a cell sees bytes as a router does, and nothing else;
//! - the [sender](Parts::viewer), the [owner](Parts::decision) and the [gate](Parts::gate) for
//!   writes are the three decisions that precede each page;
//! - a [page](Parts::page) alone knows all three;
//! - what stands [in front](Parts::front) of the shared databases sees what a cell writes, and
//!   settings that it reads;
//! - the [mover](Parts::mover) acts without a request.
//!
//! Three have other uses, above the stores in `StoreFactory`: the allocator of ids, of which each
//! strategy has one, the rules of leases, which both kinds of stores obey, and the choice of
//! servers.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::Request;
use axum::middleware::Next;

use super::call::Call;
use super::cell::Cell;
use super::decision::RouteDecision;
use super::endpoint::Asked;
use super::moving::gate::Gate;
use super::moving::{CorrectMover, Mover};
use super::request::{Viewer, Visit};
use super::response::PageResult;
use super::routes::RowPage;
use crate::FleetPlan;
use crate::database::{CorrectFront, Front, Stored};
use crate::plan::Protocol;

/// Makes the parts of a fleet's cells, new for each fleet.
pub trait MakesParts: fmt::Debug + Send + Sync {
    /// The parts of cells that follow this protocol.
    fn parts(&self, protocol: Protocol) -> Arc<dyn Parts>;
}

/// What decides in a cell. Each method does what a correct cell does, unless it is overridden.
#[async_trait]
pub trait Parts: fmt::Debug + Send + Sync {
    /// The plan of the fleet, which is data, and names the stores.
    fn plan(&self, plan: FleetPlan) -> FleetPlan {
        plan
    }

    /// What does the phases of a move.
    fn mover(&self) -> Arc<dyn Mover> {
        Arc::new(CorrectMover)
    }

    /// What stands in front of the shared databases, new for each cell.
    fn front(&self) -> Arc<dyn Front> {
        Arc::new(CorrectFront)
    }

    /// Stands around the whole application: sees each request as it came, and each response as it
    /// leaves.
    async fn wrap(&self, _cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        Ok(application.run(request).await)
    }

    /// Identifies the sender. Any cell can authenticate any user (RT-13).
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Stored<Viewer> {
        Viewer::from_visit(cell, visit).await
    }

    /// Decides who owns what is asked for. A pre-flight has neither a visit nor a sender, and the
    /// path alone decides (LN-11, LN-23).
    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Stored<RouteDecision> {
        match by {
            Some((visit, viewer)) => cell.decide_request(asked, visit, viewer).await,
            None => cell.decide_path(asked).await,
        }
    }

    /// Decides whether a cell takes a write of an organization that may be moving (MV-03).
    async fn gate<'c>(
        &self,
        cell: &'c Cell,
        asked: &Asked,
        visit: &Visit,
        decision: &RouteDecision,
    ) -> Stored<Gate<'c>> {
        cell.begin(asked, visit, decision).await
    }

    /// Makes the response on the cell that owns what is asked for. The sender and the owner are
    /// known here, and outside of it they are not.
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        Ok(page.run(call).await)
    }
}

/// The parts of a correct cell.
#[derive(Debug)]
pub struct CorrectParts;

impl Parts for CorrectParts {}
