//! What is done to each response of a cell on its way to the user: all of it is here. Whether it can
//! be passed on was checked where it was read; how it is framed is decided where it is written.

use std::time::Duration;

use http::{Response, StatusCode, Version};
use rand::RngExt as _;

use super::location;
use crate::config::Topology;
use crate::headers;
use crate::upstream::CellBody;

/// Makes a cell's response the user's.
pub(super) async fn response(
    mut response: Response<CellBody>,
    topology: &Topology,
) -> Response<CellBody> {
    location::hide_cells(response.headers_mut(), topology);
    headers::of_response(response.status(), response.headers_mut());
    // The version is that of the connection, which is the user's from here on.
    *response.version_mut() = Version::HTTP_11;
    let not_found_delay = topology.not_found_delay;
    if response.status() == StatusCode::NOT_FOUND && !not_found_delay.is_zero() {
        // A private page and one that does not exist should take the same time (PR-05).
        let delay = rand::rng().random_range(Duration::ZERO..=not_found_delay);
        Box::pin(tokio::time::sleep(delay)).await;
    }
    response
}
