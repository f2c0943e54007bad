//! Sessions of users: where they are kept, and how they end.
//!
//! The documents name a shared store and JWTs, and choose neither; the plan of a fleet names its
//! [`SessionModel`](crate::SessionModel). Sessions of the shared store are rows of
//! `gitlab_users.sessions`, with its primary and replicas. A [`SessionStore`] stands in each region
//! for the other two models: it has the region's sessions, or the list of revoked JWTs. The journal
//! has every access to it.

mod jwt;
mod memory;
mod regional;
mod store;

pub use jwt::{Claims, TokenForgery, TokenKey};
pub(crate) use memory::MemorySessions;
pub use regional::RegionalSessions;
pub use store::{Revocation, SessionStore};
