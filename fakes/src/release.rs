//! The release of held responses: how a response that the fleet holds waits for it.

use tokio::sync::watch;

/// The release of what the fleet holds, as one response waits for it.
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

    /// Ends with the release.
    pub(crate) async fn wait(mut self) {
        // The sender lives as long as the cells; should it be gone, nothing is held any more.
        let _ = self.released.wait_for(|released| *released).await;
        (self.on_release)();
    }
}
