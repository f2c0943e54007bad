//! The stores that fleets are on: memory, or the real databases that `CELLS_STORES=real` or
//! `fleet --stores real` asks for.
//!
//! Real databases are started once for a process, when the first fleet needs them.

use std::ffi::OsStr;
use std::path::PathBuf;

use cell_fleet::Stores;
use clap::ValueEnum;

pub(crate) const VARIABLE: &str = "CELLS_STORES";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum StoresChoice {
    /// In the memory of the fleet
    #[default]
    Memory,
    /// On PostgreSQL and Redis servers of this process, which end with it
    Real,
}

impl StoresChoice {
    pub fn of_environment() -> Result<Self, String> {
        std::env::var_os(VARIABLE).map_or(Ok(Self::Memory), |value| Self::named(&value))
    }

    fn named(value: &OsStr) -> Result<Self, String> {
        match value.to_str() {
            Some("" | "memory") => Ok(Self::Memory),
            Some("real") => Ok(Self::Real),
            _ => {
                let shown = value.to_string_lossy();
                Err(format!("{VARIABLE} is `{shown}`; it can be `memory` or `real`"))
            }
        }
    }

    /// Opens the stores, which are the same for all fleets of this process.
    pub async fn open(self) -> Result<Stores, StoresError> {
        match self {
            Self::Memory => Ok(Stores::in_memory()),
            Self::Real => real::open().await,
        }
    }

    /// Starts the stores before they are needed, so that a run does not begin without them.
    pub fn start(self) -> Result<(), StoresError> {
        if self == Self::Memory {
            return Ok(());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoresError(format!("no runtime: {error}")))?;
        runtime.block_on(self.open()).map(drop)
    }
}

/// Why there are no stores.
#[derive(Debug, thiserror::Error)]
#[error("no real stores ({VARIABLE}=real or `--stores real`): {0}")]
pub struct StoresError(String);

/// Ends the servers of this process, and removes their folder; nothing where there are none.
pub fn stop() {
    real::stop();
}

/// The folder of the servers of this process.
pub fn folder() -> Option<PathBuf> {
    real::folder()
}

#[cfg(feature = "stores")]
mod real {
    use std::path::PathBuf;

    use cell_fleet::Stores;
    use cell_stores::RealStores;
    use tokio::sync::OnceCell;

    use super::StoresError;

    static SERVERS: OnceCell<RealStores> = OnceCell::const_new();

    pub(super) async fn open() -> Result<Stores, StoresError> {
        let started = SERVERS.get_or_try_init(RealStores::start).await;
        started.map(RealStores::stores).map_err(|error| StoresError(error.to_string()))
    }

    pub(super) fn stop() {
        if let Some(servers) = SERVERS.get() {
            servers.stop();
        }
    }

    pub(super) fn folder() -> Option<PathBuf> {
        SERVERS.get().map(|servers| servers.folder().to_owned())
    }
}

#[cfg(not(feature = "stores"))]
mod real {
    use std::path::PathBuf;

    use cell_fleet::Stores;

    use super::StoresError;

    pub(super) async fn open() -> Result<Stores, StoresError> {
        let why = "this program was built without them; build it with `--features stores`";
        Err(StoresError(why.to_owned()))
    }

    pub(super) fn stop() {}

    pub(super) fn folder() -> Option<PathBuf> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_memory_or_real() {
        let named = |value: &str| StoresChoice::named(OsStr::new(value));
        assert_eq!((named(""), named("memory")), (Ok(StoresChoice::Memory), named("")));
        assert_eq!(named("real"), Ok(StoresChoice::Real));
        let refused = named("postgres").unwrap_err();
        assert_eq!(refused, "CELLS_STORES is `postgres`; it can be `memory` or `real`");
    }

    #[cfg(not(feature = "stores"))]
    #[test]
    fn a_program_without_real_stores_says_so() {
        let error = StoresChoice::Real.start().unwrap_err().to_string();
        assert!(error.contains("--features stores"), "{error}");
    }
}
