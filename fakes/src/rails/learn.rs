//! The learn endpoint: any cell tells which cell a path belongs to (LN-08, LN-09).

use axum::http::StatusCode;
use serde_json::json;

use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::request::Visit;
use super::response::{self, PageResult};
use super::routes::row_at;
use crate::wire;

/// Responds to a pre-flight.
pub(super) async fn learn(cell: &Cell, visit: &Visit) -> PageResult {
    let (method, path) =
        (visit.query_value(wire::METHOD_PARAMETER), visit.query_value(wire::PATH_INFO_PARAMETER));
    let (Some(_), Some(path)) = (method.filter(|method| !method.is_empty()), path) else {
        let (method, path) = (wire::METHOD_PARAMETER, wire::PATH_INFO_PARAMETER);
        let body = json!({ "message": format!("a pre-flight gives `{method}` and `{path}`") });
        return Ok(response::json(StatusCode::BAD_REQUEST, &body));
    };
    // Every pre-flight shows which cell the router chose, so an armed cast binds here whatever the
    // path.
    let _ = cell.role();
    let (asked, _) = row_at(&path);
    let decision = cell.parts.decision(cell, &asked, None).await?;
    Ok(match decision {
        RouteDecision {
            owner: owner @ (Owner::Node(_) | Owner::Role(_)),
            learn: Some(rule),
            ..
        } => {
            let mut body = json!({
                wire::PATH_MEMBER: rule.path,
                wire::CELL_MEMBER: cell.installation.plan.id_of(&cell.node_of(&owner)),
                wire::SOURCE_MEMBER: rule.source,
            });
            if rule.exact {
                body[wire::EXACT_MEMBER] = true.into();
            }
            response::json(StatusCode::OK, &body)
        }
        _ => response::json(StatusCode::NOT_FOUND, &json!({ "message": "404 Not Found" })),
    })
}
