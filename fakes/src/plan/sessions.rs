//! What a plan says about sessions.

use std::time::Duration;

use strum::{Display, EnumString, VariantNames};

use crate::PlanError;

/// Where the cells of a fleet keep the sessions of users (*More technical problems*: sessions).
///
/// The documents choose none; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum SessionModel {
    /// One store, written in the region of its primary, with a replica in each region.
    #[default]
    Shared,
    /// A store for each region. A session names its region, and other regions read it there.
    Regional,
    /// The session is a JWT that the user keeps.
    Jwt,
}

fn unknown(text: &str) -> String {
    let names = SessionModel::VARIANTS.join(", ");
    format!("`{text}` is not a way to keep sessions; name one of {names}")
}

/// How the sessions of users are kept, and how JWTs end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionPlan {
    /// Where they are kept.
    pub model: SessionModel,
    /// How long a JWT is valid. One that is in use is renewed after half of that, unless its user's
    /// password has changed.
    pub token_life: Duration,
    /// Whether each region has a list of revoked JWTs, which every request reads. Without it a
    /// session ends with its JWT.
    pub revocation_list: bool,
}

impl Default for SessionPlan {
    fn default() -> Self {
        Self {
            model: SessionModel::default(),
            token_life: Duration::from_secs(300),
            revocation_list: true,
        }
    }
}

impl SessionPlan {
    /// The plan of a model, everything else as by default.
    pub fn of(model: SessionModel) -> Self {
        Self { model, ..Self::default() }
    }

    /// How long a JWT is valid, in milliseconds.
    pub(crate) fn life_ms(&self) -> u64 {
        u64::try_from(self.token_life.as_millis()).unwrap_or(u64::MAX / 2)
    }

    /// Refuses what would leave nobody signed in.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.token_life < Duration::from_secs(1) {
            return Err(PlanError("a JWT has to be valid for at least 1 second".to_owned()));
        }
        Ok(())
    }
}
