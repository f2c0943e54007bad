//! The topology file as the system gives it: perhaps slowly, or not at all.

use std::io;
use std::path::Path;
use std::time::Duration;

use tokio::task::spawn_blocking;

/// How long a router that serves waits for the file. A network file system may hang.
pub(super) const LIMIT: Duration = Duration::from_secs(10);

/// Reads a regular file; to open a pipe would be to wait until somebody writes.
pub(super) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    std::fs::read(path)
}

/// Reads on another thread, which is left behind where that takes longer than `limit`.
pub(super) async fn aside(
    limit: Duration,
    read: impl FnOnce() -> io::Result<Vec<u8>> + Send + 'static,
) -> io::Result<Vec<u8>> {
    match tokio::time::timeout(limit, spawn_blocking(read)).await {
        Ok(read) => read.unwrap_or_else(|error| Err(error.into())),
        Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "it takes too long")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn a_file_that_does_not_come_is_not_waited_for() {
        let (go_on, wait) = std::sync::mpsc::channel::<()>();
        let hangs = move || {
            // Until the test has its outcome.
            let _ = wait.recv();
            Ok(Vec::new())
        };
        let error = aside(Duration::from_millis(20), hangs).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(go_on);
        assert_eq!(aside(LIMIT, || Ok(vec![1])).await.unwrap(), [1]);
    }
}
