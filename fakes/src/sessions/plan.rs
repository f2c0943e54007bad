//! What a plan says about sessions.

use std::time::Duration;

use super::model::SessionModel;

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
    pub(crate) fn check(&self) -> Result<(), SessionPlanError> {
        if self.token_life < Duration::from_secs(1) {
            return Err(SessionPlanError::TokenLife);
        }
        Ok(())
    }
}

/// Why no cell can follow a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionPlanError {
    /// A JWT would be valid for less than a second.
    #[error("a JWT has to be valid for at least 1 second")]
    TokenLife,
}
