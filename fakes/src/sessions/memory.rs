//! Sessions in memory: the default of a fleet.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::jwt::Claims;
use super::{Revocation, SessionStore};
use crate::Region;
use crate::lock::Lock;
use crate::rows::Stored;

/// A store for each region, which ends with the fleet.
#[derive(Debug, Default)]
pub(crate) struct MemorySessions(Lock<BTreeMap<Region, OfRegion>>);

#[derive(Debug, Default)]
struct OfRegion {
    /// The user of each session.
    sessions: BTreeMap<String, String>,
    revoked: BTreeSet<String>,
    revoked_before: BTreeMap<String, u64>,
}

impl MemorySessions {
    fn of<T>(&self, region: &Region, access: impl FnOnce(&mut OfRegion) -> T) -> T {
        // Each access is one insertion or removal, so the rows are whole even after a panic.
        let mut regions = self.0.lock();
        access(regions.entry(region.clone()).or_default())
    }
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn user_of(&self, region: &Region, session: &str) -> Stored<Option<String>> {
        Ok(self.of(region, |store| store.sessions.get(session).cloned()))
    }

    async fn add(&self, region: &Region, session: &str, user: &str) -> Stored<()> {
        self.of(region, |store| store.sessions.insert(session.to_owned(), user.to_owned()));
        Ok(())
    }

    async fn end(&self, region: &Region, session: &str) -> Stored<()> {
        self.of(region, |store| store.sessions.remove(session));
        Ok(())
    }

    async fn end_others(&self, region: &Region, user: &str, keep: Option<&str>) -> Stored<()> {
        self.of(region, |store| {
            store.sessions.retain(|session, of| of != user || keep == Some(session.as_str()));
        });
        Ok(())
    }

    async fn revoke(&self, region: &Region, revocation: &Revocation) -> Stored<()> {
        self.of(region, |store| match revocation {
            Revocation::Token(id) => _ = store.revoked.insert(id.clone()),
            Revocation::Before { user, at } => {
                let before = store.revoked_before.entry(user.clone()).or_default();
                *before = (*before).max(*at);
            }
        });
        Ok(())
    }

    async fn is_revoked(&self, region: &Region, token: &Claims) -> Stored<bool> {
        Ok(self.of(region, |store| {
            store.revoked.contains(&token.id)
                || store.revoked_before.get(&token.user).is_some_and(|at| token.issued < *at)
        }))
    }
}
