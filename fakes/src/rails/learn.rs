//! The learn endpoint: any cell tells which cell a path belongs to (LN-08, LN-09).

use axum::http::StatusCode;
use serde_json::json;

use super::ownership::{Owner, RouteDecision};
use super::request::Visit;
use super::response::PageResult;
use super::{Cell, mutated, response};
use crate::mutants::Mutation;
use crate::wire;

/// Responses a pre-flight.
pub(super) async fn learn(cell: &Cell, visit: &Visit) -> PageResult {
    let (method, path) =
        (visit.query_value(wire::METHOD_PARAMETER), visit.query_value(wire::PATH_INFO_PARAMETER));
    let (Some(method), Some(path)) = (method.filter(|method| !method.is_empty()), path) else {
        let told = json!({ "message": format!("a pre-flight gives `{}` and `{}`", wire::METHOD_PARAMETER, wire::PATH_INFO_PARAMETER) });
        return Ok(response::json(StatusCode::BAD_REQUEST, &told));
    };
    if cell.has(Mutation::NamesNobodyForWrites)
        && method != "GET"
        && cell.node != *cell.installation.latest()
    {
        return Ok(response::json(StatusCode::OK, &json!({ wire::PATH_MEMBER: path })));
    }
    // Whatever is asked about, the router's choice shows here: whoever is cast plays its role from
    // now on.
    let _ = cell.role();
    let decision = cell.decide_path(&path).await?;
    let withheld = mutated::withholds(cell, visit, &decision).await?;
    Ok(match decision {
        RouteDecision {
            owner: owner @ (Owner::Node(_) | Owner::Role(_)),
            memory: Some(memory),
            ..
        } if !withheld => {
            let mut told = json!({
                wire::PATH_MEMBER: memory.path,
                wire::CELL_MEMBER: cell.installation.plan.id_of(&cell.node_of(&owner)),
                wire::SOURCE_MEMBER: memory.source,
            });
            if memory.exact {
                told[wire::EXACT_MEMBER] = true.into();
            }
            response::json(StatusCode::OK, &told)
        }
        _ => response::json(StatusCode::NOT_FOUND, &json!({ "message": "404 Not Found" })),
    })
}
