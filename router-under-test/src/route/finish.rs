//! The last steps of an answer on its way to the user.

use std::time::Duration;

use http::{Response, StatusCode, Version};
use rand::RngExt as _;

use crate::headers;
use crate::upstream::CellBody;

/// Makes a cell's answer the user's.
pub(super) async fn answer(mut answer: Response<CellBody>, not_found_delay: Duration) -> Response<CellBody> {
    headers::of_response(answer.headers_mut());
    // The version is that of the connection, which is the user's from here on.
    *answer.version_mut() = Version::HTTP_11;
    if answer.status() == StatusCode::NOT_FOUND && !not_found_delay.is_zero() {
        // A private place and one that does not exist should take the same time (PR-05).
        let delay = rand::rng().random_range(Duration::ZERO..=not_found_delay);
        Box::pin(tokio::time::sleep(delay)).await;
    }
    answer
}
