//! The store of sessions in a region, and its list of revoked JWTs.

use async_trait::async_trait;
use cell_fleet::store::{Claims, Revocation, SessionStore};
use cell_fleet::{Region, Stored};

use super::alone::Databases;
use super::rows;

/// The ids of JWTs that are no longer valid.
const REVOKED: &str = "revoked";
/// For each user, a time: JWTs from before it are no longer valid.
const REVOKED_BEFORE: &str = "revoked_before";
/// A later time stays.
const REVOKE_BEFORE: &str = "
local kept = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if tonumber(ARGV[2]) > kept then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end";

/// A store on its own server for each region.
#[derive(Debug)]
pub(crate) struct RegionalStores(pub(super) Databases<Region>);

#[async_trait]
impl SessionStore for RegionalStores {
    async fn user_of(&self, region: &Region, session: &str) -> Stored<Option<String>> {
        self.0.of(region).await?.ask(&rows::user_of(session)).await
    }

    async fn add(&self, region: &Region, session: &str, user: &str) -> Stored<()> {
        self.0.of(region).await?.ask(&rows::add(session, user)).await
    }

    async fn end(&self, region: &Region, session: &str) -> Stored<()> {
        self.0.of(region).await?.ask(&rows::end(session)).await
    }

    async fn end_others(&self, region: &Region, user: &str, keep: Option<&str>) -> Stored<()> {
        self.0.of(region).await?.ask(&rows::end_others(user, keep)).await
    }

    async fn revoke(&self, region: &Region, revocation: &Revocation) -> Stored<()> {
        let command = match revocation {
            Revocation::Token(id) => ::redis::cmd("SADD").arg(REVOKED).arg(id).to_owned(),
            Revocation::Before { user, at } => {
                rows::script(REVOKE_BEFORE, REVOKED_BEFORE).arg(user).arg(*at).to_owned()
            }
        };
        self.0.of(region).await?.ask(&command).await
    }

    async fn is_revoked(&self, region: &Region, token: &Claims) -> Stored<bool> {
        let mut commands = ::redis::pipe();
        commands.cmd("SISMEMBER").arg(REVOKED).arg(&token.id);
        commands.cmd("HGET").arg(REVOKED_BEFORE).arg(&token.user);
        let link = self.0.of(region).await?;
        let (revoked, before): (bool, Option<u64>) = link.ask_all(&commands).await?;
        Ok(revoked || before.is_some_and(|at| token.issued < at))
    }
}
