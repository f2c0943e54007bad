//! Work that blocks.

use cell_fleet::StoreError;

/// Runs what blocks, on other threads than the requests of the fleet.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(StoreError::new("real stores", error.to_string())))
}
