//! The application of one cell: the table of routes, and what every request passes before it.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower::ServiceBuilder;
use tower::util::MapRequestLayer;

use super::cell::Cell;
use super::decision::RouteDecision;
use super::installation::Installation;
use super::look_up::for_the_table;
use super::moving::gate::Gate;
use super::parts::{CorrectParts, Parts};
use super::request::Visit;
use super::response::PageResult;
use super::routes::TABLE;
use super::{git, response};
use crate::CellId;
use crate::database::StoreError;
use crate::git::on_disk::Repository;

/// The application of a cell, named as the topology does.
pub(crate) fn application(
    installation: Arc<Installation>,
    node: CellId,
    parts: Arc<dyn Parts>,
) -> Router {
    let stores = parts.stores(&node, installation.stores.clone());
    let database = installation.connection(&node, stores);
    let sessions = installation.sessions.clone();
    let table = TABLE.clone();
    let cell = Arc::new(Cell { installation, node, database, parts, sessions, table });
    // The first layer is the outermost.
    let layers = ServiceBuilder::new()
        .layer(from_fn(failing_store))
        .layer(from_fn_with_state(cell.clone(), wrap))
        .layer(from_fn_with_state(cell.clone(), repositories_on_disk))
        .layer(from_fn(read))
        .layer(MapRequestLayer::new(move |request: Request| {
            let sent = request.uri().path().to_owned();
            for_the_table(request, sent, &cell)
        }));
    Router::new().fallback_service(layers.service(TABLE.clone()))
}

impl Installation {
    /// The application of a cell, named as the topology does, without a server around it.
    pub fn application(self: &Arc<Self>, node: &CellId) -> Router {
        application(self.clone(), node.clone(), Arc::new(CorrectParts))
    }
}

/// Where a store failed, the response says so. The journal has the failure already, and the fleet
/// reports it when it stops.
async fn failing_store(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let mut responded = next.run(request).await;
    match responded.extensions_mut().remove::<StoreError>() {
        Some(error) => response::store_failed(&path, &error),
        None => responded,
    }
}

async fn wrap(State(cell): State<Arc<Cell>>, request: Request, next: Next) -> PageResult {
    cell.parts.wrap(&cell, request, next).await
}

/// Git bodies are streamed, since they may be larger than memory.
async fn repositories_on_disk(
    State(cell): State<Arc<Cell>>,
    request: Request,
    next: Next,
) -> PageResult {
    let path = request.uri().path().to_owned();
    let Some((repository, decision)) = cell.repository_of_its_own(&path).await? else {
        return Ok(next.run(request).await);
    };
    let gate = match path.ends_with("/git-receive-pack") {
        true => cell.begin_at(&path).await?,
        false => Gate::Open { begun: None },
    };
    let _begun = match gate {
        Gate::Open { begun } => begun,
        Gate::Closed(refused) => return Ok(refused),
    };
    let mut responded = git::serve(repository, &cell.installation.plan, request).await;
    cell.teach(&mut responded, &decision);
    Ok(responded)
}

impl Cell {
    /// The repository at or above this path, if this cell is the one that serves it now.
    async fn repository_of_its_own(
        &self,
        path: &str,
    ) -> Result<Option<(&Repository, RouteDecision)>, StoreError> {
        let Some(repository) = self.repository(path) else { return Ok(None) };
        let decision = self.place(path).await?;
        Ok(self.is(&decision.owner).then_some((repository, decision)))
    }
}

/// Any other request is read to its end before the cell decides about it.
async fn read(request: Request, next: Next) -> Response {
    let Ok((visit, mut request)) = Visit::read(request).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    request.extensions_mut().insert(Arc::new(visit));
    next.run(request).await
}
