//! Sessions in memory: the default of a fleet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use async_trait::async_trait;

use super::jwt::Claims;
use super::store::{Revocation, SessionStore};
use crate::Region;
use crate::rows::StoreError;

/// A store for each region, which ends with the fleet.
#[derive(Debug, Default)]
pub(crate) struct MemorySessions(Mutex<BTreeMap<Region, OfRegion>>);

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
        let mut regions = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        access(regions.entry(region.clone()).or_default())
    }
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn user_of(&self, region: &Region, session: &str) -> Result<Option<String>, StoreError> {
        Ok(self.of(region, |store| store.sessions.get(session).cloned()))
    }

    async fn add(&self, region: &Region, session: &str, user: &str) -> Result<(), StoreError> {
        self.of(region, |store| store.sessions.insert(session.to_owned(), user.to_owned()));
        Ok(())
    }

    async fn end(&self, region: &Region, session: &str) -> Result<(), StoreError> {
        self.of(region, |store| store.sessions.remove(session));
        Ok(())
    }

    async fn end_others(
        &self,
        region: &Region,
        user: &str,
        keep: Option<&str>,
    ) -> Result<(), StoreError> {
        self.of(region, |store| {
            store.sessions.retain(|session, of| of != user || keep == Some(session.as_str()));
        });
        Ok(())
    }

    async fn revoke(&self, region: &Region, revocation: &Revocation) -> Result<(), StoreError> {
        self.of(region, |store| match revocation {
            Revocation::Token(id) => _ = store.revoked.insert(id.clone()),
            Revocation::Before { user, at } => {
                let before = store.revoked_before.entry(user.clone()).or_default();
                *before = (*before).max(*at);
            }
        });
        Ok(())
    }

    async fn is_revoked(&self, region: &Region, token: &Claims) -> Result<bool, StoreError> {
        Ok(self.of(region, |store| {
            store.revoked.contains(&token.id)
                || store.revoked_before.get(&token.user).is_some_and(|at| token.issued < *at)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn regions_know_their_own_sessions_alone() {
        let (store, us, eu) = (MemorySessions::default(), Region::us(), Region::eu());
        for session in ["one", "two"] {
            store.add(&us, session, "anna").await.unwrap();
        }
        assert_eq!(store.user_of(&us, "one").await.unwrap().as_deref(), Some("anna"));
        assert_eq!(store.user_of(&eu, "one").await, Ok(None));
        store.end_others(&us, "anna", Some("two")).await.unwrap();
        assert_eq!(store.user_of(&us, "one").await, Ok(None));
        assert_eq!(store.user_of(&us, "two").await.unwrap().as_deref(), Some("anna"));
        store.end(&us, "two").await.unwrap();
        assert_eq!(store.user_of(&us, "two").await, Ok(None));
    }

    #[tokio::test]
    async fn a_list_has_tokens_by_id_and_by_the_time_of_their_issue() {
        let (store, us) = (MemorySessions::default(), Region::us());
        let token = |id: &str, issued| Claims {
            id: id.to_owned(),
            user: "anna".to_owned(),
            issued,
            expires: 1000,
            password: String::new(),
        };
        store.revoke(&us, &Revocation::Token("a".to_owned())).await.unwrap();
        let before = Revocation::Before { user: "anna".to_owned(), at: 10 };
        store.revoke(&us, &before).await.unwrap();
        let before = Revocation::Before { user: "anna".to_owned(), at: 5 };
        store.revoke(&us, &before).await.unwrap();
        for (token, revoked) in [(token("a", 20), true), (token("b", 9), true)] {
            assert_eq!(store.is_revoked(&us, &token).await, Ok(revoked));
        }
        assert_eq!(store.is_revoked(&us, &token("b", 10)).await, Ok(false));
        assert_eq!(store.is_revoked(&Region::eu(), &token("a", 1)).await, Ok(false));
    }
}
