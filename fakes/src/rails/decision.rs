//! What is decided about a path: the cell that is to respond, and what a router may cache of that.

use crate::CellId;
use crate::database::Route;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// Any cell: the one that received the request.
    Any,
    /// A cell as the topology names it: one that is never cast, or that the path itself names.
    Node(CellId),
    /// A cell as the documents name it.
    Role(CellId),
    /// No cell: nothing exists at this path.
    Missing,
}

/// What a learn response lets a router cache (LN-04).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnRule {
    /// The path, or the prefix, that the rule covers.
    pub path: String,
    /// Whether the rule covers this path alone.
    pub exact: bool,
    /// `routable` or `fixed`.
    pub source: &'static str,
}

/// What is known about a path before anything is done.
#[derive(Clone, Debug)]
pub struct RouteDecision {
    /// The cell that is to respond.
    pub owner: Owner,
    /// What a learn response says in addition to the cell.
    pub learn: Option<LearnRule>,
    /// The prefix of the cache header (CA-02).
    pub cache_prefix: Option<String>,
    /// Whether a visit needs a session.
    pub private: bool,
    /// The row of the routes table, where one was needed.
    pub route: Option<Route>,
}

impl RouteDecision {
    /// A public path of this owner. A router may cache nothing about it.
    pub fn of(owner: Owner) -> Self {
        Self { owner, learn: None, cache_prefix: None, private: false, route: None }
    }

    /// Serves the path to signed-in users only.
    pub fn private(mut self) -> Self {
        self.private = true;
        self
    }

    /// Adds a learn rule for a path that the protocol pins to a cell.
    pub fn fixed(mut self, path: impl Into<String>, exact: bool) -> Self {
        self.learn = Some(LearnRule { path: path.into(), exact, source: "fixed" });
        self
    }

    /// Lets routers cache everything at and below a path, in both protocols.
    pub fn prefix(mut self, path: &str, source: &'static str) -> Self {
        self.learn = Some(LearnRule { path: path.to_owned(), exact: false, source });
        self.cache_prefix = Some(format!("{path}/"));
        self
    }
}
