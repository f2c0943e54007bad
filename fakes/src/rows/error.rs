//! What a store cannot do.

/// A store failed: it could not be reached, or refused for a reason that is not in the data.
///
/// A request that meets one is responded with 500, and the fleet that has seen one proves nothing
/// about a router.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the store `{store}` failed: {problem}")]
pub struct StoreError {
    store: String,
    problem: String,
    planned: bool,
}

impl StoreError {
    /// The failure of the store with this name, such as `memory` or `primary us`.
    pub fn new(store: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { store: store.into(), problem: problem.into(), planned: false }
    }

    /// The failure of a store that a scenario has brought about. A request that meets it is
    /// responded with 503, and the fleet is sound.
    pub fn planned(store: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { planned: true, ..Self::new(store, problem) }
    }

    /// Whether a scenario has brought the failure about.
    pub fn is_planned(&self) -> bool {
        self.planned
    }

    /// The name of the store.
    pub fn store(&self) -> &str {
        &self.store
    }
}

/// What was asked of a store, or its failure.
pub type Stored<T> = Result<T, StoreError>;

/// A write that the primary refuses because of the data.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Conflict {
    /// A unique column has this value already.
    #[error("`{0}` is already taken")]
    Taken(String),
    /// The row to be changed does not exist.
    #[error("`{0}` does not exist")]
    Missing(String),
}

/// Why the databases of a fleet cannot be opened.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// A row of the seed contradicts one before it.
    #[error(transparent)]
    Seed(#[from] Conflict),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
