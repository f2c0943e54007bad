//! A request to a cell.

use http::uri::PathAndQuery;
use http::{HeaderMap, Method, Request};

use crate::body::Outgoing;

/// A request to a cell. It is boxed because each step on its way to the cell holds it, and because an
/// error brings it back where the cell got nothing of it.
pub(crate) type CellRequest = Box<Request<Outgoing>>;

/// Puts a request together.
pub(crate) fn request_to_cell(
    method: Method,
    target: PathAndQuery,
    headers: HeaderMap,
    body: Outgoing,
) -> CellRequest {
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = target.into();
    *request.headers_mut() = headers;
    Box::new(request)
}
