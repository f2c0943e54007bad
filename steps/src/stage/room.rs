//! How much of the machine a run may take: open files, threads and processes.
//!
//! What the suite itself cannot open would look like a fault of the router. So the run looks once
//! whether there is what one scenario needs, and a scenario waits until there are files for it.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, getuid, setrlimit};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::shared_folder::check_temporary;
use super::{guard, processes, resources};
use crate::action::Action;

/// Files of the suite itself: standard streams, reports, the threads that serve all scenarios, and
/// looks at `/proc`.
const FILES_OF_THE_SUITE: u64 = 48;
/// Files of a scenario: its event queue, the listeners of its cells, connections, pipes of routers.
const FILES_OF_A_SCENARIO: u32 = 48;
/// Files of a request that is in flight at the same time as others: a user's connection, and the
/// one at the cell.
const FILES_OF_A_REQUEST: u32 = 2;
/// Threads and processes of the suite: the first thread, signals, logs, the guard, and some to
/// spare.
const TASKS_OF_THE_SUITE: u64 = 8;
/// Threads and processes of a scenario: its own thread, and a router or two with their threads.
const TASKS_OF_A_SCENARIO: u64 = 16;
/// How long a connection of the loopback network may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// What there is for the scenarios of this process.
#[derive(Debug)]
struct Room {
    /// The soft limit of open files with which this process began, where it was raised.
    before: Option<u64>,
    files: Limit,
    tasks: Limit,
    /// One permit for each file that scenarios may have open.
    permits: Arc<Semaphore>,
    budget: u32,
}

/// What a limit of the system allows, and what of it is there for scenarios.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limit {
    allowed: u64,
    left: u64,
}

impl Limit {
    const NONE: Self = Self { allowed: u64::MAX, left: u64::MAX };

    /// How many scenarios have room, if each needs `of_each`.
    fn scenarios(self, of_each: u64) -> usize {
        usize::try_from(self.left / of_each).unwrap_or(usize::MAX)
    }
}

static ROOM: LazyLock<Room> = LazyLock::new(|| {
    let (before, allowed) = open_files();
    let files = Limit { allowed, left: allowed.saturating_sub(FILES_OF_THE_SUITE) };
    let budget = u32::try_from(files.left).unwrap_or(u32::MAX).min(1 << 20);
    let permits = Arc::new(Semaphore::new(usize::try_from(budget).unwrap_or(0)));
    Room { before, files, tasks: tasks(), permits, budget }
});

/// Raises the soft limit of open files to the hard one, in a program that can give routers the
/// earlier limit. Returns the earlier limit, if it was raised, and the limit now.
fn open_files() -> (Option<u64>, u64) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let is_raised = guard::own_children_are_allowed()
        && current != maximum
        && setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).is_ok();
    let limit = if is_raised { maximum } else { current };
    (current.filter(|_| is_raised), limit.unwrap_or(u64::MAX))
}

/// How many threads and processes the user may have, and how many of them are left.
fn tasks() -> Limit {
    // The system holds root to no limit.
    let limit = getrlimit(Resource::Nproc).current.filter(|_| !getuid().is_root());
    limit.map_or(Limit::NONE, |allowed| {
        let used = processes::tasks_of_this_user();
        Limit { allowed, left: allowed.saturating_sub(used + TASKS_OF_THE_SUITE) }
    })
}

/// How many scenarios may be open at once, by the limits of the system; at least one.
pub(crate) fn places() -> usize {
    let files = ROOM.files.scenarios(FILES_OF_A_SCENARIO.into());
    files.min(ROOM.tasks.scenarios(TASKS_OF_A_SCENARIO)).max(1)
}

/// Why fewer scenarios are open at once than the run would have; `None` where all have room.
pub fn throttled(wanted: usize) -> Option<String> {
    let places = places();
    let (files, tasks) = (ROOM.files, ROOM.tasks);
    let of_files = files.scenarios(FILES_OF_A_SCENARIO.into()) <= places;
    let (what, allowed, option) = if of_files {
        ("files open", files.allowed, "Hn")
    } else {
        ("threads and processes", tasks.allowed, "u")
    };
    (places < wanted).then(|| {
        format!(
            "at most {places} scenarios are open at once, not {wanted}: this process may have \
             {allowed} {what} (`ulimit -{option}`)"
        )
    })
}

/// The soft limit of open files with which this process began: what it starts gets that limit back,
/// and only the suite has the raised one.
pub(super) fn limit_of_others() -> Option<u64> {
    ROOM.before.or(getrlimit(Resource::Nofile).current)
}

/// Sets the soft limit of open files of this process.
pub(super) fn set_limit(files: Option<u64>) {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    // A lower limit is never refused.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: files, maximum });
}

/// What a scenario may have open, until it is dropped.
#[derive(Debug)]
pub(crate) struct Files {
    _permits: Option<OwnedSemaphorePermit>,
}

/// Waits until there are files for a scenario with these actions. It is an error if the system does
/// not allow as many as it needs.
pub(crate) async fn files_for<'a>(
    actions: impl Iterator<Item = &'a Action>,
) -> Result<Files, String> {
    let needed = actions.map(requests_at_once).fold(0, u32::saturating_add);
    let needed = needed.saturating_mul(FILES_OF_A_REQUEST).saturating_add(FILES_OF_A_SCENARIO);
    if needed > ROOM.budget {
        let (allowed, needed) = (ROOM.files.allowed, FILES_OF_THE_SUITE + u64::from(needed));
        return Err(format!(
            "the suite may have {allowed} files open and needs {needed} for this scenario: raise \
             `ulimit -Hn`"
        ));
    }
    // Nobody closes it.
    Ok(Files { _permits: ROOM.permits.clone().acquire_many_owned(needed).await.ok() })
}

/// How many requests an action has in flight at the same time, where that is many.
fn requests_at_once(action: &Action) -> u32 {
    let many = match action {
        Action::Begin { times, .. } if *times > 1 => *times,
        Action::Poll { runners, .. } => *runners,
        _ => 0,
    };
    u32::try_from(many).unwrap_or(u32::MAX)
}

/// Looks once whether this machine has what a scenario needs, whatever the router does. The error
/// says what is missing, and what to do.
pub fn look() -> Result<(), String> {
    let (files, tasks) = (ROOM.files, ROOM.tasks);
    if files.scenarios(FILES_OF_A_SCENARIO.into()) == 0 {
        let needed = FILES_OF_THE_SUITE + u64::from(FILES_OF_A_SCENARIO);
        return Err(format!(
            "this process may have {} files open, and a run needs {needed}: raise `ulimit -Hn`",
            files.allowed
        ));
    }
    if tasks.scenarios(TASKS_OF_A_SCENARIO) == 0 {
        let used = processes::tasks_of_this_user();
        let more = TASKS_OF_THE_SUITE + TASKS_OF_A_SCENARIO;
        return Err(format!(
            "this user may have {} threads and processes and has {used}; a run needs {more} more: \
             raise `ulimit -u`, or end some",
            tasks.allowed
        ));
    }
    temporary_folder()?;
    loopback().map_err(|error| {
        format!(
            "the loopback network, on which cells and routers listen, cannot be used: {error}; \
             `ip link set lo up` may help"
        )
    })
}

fn temporary_folder() -> Result<(), String> {
    let place = std::env::temp_dir();
    check_temporary(&place).map_err(|error| error.to_string())?;
    let folder = tempfile::Builder::new().prefix("cells-look-").tempdir_in(&place);
    let folder = folder.map_err(|error| resources::explain(&place, &error))?;
    resources::trouble(folder.path()).map_or(Ok(()), Err)
}

fn loopback() -> io::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    TcpStream::connect_timeout(&listener.local_addr()?, CONNECT_LIMIT).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_runs_these_tests_has_what_a_scenario_needs() {
        assert_eq!(look(), Ok(()));
        assert!(places() >= 1 && throttled(places()).is_none());
        let why = throttled(usize::MAX).unwrap();
        assert!(why.contains("scenarios are open at once"), "{why}");
    }

    #[tokio::test]
    async fn a_scenario_that_needs_more_than_there_is_does_not_wait() {
        let begins = |times| Action::Begin {
            person: crate::action::Person("anna".to_owned()),
            request: crate::action::RequestKind::Visit { target: "/".to_owned() },
            times,
            until: crate::action::Until::Arrived,
        };
        assert!(files_for([].into_iter()).await.is_ok());
        let why = files_for([&begins(u64::MAX)].into_iter()).await.unwrap_err();
        assert!(why.contains("raise `ulimit -Hn`"), "{why}");
    }
}
