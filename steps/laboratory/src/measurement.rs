//! What measurements share: why one has no result, and what Linux says in `/proc` of what the
//! processes of a router hold.

use std::fs;
use std::time::Duration;

use conformance_suite::engine::Conclusion;
use conformance_suite::stage::{self, RouterError, StageError, StopReason};

/// Hears how far a measurement is, a line at a time.
pub type Tell<'a> = &'a dyn Fn(&str);

/// Why a measurement has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotMeasured {
    /// The suite is at fault.
    #[error("the suite is at fault: {0}")]
    Suite(String),
    /// The router is at fault: it did not become ready, or gave no response.
    #[error("the router is at fault: {0}")]
    Router(String),
    /// Something outside the router prevented it, such as a command that does not exist.
    #[error("not measured: {0}")]
    Prevented(String),
    /// The router does not follow the protocol.
    #[error("{0}")]
    NotFollowed(String),
    /// It was stopped before there was anything to keep.
    #[error("not measured: {0}")]
    Stopped(StopReason),
}

/// An error in words is one of the suite.
impl From<String> for NotMeasured {
    fn from(why: String) -> Self {
        Self::Suite(why)
    }
}

impl From<StageError> for NotMeasured {
    fn from(error: StageError) -> Self {
        let why = error.to_string();
        match error {
            StageError::Suite(_) => Self::Suite(why),
            StageError::Router(RouterError::ProtocolNotFollowed(_)) => Self::NotFollowed(why),
            StageError::NotAsked(_)
            | StageError::Unfit(_)
            | StageError::Router(RouterError::NotStarted { .. } | RouterError::NotReset { .. }) => {
                Self::Prevented(why)
            }
            StageError::Router(_) => Self::Router(why),
        }
    }
}

impl NotMeasured {
    /// What it means for the router; `None` for a protocol that it need not follow, and where it
    /// was stopped.
    pub fn conclusion(&self) -> Option<Conclusion> {
        match self {
            Self::Suite(_) => Some(Conclusion::SuiteFault),
            Self::Router(_) => Some(Conclusion::NotConformant),
            Self::Prevented(_) => Some(Conclusion::Incomplete),
            Self::NotFollowed(_) | Self::Stopped(_) => None,
        }
    }
}

/// The time that a share of the sample does not exceed; zero for an empty sample.
pub(crate) fn quantile(times: &[Duration], share: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a length that fits"
    )]
    let index = (share * times.len().saturating_sub(1) as f64).round() as usize;
    times.get(index).copied().unwrap_or_default()
}

/// Resident memory of all processes of a process group, in bytes; 0 where none is left.
pub(crate) fn resident(leader: i32) -> Result<u64, String> {
    // A process that ended in between counts 0.
    Ok(processes_of(leader)?.filter_map(resident_of).sum())
}

pub(crate) fn processes_of(leader: i32) -> Result<impl Iterator<Item = i32>, String> {
    stage::processes_of(leader).map_err(|error| {
        format!("/proc cannot be read, so a router cannot be measured here: {error}")
    })
}

/// The number of entries of a folder; 0 where there is none.
pub(crate) fn entries(folder: &str) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

/// Resident memory of a process, in bytes.
pub(crate) fn resident_of(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
