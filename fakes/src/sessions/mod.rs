//! Sessions of users: where they are kept, and how they end.
//!
//! The documents name a shared store and JWTs, and choose neither; the plan of a fleet names its
//! [`SessionModel`](crate::SessionModel). Sessions of the shared store are rows of
//! `gitlab_users.sessions`, with its primary and replicas. A [`SessionStore`] stands in each region
//! for the other two models: it has the region's sessions, or the list of revoked JWTs. The journal
//! has every access to it.

use std::fmt;

use async_trait::async_trait;

use crate::Region;
use crate::rows::Stored;

mod jwt;
mod memory;
mod regional;

pub use jwt::{Claims, TokenForgery, TokenKey};
pub(crate) use memory::MemorySessions;
pub use regional::RegionalSessions;

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
