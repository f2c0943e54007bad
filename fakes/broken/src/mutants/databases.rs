//! Databases: which one is read and written, and what is kept where.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use axum::extract::Request;
use axum::middleware::Next;
use cell_fleet::CellId;
use cell_fleet::inside::layout::Escaped;
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectParts, Endpoint, Owner, PageResult, Parts, RouteDecision, RowPage,
    StoreError, Viewer, Visit, response,
};
use cell_fleet::store::{Change, Route, Source};

use crate::mutant::mutants;
use crate::shared_rows::{Settings, SharedMistake, SharedRows};
use crate::stores::{Stored, servers};
use crate::ways::{Writes, unavailable};

mutants! {
    ReadsFromThePrimary: Both, "RG-03", "all reads of shared databases go to the primary"
            => Stored::Servers(|| Arc::new(servers::ReadsThePrimary));
    ReadsAbroad: Both, "DB-05",
        "all reads of shared databases go to the replica in the primary's region"
            => Stored::Servers(|| Arc::new(servers::ReadsAbroad));
    WritesInItsOwnRegion: Both, "RG-04", "a cell writes to the server of its own region"
            => Stored::Servers(|| Arc::new(servers::WritesAtHome));
    WritesEveryVisitDown: Both, "RG-05",
        "each page that a user reads is a write to the shared users" => WritesEveryVisitDown;
    RefusesWhileReplicasLag: Both, "DB-06",
        "a cell whose replica is behind the primary refuses everything with 503"
            => RefusesWhileReplicasLag;
    CopiesPublicProjects: Both, "DB-04",
        "every cell has a copy of each public project in its gitlab_main, and serves it"
            => CopiesPublicProjects;
    ProfileNotWritten: Both, "DB-01",
        "what a user writes into the profile does not get into the shared users"
            => SharedRows::with(ProfileNotWritten);
    AdminSettingsPerCell: Both, "DB-03", "a cell keeps its admin settings in its own database"
            => SharedRows::with(AdminSettingsPerCell::default());
    AdminSettingsOfTheStart: Both, "AD-08",
        "all cells except Cell US0 keep the admin settings that they were started with"
            => SharedRows::with(AdminSettingsOfTheStart);
    AdminSettingsInTwoPlaces: Both, "AD-12",
        "each cell has its own admin settings, as they were at its start, next to the common ones"
            => Writes(settings_in_two_places);
}

#[derive(Debug)]
struct WritesEveryVisitDown;

#[async_trait]
impl Parts for WritesEveryVisitDown {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(user) = viewer.user.as_ref().filter(|_| visit.reads()) {
            // The user exists, since a session names them.
            let same = Change::SetDefaultOrganization {
                user: user.name.clone(),
                organization: user.default_organization.clone(),
            };
            let _ = cell.database.write(same).await?;
        }
        Ok(viewer)
    }
}

#[derive(Debug)]
struct ProfileNotWritten;

impl SharedMistake for ProfileNotWritten {
    fn written(&self, _: &Call, change: Change) -> Option<Change> {
        (!matches!(change, Change::SetStatus { .. })).then_some(change)
    }
}

#[derive(Debug)]
struct RefusesWhileReplicasLag;

#[async_trait]
impl Parts for RefusesWhileReplicasLag {
    async fn wrap(&self, cell: &Arc<Cell>, request: Request, application: Next) -> PageResult {
        let stores = &cell.installation.stores;
        let last = stores.shared.position().await?;
        let is_behind = stores.shared.replica_position(cell.node.region()).await? < last;
        Ok(if is_behind { unavailable(request).await } else { application.run(request).await })
    }
}

/// Each cell serves a public project as its owner does, from its own database.
#[derive(Debug)]
struct CopiesPublicProjects;

impl CopiesPublicProjects {
    fn copied(endpoint: Endpoint, decision: &RouteDecision) -> Option<&Route> {
        let is_project = |route: &&Route| matches!(route.source, Source::Project(_));
        let is_served = matches!(endpoint, Endpoint::Place | Endpoint::Repository(_));
        decision.route.as_ref().filter(is_project).filter(|route| is_served && route.public)
    }
}

#[async_trait]
impl Parts for CopiesPublicProjects {
    async fn decision(
        &self,
        cell: &Cell,
        asked: &Asked,
        by: Option<(&Visit, &Viewer)>,
    ) -> Result<RouteDecision, StoreError> {
        let decision = CorrectParts.decision(cell, asked, by).await?;
        Ok(match Self::copied(asked.endpoint, &decision) {
            Some(_) => RouteDecision { owner: Owner::Any, ..decision },
            None => decision,
        })
    }

    async fn page(&self, mut call: Call, page: RowPage) -> PageResult {
        if let Some(route) = Self::copied(call.asked.endpoint, &call.decision) {
            let node = call.cell.node_of(&Owner::Role(route.cell.clone()));
            call.cell = Arc::new(Cell { node, ..Cell::clone(&call.cell) });
        }
        Ok(page.run(call).await)
    }
}

/// The settings that were made on each cell.
#[derive(Debug, Default)]
struct AdminSettingsPerCell(Mutex<BTreeMap<CellId, Settings>>);

#[async_trait]
impl SharedMistake for AdminSettingsPerCell {
    fn settings(&self, call: &Call, mut settings: Settings) -> Settings {
        let made = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        settings.extend(made.get(&call.cell.node).cloned().unwrap_or_default());
        settings
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let form = call.visit.form();
        let is_admin = call.viewer.user.as_ref().is_some_and(|user| user.admin);
        let sets = is_settings_page(&call) && !call.visit.reads() && is_admin;
        if !sets || form.filled("cell").is_some() {
            return Ok(page.run(call).await);
        }
        let known = call.cell.database.settings().await?;
        let sent = |key: String| form.sent(&key).map(str::to_owned).map(|value| (key, value));
        let sent: Settings = known.into_keys().filter_map(sent).collect();
        if sent.is_empty() {
            return Ok(page.run(call).await);
        }
        let node = call.cell.node.clone();
        let to = format!("/admin/cells/{}/settings", node.slug());
        let mut made = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        made.entry(node).or_default().extend(sent);
        Ok(response::redirect(&to))
    }
}

fn is_settings_page(call: &Call) -> bool {
    call.asked.endpoint == Endpoint::AdminOfCell && call.asked.path.ends_with("/settings")
}

#[derive(Debug)]
struct AdminSettingsOfTheStart;

impl SharedMistake for AdminSettingsOfTheStart {
    fn settings(&self, call: &Call, settings: Settings) -> Settings {
        let installation = &call.cell.installation;
        let is_latest = call.cell.node == *installation.latest();
        if is_latest { settings } else { installation.plan.population.settings.clone() }
    }
}

fn settings_in_two_places(call: &Call, text: String) -> String {
    if !is_settings_page(call) || !text.contains("<h2>What each cell uses</h2>") {
        return text;
    }
    let settings = call.cell.installation.plan.population.settings.iter();
    let rows = settings
        .map(|(key, value)| format!("<li>{}: {}</li>\n", Escaped(key), Escaped(value)))
        .collect::<String>();
    let list = format!("<h2>Settings of this cell</h2>\n<ul>\n{rows}</ul>\n</main>");
    text.replacen("</main>", &list, 1)
}
