//! The learn endpoint: any cell tells which cell a path belongs to (LN-08, LN-09).

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::ownership::{Ground, Owner};
use super::request::Visit;
use super::{Cell, answer};

/// Answers a pre-flight.
pub(super) async fn learn(cell: &Cell, visit: &Visit) -> Response {
    let (method, path) = (visit.query_value("method"), visit.query_value("path_info"));
    let (Some(_), Some(path)) = (method.filter(|method| !method.is_empty()), path) else {
        let told = json!({ "message": "a pre-flight gives `method` and `path_info`" });
        return answer::json(StatusCode::BAD_REQUEST, &told);
    };
    match cell.ground_of_path(&path).await {
        Ground { owner: owner @ (Owner::Seat(_) | Owner::Role(_)), memory: Some(memory), .. } => {
            let mut told = json!({ "path": memory.path, "cell": cell.seat_of(&owner).id(), "source": memory.source });
            if memory.exact {
                told["exact"] = true.into();
            }
            answer::json(StatusCode::OK, &told)
        }
        _ => answer::json(StatusCode::NOT_FOUND, &json!({ "message": "404 Not Found" })),
    }
}
