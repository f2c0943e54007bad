//! The reference routers that `fleet --with-router` serves together with the cells.
//!
//! They are threads of this process, so none outlives it, and a signal to it ends them as well.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::thread::JoinHandle;
use std::time::Duration;

use cell_fleet::{FleetPlan, Region, RunningCell};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use conformance_suite::plan::RouterSettings;
use conformance_suite::stage::{FIRST_ROUTER_PORT, topology_file};

/// How long a router may take until it listens. It takes milliseconds.
const READY_LIMIT: Duration = Duration::from_secs(10);
/// How long to wait before another look whether a router listens.
const LOOK_AGAIN: Duration = Duration::from_millis(5);
/// The connections of users that a router has at a time. Where people try it by hand, none needs
/// its usual number, for which a system may have too few files.
const CONNECTIONS: &str = "128";

/// A router with the address that a person chose for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FixedRouter {
    pub(super) region: Region,
    pub(super) listen: SocketAddr,
}

impl FixedRouter {
    /// `router_eu`.
    pub(super) fn name(&self) -> String {
        format!("router_{}", self.region)
    }

    /// `http://127.0.0.1:21001`.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.listen)
    }
}

/// Gives the router of each region a port.
pub(super) fn place(
    regions: BTreeSet<Region>,
    ip: Ipv4Addr,
    cells: &RangeInclusive<u16>,
) -> Result<Vec<FixedRouter>, String> {
    let router = |(port, region)| FixedRouter { region, listen: SocketAddr::from((ip, port)) };
    let routers: Vec<_> = (FIRST_ROUTER_PORT..).zip(regions).map(router).collect();
    match routers.iter().find(|router| cells.contains(&router.listen.port())) {
        Some(router) => Err(format!(
            "{} and a cell would both get port {}; choose another `--first-port`",
            router.name(),
            router.listen.port()
        )),
        None => Ok(routers),
    }
}

#[derive(Debug)]
pub(super) struct ServedRouters {
    threads: Vec<JoinHandle<()>>,
    /// Has the topology files, and is removed with them; nothing where no router is served.
    _folder: Option<tempfile::TempDir>,
}

impl ServedRouters {
    /// Starts the routers, and returns once all of them listen.
    pub(super) async fn start(
        routers: &[FixedRouter],
        plan: &FleetPlan,
        cells: &[RunningCell],
    ) -> Result<Self, String> {
        let mut served = Self { threads: Vec::new(), _folder: None };
        if routers.is_empty() {
            // A fleet that is killed leaves nothing then.
            return Ok(served);
        }
        let folder =
            tempfile::tempdir().map_err(|error| format!("a folder for the routers: {error}"))?;
        for router in routers {
            let path = folder.path().join(format!("{}.json", router.region));
            let latest = &plan.topology.latest;
            let settings = RouterSettings::default();
            let (region, listen) = (&router.region, router.listen);
            let text = topology_file(&settings, plan.protocol, region, listen, cells, latest, None);
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            is_free(router)?;
            let thread = std::thread::Builder::new().name(router.name());
            let thread = thread
                .spawn(move || {
                    // A router that ended by itself has said why on standard error.
                    let _ = reference_router::run(&|name: &str| variable(name, &path));
                })
                .map_err(|error| format!("a thread for {}: {error}", router.name()))?;
            listens(router, &thread).await?;
            served.threads.push(thread);
        }
        served._folder = Some(folder);
        Ok(served)
    }

    /// Waits until the routers have ended, after a signal to the process.
    pub(super) async fn stop(self) {
        let ended = tokio::task::spawn_blocking(move || {
            self.threads.into_iter().for_each(|thread| drop(thread.join()));
        });
        let _ = ended.await;
    }
}

fn variable(name: &str, topology: &std::path::Path) -> Option<OsString> {
    match name {
        "CELLS_TOPOLOGY" => Some(topology.into()),
        "CELLS_MAX_CONNECTIONS" => Some(CONNECTIONS.into()),
        // What else the environment has would configure all of them alike, and two cannot have one
        // address for metrics.
        "CELLS_LOG" => std::env::var_os(name),
        _ => None,
    }
}

/// Makes sure that no other process listens where a router will. A connection would not tell which
/// of the two it reached.
fn is_free(router: &FixedRouter) -> Result<(), String> {
    std::net::TcpListener::bind(router.listen).map(drop).map_err(|error| {
        format!(
            "{} cannot listen on {}: {error}; `--bind` chooses another address",
            router.name(),
            router.listen
        )
    })
}

async fn listens(router: &FixedRouter, thread: &JoinHandle<()>) -> Result<(), String> {
    let began = Instant::now();
    while began.elapsed() < READY_LIMIT {
        if thread.is_finished() {
            return Err(format!(
                "{} ended before it listened on {}; see above why",
                router.name(),
                router.listen
            ));
        }
        let connected = timeout(READY_LIMIT, TcpStream::connect(router.listen)).await;
        if matches!(connected, Ok(Ok(_))) {
            return Ok(());
        }
        sleep(LOOK_AGAIN).await;
    }
    Err(format!("{} does not listen on {}", router.name(), router.listen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routers_get_ports_that_no_cell_has() {
        let regions = || BTreeSet::from([Region::us(), Region::eu()]);
        let placed = |first| place(regions(), Ipv4Addr::LOCALHOST, &(first..=first + 3));
        let names: Vec<_> =
            placed(22_000).unwrap().iter().map(|router| router.name() + &router.url()).collect();
        assert_eq!(names, ["router_euhttp://127.0.0.1:21001", "router_ushttp://127.0.0.1:21002"]);
        assert!(placed(20_999).unwrap_err().contains("--first-port"));
    }
}
