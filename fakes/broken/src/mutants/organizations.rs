//! Organizations, their namespaces, and default organizations.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use cell_fleet::CellId;
use cell_fleet::inside::{
    Asked, Call, Cell, CorrectParts, Endpoint, Owner, PageResult, Parts, RouteDecision, RowPage,
    StoreError, Viewer, Visit, groups, response, settings,
};
use cell_fleet::population::PUBLIC_ORGANIZATION;
use cell_fleet::store::{Change, Route, Source};

use super::pages::BANNER;
use crate::mutant::mutants;
use crate::shared_rows::{SharedMistake, SharedRows};
use crate::ways::{Decides, Writes, beside, with_choice, without_lines};

mutants! {
    DefaultOrganizationPerCell: Both, "OR-16",
        "the default organization is kept by the cell on which it was chosen"
            => DefaultOrganizationPerCell::default();
    SettingsOfferNothing: Both, "OR-01",
        "the user settings do not offer organizations to choose from"
            => Writes(without_offers);
    AccountsGetAnOrganization: Both, "OR-02",
        "accounts that never chose a default organization get the first one that exists"
            => AccountsGetAnOrganization;
    PublicOrganizationNeedsARecord: Both, "OR-05",
        "GitLab.com Public is looked up like any organization, and is not found"
            => PublicOrganizationNeedsARecord;
    NamespacesGetAnOrganization: Both, "OR-06",
        "a namespace without an organization is shown as an organization"
            => Writes(named_after_itself);
    GroupFormDoesNotAsk: Both, "NS-01",
        "the form for a new group does not ask for its organization"
            => Writes(without_the_question);
    NewGroupsOnTheLegacyCell: Both, "NS-02",
        "new groups of an organization are created on Cell US0, wherever the organization lives"
            => Decides(new_groups_on_the_legacy_cell);
    NoChoiceMeansHome: Both, "NS-03",
        "a new group without an organization belongs to its creator's default organization"
            => NoChoiceMeansHome;
    SpreadsAnOrganization: Both, "RT-11",
        "new groups of an organization are placed on the cell next to the organization's"
            => SharedRows::with(SpreadsAnOrganization);
    NewRouteNamesTheLegacyCell: Both, "NS-05",
        "the row of a new group in the routes table always names Cell US0"
            => SharedRows::with(NewRouteNamesTheLegacyCell);
    NewGroupWithoutARoute: Both, "DB-02", "a new group has no row in the shared routes table"
            => SharedRows::with(NewGroupWithoutARoute);
}

/// What the sender chooses as the default organization, if that is what the request is for.
fn choice(call: &Call) -> Option<Option<String>> {
    let chooses = call.asked.path == "/-/user_settings" && !call.visit.reads();
    chooses.then(|| call.visit.form().filled("default_organization").map(str::to_owned))
}

/// The default organizations that users chose, by the cell and the name of the user.
#[derive(Debug, Default)]
struct DefaultOrganizationPerCell(Mutex<BTreeMap<(CellId, String), Option<String>>>);

#[async_trait]
impl Parts for DefaultOrganizationPerCell {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let mut viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(user) = &mut viewer.user {
            let chosen = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Some(chosen) = chosen.get(&(cell.node.clone(), user.name.clone())) {
                user.default_organization.clone_from(chosen);
            }
        }
        Ok(viewer)
    }

    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let (Some(choice), Some(user)) = (choice(&call), &call.viewer.user) else {
            return Ok(page.run(call).await);
        };
        let choice = choice.filter(|slug| slug != PUBLIC_ORGANIZATION);
        if let Some(slug) = &choice
            && call.cell.database.organization(slug).await?.is_none()
        {
            return Ok(page.run(call).await);
        }
        let mut chosen = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        chosen.insert((call.cell.node.clone(), user.name.clone()), choice);
        Ok(response::redirect("/-/user_settings"))
    }
}

fn without_offers(_: &Call, text: String) -> String {
    without_lines(&text, "<option value=")
}

#[derive(Debug)]
struct AccountsGetAnOrganization;

#[async_trait]
impl Parts for AccountsGetAnOrganization {
    async fn viewer(&self, cell: &Cell, visit: &Visit) -> Result<Viewer, StoreError> {
        let mut viewer = CorrectParts.viewer(cell, visit).await?;
        if let Some(user) = viewer.user.as_mut().filter(|user| user.is_legacy()) {
            let first = cell.installation.plan.population.organizations.first();
            user.default_organization = first.map(|organization| organization.slug.clone());
        }
        Ok(viewer)
    }
}

#[derive(Debug)]
struct PublicOrganizationNeedsARecord;

#[async_trait]
impl Parts for PublicOrganizationNeedsARecord {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        match (choice(&call).flatten(), &call.viewer.user) {
            (Some(chosen), Some(user)) if chosen == PUBLIC_ORGANIZATION => {
                let refusal = format!("There is no organization {PUBLIC_ORGANIZATION}.");
                settings::settings(&call, user, Some(refusal)).await
            }
            _ => Ok(page.run(call).await),
        }
    }
}

fn named_after_itself(call: &Call, text: String) -> String {
    let source = call.decision.route.as_ref().map(|route| route.source);
    let is_place = matches!(source, Some(Source::Namespace(_) | Source::Project(_)));
    let public = format!("{BANNER}{PUBLIC_ORGANIZATION}");
    let heading = text.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>"));
    let Some((heading, _)) =
        heading.filter(|(heading, _)| is_place && *heading != "Page not found")
    else {
        return text;
    };
    let banner = format!("</nav>\n{BANNER}{heading}</p>\n");
    let without = without_lines(&text, &public);
    if without.contains(BANNER) { text } else { without.replacen("</nav>\n", &banner, 1) }
}

fn without_the_question(call: &Call, text: String) -> String {
    let is_form = call.asked.endpoint == Endpoint::Groups;
    if is_form { with_choice(text, "<button>Create</button>\n") } else { text }
}

fn new_groups_on_the_legacy_cell(
    cell: &Cell,
    asked: &Asked,
    _: Option<&Viewer>,
    decision: &mut RouteDecision,
) {
    let is_of_groups = asked.path == format!("/organizations/{}/groups", asked.param("slug"));
    if asked.endpoint == Endpoint::Organization && is_of_groups {
        let latest = Owner::Node(cell.installation.latest().clone());
        *decision = RouteDecision::of(latest).private().fixed(&asked.path, true);
    }
}

#[derive(Debug)]
struct NoChoiceMeansHome;

#[async_trait]
impl Parts for NoChoiceMeansHome {
    async fn page(&self, call: Call, page: RowPage) -> PageResult {
        let form = call.visit.form();
        let creates = call.asked.endpoint == Endpoint::Groups && !call.visit.reads();
        if creates
            && form.filled("organization").is_none()
            && let Some(home) = call.home_organization().await?
        {
            return groups::in_organization(&call, &form, &home).await;
        }
        Ok(page.run(call).await)
    }
}

/// A change, with the route of a new group as the function changes it.
fn with_route(change: Change, rewrite: impl FnOnce(&mut Route)) -> Change {
    match change {
        Change::AddRoute(mut route) if matches!(route.source, Source::Namespace(_)) => {
            rewrite(&mut route);
            Change::AddRoute(route)
        }
        other => other,
    }
}

#[derive(Debug)]
struct SpreadsAnOrganization;

impl SharedMistake for SpreadsAnOrganization {
    fn written(&self, call: &Call, change: Change) -> Option<Change> {
        let is_named = call.visit.form().filled("organization").is_some();
        if !is_named && call.asked.endpoint != Endpoint::Organization {
            return Some(change);
        }
        Some(with_route(change, |route| route.cell = beside(&call.cell, &route.cell)))
    }
}

#[derive(Debug)]
struct NewRouteNamesTheLegacyCell;

impl SharedMistake for NewRouteNamesTheLegacyCell {
    fn written(&self, call: &Call, change: Change) -> Option<Change> {
        Some(with_route(change, |route| route.cell.clone_from(call.cell.installation.latest())))
    }
}

#[derive(Debug)]
struct NewGroupWithoutARoute;

impl SharedMistake for NewGroupWithoutARoute {
    fn written(&self, _: &Call, change: Change) -> Option<Change> {
        let is_route = |change: &Change| match change {
            Change::AddRoute(route) => matches!(route.source, Source::Namespace(_)),
            _ => false,
        };
        Some(change).filter(|change| !is_route(change))
    }
}
