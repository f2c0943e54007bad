//! Choices of servers that correct cells do not make.

use std::sync::Arc;

use async_trait::async_trait;
use cell_fleet::inside::{Call, PageResult, Parts, RowPage};
use cell_fleet::store::{Place, Server, Servers};
use cell_fleet::{CellId, FleetPlan, Region};

use super::Stored;
use crate::ways::Writes;

#[derive(Debug)]
pub(crate) struct ReadsThePrimary;

impl Servers for ReadsThePrimary {
    fn read(&self, _cell: &CellId, _primary: &Region) -> Server {
        Server::Primary
    }
}

/// Reads the replica in the primary's region, whatever its own region is.
#[derive(Debug)]
pub(crate) struct ReadsAbroad;

impl Servers for ReadsAbroad {
    fn read(&self, _cell: &CellId, primary: &Region) -> Server {
        Server::Replica(primary.clone())
    }
}

/// Writes to its own region's replica, which forwards the write.
#[derive(Debug)]
pub(crate) struct WritesAtHome;

impl Servers for WritesAtHome {
    fn written(&self, cell: &CellId, _primary: &Region) -> Place {
        Place::Replica(cell.region().clone())
    }
}

/// Writes to a primary of its own region.
#[derive(Debug)]
pub(crate) struct PrimaryAtHome;

impl Servers for PrimaryAtHome {
    fn written(&self, cell: &CellId, _primary: &Region) -> Place {
        Place::Primary(cell.region().clone())
    }
}

/// Keeps `gitlab_ci` in a database that all cells share.
#[derive(Debug)]
pub(crate) struct SharesCi;

impl Servers for SharesCi {
    fn own(&self, cell: &CellId, schema: &str, primary: &Region) -> Place {
        match schema {
            "gitlab_ci" => Place::Primary(primary.clone()),
            _ => Place::Own(cell.clone()),
        }
    }
}

/// Keeps the owner of a route in a table other than `routes`, so that a row of these does not name
/// it.
#[derive(Debug)]
pub(crate) struct OwnersBesideRoutes;

#[async_trait]
impl Parts for OwnersBesideRoutes {
    fn plan(&self, plan: FleetPlan) -> FleetPlan {
        Stored::Servers(|| Arc::new(Self)).plan(plan)
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        Writes(|_, text| without_owners(&text)).page(call, page).await
    }
}

fn without_owners(page: &str) -> String {
    let line = |line: &str| match line.split_once(" cell_id=") {
        Some((row, _)) => format!("{row}</li>\n"),
        None => line.to_owned(),
    };
    page.split_inclusive('\n').map(line).collect()
}

impl Servers for OwnersBesideRoutes {
    fn beside(&self, table: &str) -> Option<&'static str> {
        (table == "routes").then_some("route_owners")
    }
}
