//! What `fleet` prints once it serves: addresses, people, and what to try.
//!
//! Without long paths of repositories every line fits a terminal of 60 columns.

use std::fmt;

use cell_fleet::{CellId, FleetPlan, Protocol, RunningCell, wire};

use super::routers::FixedRouter;
use conformance_suite::stage::stores;

/// A serving fleet, for a person who wants to try it.
pub(super) struct Announcement<'a> {
    pub(super) plan: &'a FleetPlan,
    pub(super) cells: &'a [RunningCell],
    /// The routers in front of the cells; empty without `--with-router`.
    pub(super) routers: &'a [FixedRouter],
}

impl fmt::Display for Announcement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "cells of the {} protocol:", self.plan.protocol.as_str())?;
        for cell in self.cells {
            writeln!(f, "  {:<9}  {}", cell.id.name(), cell.url())?;
        }
        if !self.routers.is_empty() {
            writeln!(f, "\nreference routers in front of them:")?;
        }
        for router in self.routers {
            writeln!(f, "  {:<9}  {}", router.name(), router.url())?;
        }
        self.people(f)?;
        let strategy = self.plan.id_plan.strategy;
        writeln!(f, "\nids of new rows: {strategy}, a choice of this fleet")?;
        let (runners, settings) = (self.plan.runner_plan.model, self.plan.settings_model);
        writeln!(f, "runners: {runners}, a choice of this fleet")?;
        writeln!(f, "settings of cells: {settings}, a choice of this fleet")?;
        let model = self.plan.session_plan.model;
        writeln!(f, "sessions of users: {model}, a choice of this fleet")?;
        writeln!(f, "rows and sessions are kept in: {}", self.plan.stores.name())?;
        if let Some(folder) = stores::folder() {
            writeln!(f, "database.yml of the cells:\n  {}/database.*.yml", folder.display())?;
        }
        self.to_try(f)?;
        writeln!(f, "\nPress Ctrl-C to stop them.")
    }
}

impl Announcement<'_> {
    /// Who can sign in: name, password and organization.
    fn people(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nwho can sign in (name, password, organization):")?;
        for user in &self.plan.population.people {
            let organization = user.default_organization.as_deref().unwrap_or("GitLab.com Public");
            let admin = if user.admin { "; administrator" } else { "" };
            writeln!(f, "  {:<4}  {:<13}  {organization}{admin}", user.name, user.password)?;
        }
        Ok(())
    }

    /// Commands and addresses. A browser is sent to a router: a cell sends it from page to page,
    /// because no cell has them all.
    fn to_try(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\ntry:")?;
        let cell = self.cells.iter().find(|cell| cell.id == CellId::eu(1)).or(self.cells.first());
        let any = self.routers.first().map(FixedRouter::url).or(cell.map(RunningCell::url));
        if let Some(url) = any {
            writeln!(f, "  curl -i {url}/gitlab-org/gitlab")?;
            writeln!(f, "  curl -i {url}/my-company/handbook")?;
        }
        if self.plan.protocol == Protocol::Learning
            && let Some(cell) = cell
        {
            let (method, path) = (wire::METHOD_PARAMETER, wire::PATH_INFO_PARAMETER);
            writeln!(f, "  curl -iG -d {method}=GET -d {path}=/my-company/handbook \\")?;
            writeln!(f, "    {}{}", cell.url(), wire::LEARN_PATH)?;
        }
        for repository in &self.plan.repositories {
            if let Some(cell) = self.cells.iter().find(|cell| cell.id == repository.cell) {
                writeln!(f, "  git clone {}{}", cell.url(), repository.path)?;
            }
        }
        match self.routers {
            [] => writeln!(f, "A browser needs routers as well: `--with-router`."),
            routers => {
                writeln!(f, "or open one of these in a browser:")?;
                routers
                    .iter()
                    .try_for_each(|router| writeln!(f, "  {}/users/sign_in", router.url()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr};

    use cell_fleet::Region;

    use super::*;

    fn announced(protocol: Protocol, with_routers: bool) -> String {
        let plan = FleetPlan::documents(protocol);
        let cells = plan.topology.cells.iter().zip(22_000..).map(|(id, port)| RunningCell {
            id: id.clone(),
            written_id: id.id(),
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
            advertised: ([127, 0, 0, 1], port).into(),
        });
        let cells: Vec<_> = cells.collect();
        let router = |(region, port)| FixedRouter {
            region,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        };
        let routers: Vec<_> = [(Region::eu(), 21_001), (Region::us(), 21_002)].map(router).into();
        let routers = if with_routers { &routers[..] } else { &[] };
        Announcement { plan: &plan, cells: &cells, routers }.to_string()
    }

    #[test]
    fn every_line_fits_sixty_columns_and_only_routers_are_offered_to_a_browser() {
        for protocol in Protocol::ALL {
            for with_routers in [true, false] {
                let text = announced(protocol, with_routers);
                let long: Vec<_> = text.lines().filter(|line| line.chars().count() > 60).collect();
                assert_eq!(long, Vec::<&str>::new());
                assert_eq!(text.contains("http://127.0.0.1:21001/users/sign_in\n"), with_routers);
                assert_ne!(text.contains("--with-router"), with_routers, "{text}");
            }
        }
    }
}
