//! Servers that are started when they are first asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use cell_fleet::Stored;
use tokio::sync::Mutex;

use crate::blocking::blocking;

/// Servers by what they are for, such as a region or a cell.
#[derive(Debug)]
pub(super) struct OnDemand<K, S>(Arc<Mutex<BTreeMap<K, Arc<S>>>>);

impl<K, S> Default for OnDemand<K, S> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Ord + Clone + Send + 'static, S: Send + Sync + 'static> OnDemand<K, S> {
    /// The server for this key. It is started if it does not run yet. A start that was begun goes
    /// on even if its caller stops waiting, and the next caller gets its server: two starts of one
    /// server would disturb each other.
    ///
    /// # Errors
    /// Where the server does not start. The next who asks has it started again.
    pub(super) async fn get(
        &self,
        of: &K,
        start: impl FnOnce() -> Stored<S> + Send + 'static,
    ) -> Stored<Arc<S>> {
        if let Some(server) = self.0.lock().await.get(of) {
            return Ok(server.clone());
        }
        let (servers, of) = (self.0.clone(), of.clone());
        blocking(move || {
            let mut servers = servers.blocking_lock();
            if let Some(server) = servers.get(&of) {
                return Ok(server.clone());
            }
            let server = Arc::new(start()?);
            servers.insert(of, server.clone());
            Ok(server)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use cell_fleet::StoreError;

    use super::*;

    #[tokio::test]
    async fn a_start_that_nobody_waits_for_any_more_serves_the_next() {
        let (servers, starts) = (Arc::new(OnDemand::default()), Arc::new(AtomicUsize::new(0)));
        let (begun, has_begun) = mpsc::channel();
        let (go_on, may_go_on) = mpsc::channel::<()>();
        let (first, counted) = (servers.clone(), starts.clone());
        let asked = tokio::spawn(async move {
            let start = move || {
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                Ok(counted.fetch_add(1, Ordering::Relaxed))
            };
            first.get(&"eu", start).await.map(drop)
        });
        tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        go_on.send(()).unwrap();
        let counted = starts.clone();
        let start = move || Ok(counted.fetch_add(1, Ordering::Relaxed));
        assert_eq!(*servers.get(&"eu", start).await.unwrap(), 0);
        assert_eq!(starts.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_server_that_did_not_start_is_started_again() {
        let servers = OnDemand::default();
        let refused = servers.get(&1, || Err(StoreError::new("one", "no room"))).await;
        assert_eq!(refused.unwrap_err().to_string(), "the store `one` failed: no room");
        assert_eq!(*servers.get(&1, || Ok("one")).await.unwrap(), "one");
        assert_eq!(*servers.get(&2, || Ok("two")).await.unwrap(), "two");
        assert_eq!(*servers.get(&1, || Ok("again")).await.unwrap(), "one");
    }
}
