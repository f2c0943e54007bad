//! The routers of a scenario: where they listen, and their processes from start to stop.

use std::net::SocketAddr;

use cell_fleet::Region;

use super::error::RouterError;
use super::process::{Orders, RouterProcess};
use super::{RouterCommand, Routers, Stage, lease, resources, topology_file};

impl Stage {
    pub(super) fn start_router(
        &mut self,
        command: &RouterCommand,
        region: &Region,
    ) -> Result<(), RouterError> {
        let listen = self.router_at(region);
        let orders = Orders {
            region: region.clone(),
            protocol: self.plan.fleet.protocol,
            listen,
            folder: self.folder.path().to_owned(),
            generation: self.started,
            topology: self.topology_for(region),
        };
        self.routers.push(RouterProcess::start(command, &orders)?);
        self.started += 1;
        Ok(())
    }

    pub(super) fn topology_for(&self, region: &Region) -> String {
        let plan = &self.plan.fleet;
        let listen = self.router_at(region);
        topology_file(
            &self.plan.settings,
            plan.protocol,
            region,
            listen,
            self.fleet.cells(),
            &plan.topology.latest,
            self.launch.picked.as_ref(),
        )
    }

    /// Where the router of a region listens, also after a restart.
    pub fn router_at(&self, region: &Region) -> SocketAddr {
        if let Routers::Running(running) = &self.launch.routers
            && let Some(address) = running.routers.get(region)
        {
            return *address;
        }
        let place = self
            .plan
            .routers
            .iter()
            .position(|known| known == region)
            .unwrap_or(self.plan.routers.len());
        SocketAddr::from((
            self.address,
            lease::FIRST_ROUTER_PORT.saturating_add(u16::try_from(place).unwrap_or(u16::MAX)),
        ))
    }

    /// The process group of the router of a region: the process id of its leader.
    pub fn router_process(&self, region: &Region) -> Option<i32> {
        self.routers.iter().find(|router| router.region == *region).map(RouterProcess::pid)
    }

    /// Waits until all routers accept connections.
    pub(crate) async fn routers_ready(&mut self) -> Result<(), RouterError> {
        for router in &mut self.routers {
            let ready = router.ready(&self.launch.waits, self.plan.fleet.protocol).await;
            if let Err(RouterError::NotReady { limit, .. }) = &ready {
                self.recorder.waited(*limit);
            }
            if ready.is_ok() && !std::mem::replace(&mut router.is_ready, true) {
                self.launch.starts.add(router.began.elapsed());
            }
            ready.map_err(|error| match error {
                RouterError::Ended { .. } | RouterError::NotReady { .. } => {
                    resources::trouble(self.folder.path()).map_or(error, RouterError::Suite)
                }
                error => error,
            })?;
        }
        Ok(())
    }

    /// Whether a router has died: nobody told it to stop. Then the scenario cannot go on.
    pub(crate) async fn has_lost_a_router(&mut self) -> bool {
        for router in &mut self.routers {
            if router.death(&self.launch.waits).await.is_some() {
                return true;
            }
        }
        false
    }

    /// Stops the router of a region. Later requests to it get no connection.
    pub(crate) async fn stop_router(&mut self, region: &Region) {
        if let Some(place) = self.routers.iter().position(|router| router.region == *region) {
            let stopped = self.routers.remove(place).stop(&self.launch.waits).await;
            if !stopped.facts.stopped {
                self.recorder.waited(self.launch.waits.stop);
            }
            self.gone.push(stopped);
            self.people.forget_connections();
        }
    }

    /// Tells the router of a region to stop, without waiting for its exit: requests may be in
    /// flight. [`clear`](Self::clear) waits for the exit.
    pub(crate) fn tell_router_to_stop(&mut self, region: &Region) -> Result<(), String> {
        let router = self.routers.iter_mut().find(|router| router.region == *region);
        router
            .map(RouterProcess::tell_to_stop)
            .ok_or_else(|| format!("the suite has not started a router for region {region}"))
    }

    /// Replaces the router of a region by a new process with a cold cache.
    pub(crate) async fn restart_router(&mut self, region: &Region) -> Result<(), RouterError> {
        if let Routers::Started(command) = self.launch.routers.clone() {
            self.stop_router(region).await;
            self.start_router(&command, region)?;
            self.routers_ready().await?;
        }
        Ok(())
    }
}
