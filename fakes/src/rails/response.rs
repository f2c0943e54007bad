//! Responses that are not pages.

use axum::Extension;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::layout::{Escaped, Page};
use super::path;
use crate::database::{StoreError, Stored};
use crate::wire;

/// A redirect of the user. It is relative, so that it names no cell.
pub fn redirect(to: &str) -> Response {
    // A text that cannot be a field value is not a path of this installation.
    let location =
        HeaderValue::from_bytes(to.as_bytes()).unwrap_or_else(|_| HeaderValue::from_static("/"));
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// A redirect of the user to the sign-in page, which leads back to the target (LG-01).
pub fn sign_in(target: &str) -> Response {
    redirect(&path::sign_in_for(target))
}

/// A redirect of the router to the cell with this name. It is not for the user, and precedes any
/// side effect (BF-02, A-57).
pub fn bounce(target: &str, owner: &str) -> Response {
    let mut response = redirect(target);
    add_field(&mut response, wire::CELL_REDIRECT, &wire::redirect_value(owner));
    response
}

/// Adds a field line, unless the value is not a valid field value.
pub fn add_field(response: &mut Response, name: &str, value: &str) {
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::from_str(value)) {
        response.headers_mut().append(name, value);
    }
}

pub fn json(status: StatusCode, value: &serde_json::Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// The response of an API to what it does not accept.
pub fn refused(why: &str) -> Response {
    json(StatusCode::UNPROCESSABLE_ENTITY, &serde_json::json!({ "message": why }))
}

/// The response of a page that a store failed. What stands around the application gives it its form.
impl IntoResponse for StoreError {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, Extension(self)).into_response()
    }
}

/// A page, or the failure of a store that it needs.
pub type PageResult = Stored<Response>;

/// Why a form has no effect.
#[derive(Debug)]
pub enum Refusal {
    /// What was sent is not acceptable; the text tells the user why.
    Invalid(String),
    /// A store failed.
    Store(StoreError),
}

impl From<String> for Refusal {
    fn from(text: String) -> Self {
        Self::Invalid(text)
    }
}

impl From<&str> for Refusal {
    fn from(text: &str) -> Self {
        Self::Invalid(text.to_owned())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The result of a form, with the text of a refusal; or the failure of a store.
pub fn accepted<T>(result: Result<T, Refusal>) -> Stored<Result<T, String>> {
    match result {
        Ok(done) => Ok(Ok(done)),
        Err(Refusal::Invalid(text)) => Ok(Err(text)),
        Err(Refusal::Store(error)) => Err(error),
    }
}

/// The response where a store failed: an error of the installation, which names the store.
pub fn store_failed(path: &str, error: &StoreError) -> Response {
    // A planned outage is temporary: 503 with Retry-After, not 500.
    if error.is_planned() {
        let message = serde_json::json!({ "message": format!("503 Service Unavailable: {error}") });
        let mut response = json(StatusCode::SERVICE_UNAVAILABLE, &message);
        add_field(&mut response, "Retry-After", "1");
        return response;
    }
    const STATUS: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;
    let message = format!("500 Internal Server Error: {error}");
    if path::is_at_or_below(path, "/api") {
        return json(STATUS, &serde_json::json!({ "message": message }));
    }
    let page = Page::new("Internal server error").status(STATUS);
    page.html(format_args!("<p>{}</p>\n", Escaped(&message))).response(None)
}

/// The response for what does not exist and for what the user may not see. Neither its body nor its
/// fields reveal which (PR-03, PR-06).
pub fn not_found(path: &str) -> Response {
    if path::is_at_or_below(path, "/api") {
        return json(StatusCode::NOT_FOUND, &serde_json::json!({ "message": "404 Not Found" }));
    }
    let page = Page::new("Page not found").status(StatusCode::NOT_FOUND);
    page.html(
        "<p>There is no such page, or you may not see it.</p>\n\
        <p><a href=\"/\">To the start page</a></p>\n",
    )
    .response(None)
}
