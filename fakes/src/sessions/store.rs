//! The store of sessions in a region.

use std::fmt;

use async_trait::async_trait;

use super::jwt::Claims;
use crate::Region;
use crate::rows::Stored;

/// What a region's list says about JWTs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Revocation {
    /// The JWT with this id is no longer valid.
    Token(String),
    /// The sessions of this user that were issued before this time are no longer valid.
    Before {
        user: String,
        /// The time, in milliseconds since 1970.
        at: u64,
    },
}

/// A store of sessions in each region, apart from those of the other regions.
#[async_trait]
pub trait SessionStore: fmt::Debug + Send + Sync {
    /// The name of a session's user.
    async fn user_of(&self, region: &Region, session: &str) -> Stored<Option<String>>;
    async fn add(&self, region: &Region, session: &str, user: &str) -> Stored<()>;
    /// Ends a session; nothing where there is no such session.
    async fn end(&self, region: &Region, session: &str) -> Stored<()>;
    /// Ends all sessions of a user that the region has, except one.
    async fn end_others(&self, region: &Region, user: &str, keep: Option<&str>) -> Stored<()>;
    /// Adds to the region's list of revoked JWTs.
    async fn revoke(&self, region: &Region, revocation: &Revocation) -> Stored<()>;
    /// Whether the region's list has a JWT.
    async fn is_revoked(&self, region: &Region, token: &Claims) -> Stored<bool>;
}
