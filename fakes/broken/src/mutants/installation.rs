//! The installation as a whole: its cells, and whether one cell is enough.

use std::net::SocketAddr;
use std::sync::Arc;

use async_trait::async_trait;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use cell_fleet::inside::{
    Asked, Call, Cell, Endpoint, Owner, PageResult, Parts, RouteDecision, Viewer, response,
};
use cell_fleet::wire;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::mutant::mutants;
use crate::ways::{Decides, Pages, Refuses, Serves, beside};

mutants! {
    LegacyCellKeepsItsRegion: Both, "RT-15",
        "cells treat Cell US0 as the owner of every namespace of its region"
            => Decides(legacy_cell_keeps_its_region);
    OneCellToARegion: Both, "RT-16", "the second cell of each region refuses everything with 503"
            => Refuses(is_second);
    AsksANeighbor: Both, "RT-17", "a cell asks the next one for a part of each page"
            => AsksANeighbor;
    LoneCellWithoutOrganizations: Both, "SC-01",
        "an installation of one cell has no pages of organizations" => Pages(without_organizations);
    LoneCellWaitsForAService: Both, "SC-02",
        "the only cell responds with 503, since it lacks a service of larger installations"
            => Refuses(is_alone);
    LoneCellPointsToItself: Both, "SC-03", "the only cell names itself in a redirect header"
            => Serves(pointing_to_itself);
}

fn legacy_cell_keeps_its_region(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    let latest = cell.installation.latest();
    let is_kept = decision.route.as_ref().is_some_and(|row| row.cell.region() == latest.region());
    if is_kept && matches!(asked.endpoint, Endpoint::Place | Endpoint::Repository(_)) {
        decision.owner = Owner::Role(latest.clone());
    }
}

fn is_second(cell: &Cell) -> bool {
    cell.node.number() == 1
}

fn is_alone(cell: &Cell) -> bool {
    cell.installation.plan.topology.cells.len() == 1
}

#[derive(Debug)]
struct AsksANeighbor;

#[async_trait]
impl Parts for AsksANeighbor {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        // A request to a neighbor has no mark, so that cells do not ask each other forever.
        if request.headers().contains_key(wire::CONFORMANCE_ID) && !is_alone(cell) {
            let addresses = cell.installation.addresses.get();
            let neighbor = beside(cell, &cell.node);
            if let Some(address) = addresses.and_then(|addresses| addresses.get(&neighbor)) {
                ask(*address).await;
            }
        }
        Ok(application.run(request).await)
    }
}

const PART_OF_A_PAGE: &[u8] =
    b"GET /-/counts HTTP/1.1\r\nHost: cell.internal\r\nConnection: close\r\n\r\n";

/// Asks, and reads the response to its end. The page does not need the part, so errors are ignored.
async fn ask(neighbor: SocketAddr) {
    if let Ok(mut connection) = TcpStream::connect(neighbor).await
        && connection.write_all(PART_OF_A_PAGE).await.is_ok()
    {
        let _ = connection.read_to_end(&mut Vec::new()).await;
    }
}

fn without_organizations(call: &Call) -> Option<Response> {
    let is_missing = call.asked.endpoint == Endpoint::Organization && is_alone(&call.cell);
    is_missing.then(|| call.not_found())
}

fn pointing_to_itself(call: &Call, response: &mut Response) {
    if is_alone(&call.cell) {
        let itself = wire::redirect_value(&call.cell.node.name());
        response::add_field(response, wire::CELL_REDIRECT, &itself);
    }
}
