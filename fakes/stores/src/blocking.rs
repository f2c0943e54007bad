//! Work that blocks.

use cell_fleet::{StoreError, Stored};

/// Runs what blocks, on other threads than the requests of the fleet.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Stored<T> + Send + 'static,
) -> Stored<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(StoreError::new("real stores", error.to_string())))
}
