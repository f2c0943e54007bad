//! The release of what the fleet holds.

use tokio::sync::watch;

/// The release, as one held response waits for it.
pub(crate) struct Release {
    released: watch::Receiver<bool>,
    on_release: Box<dyn FnOnce() + Send>,
}

impl Release {
    pub(crate) fn new(
        released: watch::Receiver<bool>,
        on_release: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self { released, on_release: Box::new(on_release) }
    }

    /// Waits for the release, then reports it.
    pub(crate) async fn wait(mut self) {
        // The sender lives as long as the cells; without it, nothing is held.
        let _ = self.released.wait_for(|released| *released).await;
        (self.on_release)();
    }
}
