//! Search over all cells. The documents leave it open, except that it must not break (TD-07,
//! TD-08).
//!
//! It reads only the shared databases, so that every cell gives the same response. It is a global
//! page, so members of organizations are led to their dashboard (OR-07, A-83).

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::dashboard::way_home;
use crate::rails::call::Call;
use crate::rails::layout::{Escaped, Page, links};
use crate::rails::response::{self, PageResult};

/// `/search`: finds the public path that was typed.
pub(in crate::rails) async fn results(call: Call) -> PageResult {
    if let Some(home) = call.viewer.user.as_ref().and_then(way_home) {
        return Ok(home);
    }
    let term = call.visit.query_value("search").unwrap_or_default();
    let path = format!("/{}", term.trim().trim_matches('/'));
    let covering = call.cell.database.routes(&path).await?;
    let found: Vec<_> = covering
        .into_iter()
        .map(|covering| covering.route)
        .filter(|route| route.public && route.path == path)
        .collect();
    let result = match found.as_slice() {
        [] => "<p>Nothing was found.</p>\n".to_owned(),
        found => links(found.iter().map(|route| (route.path.clone(), route.path.as_str()))),
    };
    Ok(Page::new("Search")
        .html(format_args!(
            "<form action=\"/search\"><label>Path of a group or project <input name=\"search\" \
             value=\"{}\"></label> <button>Search</button></form>\n",
            Escaped(&term)
        ))
        .html(result)
        .response(call.viewer.user.as_ref()))
}

/// `/search/autocomplete`: suggestions for the search bar.
pub(in crate::rails) async fn autocomplete(call: Call) -> Response {
    let term = call.visit.query_value("term").unwrap_or_default().to_lowercase();
    let pages =
        [("Dashboard", "/"), ("New group", "/groups/new"), ("Settings", "/-/user_settings")];
    let matching = pages
        .iter()
        .filter(|(label, _)| call.viewer.user.is_some() && label.to_lowercase().contains(&term));
    let suggestions: Vec<_> =
        matching.map(|(label, url)| json!({ "label": label, "url": url })).collect();
    response::json(StatusCode::OK, &json!(suggestions))
}
