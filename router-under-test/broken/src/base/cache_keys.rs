//! Under which keys the cache keeps entries.

use crate::base::alike;
use crate::base::target::{Ask, leading, trimmed};
use crate::kind::{Change, Mutation, Variation};

/// The key of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// A trimmed prefix, or the exact path.
    pub(crate) path: String,
    pub(crate) exact: bool,
    /// Empty, except for mutants that keep entries per user or method.
    pub(crate) scope: String,
}

impl Key {
    /// The key of what a response to `ask` says about `path`.
    pub(crate) fn of(change: Change, ask: &Ask, path: &str, exact: bool) -> Self {
        let scope = scope(change, ask);
        let prefix = |path: &str| Key {
            path: alike::key(change, trimmed(path)),
            exact: false,
            scope: scope.clone(),
        };
        match change.mutation() {
            Some(Mutation::RemembersTheFullPath) => {
                Key { path: self::exact(change, ask), exact: true, scope }
            }
            _ if exact => Key { path: self::exact(change, ask), exact, scope },
            Some(Mutation::RemembersTheTopLevel) => prefix(leading(path, 1)),
            Some(Mutation::CutsPrefixesToTwoSegments) => prefix(leading(path, 2)),
            Some(Mutation::OneEntryForAllOrganizations) if path.starts_with("/organizations/") => {
                prefix("/organizations")
            }
            _ => prefix(path),
        }
    }
}

/// Whose requests an entry serves; empty for all.
pub(crate) fn scope(change: Change, ask: &Ask) -> String {
    match change.mutation() {
        Some(Mutation::RemembersPerUser) => {
            format!("{:?}", ask.headers.get("cookie"))
        }
        _ if change.differs(Variation::LearnsPerMethod) => ask.method.to_string(),
        Some(Mutation::RemembersPerMethod) => ask.method.to_string(),
        Some(Mutation::RemembersPerToken) => fields(ask, &["authorization", "private-token"]),
        Some(Mutation::RemembersPerBrowser) => {
            fields(ask, &["user-agent", "accept", "accept-language"])
        }
        Some(Mutation::RemembersPerWorker) => ask.worker.to_string(),
        _ => String::new(),
    }
}

/// The path of an exact entry; a response that names another path is not cached.
pub(crate) fn exact(change: Change, ask: &Ask) -> String {
    match change.mutation() {
        Some(Mutation::ExactWithTheQuery) => ask.target.clone(),
        Some(Mutation::ExactWithoutTheLastSlash) => trimmed(ask.path()).to_owned(),
        Some(Mutation::FoldsLettersOfExactPaths) => ask.path().to_lowercase(),
        Some(Mutation::ExactWithAnEmptyQuery) if ask.query() == Some("") => ask.target.clone(),
        _ => ask.path().to_owned(),
    }
}

/// The first value of each of these fields, as a key for the mutation that keeps entries per user.
fn fields(ask: &Ask, names: &[&str]) -> String {
    names.iter().map(|name| format!("{:?} ", ask.headers.get(*name))).collect()
}
