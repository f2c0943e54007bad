//! File descriptors: how many the process may have, and what that leaves for users.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Standard streams, the log, the listener of metrics and its connections, and some for files.
const OF_THE_PROCESS: u64 = 48;

/// An event queue, a waker and a listening socket for each thread, and a few that signals and timers
/// take.
const OF_A_THREAD: u64 = 8;

/// With fewer for users and cells a router does nothing useful.
const LEAST: u64 = 16;

/// There are too few descriptors to serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the process may open {limit} files (RLIMIT_NOFILE), and needs at least {needed}; \
     raise `ulimit -n`"
)]
pub(crate) struct TooFew {
    /// `RLIMIT_NOFILE` of the process.
    pub(crate) limit: u64,
    /// What it has to be at least.
    pub(crate) needed: u64,
}

/// How many connections of users may be open, of the `wanted` ones.
///
/// A user's request needs a descriptor at the cell too, so users get no more than half of what there
/// is: at the limit they wait to be accepted, and whoever is accepted can be served.
pub(crate) fn connections(wanted: usize, threads: usize) -> Result<usize, TooFew> {
    let possible = share(raised(), threads)?;
    if possible < wanted {
        tracing::warn!(
            wanted,
            possible,
            "RLIMIT_NOFILE allows fewer connections of users than CELLS_MAX_CONNECTIONS"
        );
    }
    Ok(wanted.min(possible))
}

fn share(limit: u64, threads: usize) -> Result<usize, TooFew> {
    let own = OF_THE_PROCESS + OF_A_THREAD * threads as u64;
    let left = limit.saturating_sub(own);
    // Each thread serves one user at least, who needs a descriptor at a cell too.
    let least = LEAST.max(2 * threads as u64);
    if left < least {
        return Err(TooFew { limit, needed: own + least });
    }
    Ok(usize::try_from(left / 2).unwrap_or(usize::MAX))
}

/// The limit of the process, raised as far as the system lets it be raised without privileges.
fn raised() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    // A refusal leaves the limit as it is.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let limit = if raised { maximum } else { current };
    limit.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_get_half_of_what_the_process_does_not_need() {
        assert_eq!(share(1024, 2), Ok(480));
        assert_eq!(share(80, 2), Ok(8));
        assert_eq!(share(79, 2), Err(TooFew { limit: 79, needed: 80 }));
        assert_eq!(share(0, 1), Err(TooFew { limit: 0, needed: 72 }));
        assert!(share(u64::MAX, 1).is_ok());
    }
}
