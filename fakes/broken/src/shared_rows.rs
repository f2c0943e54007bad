//! Shared databases that write or read something else than a page asks for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::inside::{Call, Front, PageResult, Parts, RowPage};
use cell_fleet::store::Change;

/// Admin settings, by key.
pub(crate) type Settings = BTreeMap<String, String>;

tokio::task_local! {
    /// The request whose page uses the databases.
    static CALL: Call;
}

/// What a mutant does to the shared databases while it makes a page.
#[async_trait]
pub(crate) trait SharedMistake: fmt::Debug + Send + Sync + 'static {
    /// What is written in place of a change, if anything is.
    fn written(&self, _call: &Call, change: Change) -> Option<Change> {
        Some(change)
    }

    /// What is read in place of the admin settings.
    fn settings(&self, _call: &Call, settings: Settings) -> Settings {
        settings
    }

    /// Makes the page.
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        Ok(page.run(call).await)
    }
}

/// Cells whose pages use such databases.
#[derive(Debug)]
pub(crate) struct SharedRows<M>(Arc<M>);

impl<M> SharedRows<M> {
    pub(crate) fn with(mistake: M) -> Self {
        Self(Arc::new(mistake))
    }
}

#[async_trait]
impl<M: SharedMistake> Parts for SharedRows<M> {
    fn front(&self) -> Arc<dyn Front> {
        Arc::new(InPages(self.0.clone()))
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        CALL.scope(call.clone(), self.0.page(call, page)).await
    }
}

#[derive(Debug)]
struct InPages<M>(Arc<M>);

impl<M: SharedMistake> Front for InPages<M> {
    fn write(&self, change: Change) -> Option<Change> {
        match CALL.try_with(Call::clone) {
            Ok(call) => self.0.written(&call, change),
            Err(_) => Some(change),
        }
    }

    fn settings(&self, rows: Settings) -> Settings {
        match CALL.try_with(Call::clone) {
            Ok(call) => self.0.settings(&call, rows),
            Err(_) => rows,
        }
    }
}
