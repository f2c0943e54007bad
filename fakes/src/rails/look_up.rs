//! A request as the table of routes matches it, and what the table tells about a path.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use tower::ServiceExt;

use super::cell::Cell;
use super::decision::{Owner, RouteDecision};
use super::endpoint::as_in_the_table;
use crate::database::StoreError;

/// The path as it was sent, before the table matched it.
#[derive(Clone, Debug)]
pub(super) struct RawPath(pub(super) String);

/// A request to a cell, as the table matches it.
pub(super) fn for_the_table(mut request: Request, sent: String, cell: &Arc<Cell>) -> Request {
    *request.uri_mut() = as_in_the_table(&sent);
    request.extensions_mut().insert(RawPath(sent));
    request.extensions_mut().insert(cell.clone());
    request
}

/// The route decision for a path, which passes the table as a request does (LN-08).
pub(super) async fn decide(cell: &Arc<Cell>, path: &str) -> Result<RouteDecision, StoreError> {
    // Not by way of a URI: a question mark in what a pre-flight asks about begins no query.
    let request = for_the_table(Request::new(Body::empty()), path.to_owned(), cell);
    let responded = cell.table.clone().oneshot(request).await;
    let (mut head, _) = responded.unwrap_or_else(|never| match never {}).into_parts();
    match head.extensions.remove::<StoreError>() {
        Some(error) => Err(error),
        None => Ok(head.extensions.remove().unwrap_or_else(|| RouteDecision::of(Owner::Missing))),
    }
}
