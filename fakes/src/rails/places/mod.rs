//! Pages of groups, projects and other rows of the routes table.

pub(in crate::rails) mod cable;
pub(in crate::rails) mod dashboard;
pub mod groups;
pub(in crate::rails) mod notices;
pub(in crate::rails) mod organizations;
pub(in crate::rails) mod search;

use self::cable::is_cable;
use super::call::Call;
use super::endpoint::Endpoint;
use super::git::repositories;
use super::layout::{Escaped, Page, links};
use super::response::PageResult;
use crate::database::{Namespace, Organization, Project, Source, Stored, may_see};
use crate::population::Work;

/// A page of a path in the routes table, or a repository, on its owner.
pub(super) async fn page(call: Call) -> PageResult {
    let call = &call;
    if let Endpoint::Repository(asked) = call.asked.endpoint {
        return repositories::respond(call, asked).await;
    }
    let path = &call.visit.path;
    let Some(route) = &call.decision.route else {
        return Ok(if call.cell.added_endpoint(path).is_some() {
            simple(call).await?
        } else {
            call.not_found()
        });
    };
    let rest = path.strip_prefix(&route.path).unwrap_or_default();
    let known = rest.is_empty() || rest == "/" || rest.starts_with("/-/");
    match route.source {
        Source::Page if is_cable(rest) => Ok(cable::open(call.clone()).await),
        Source::Page => simple(call).await,
        Source::Namespace(_) if known => {
            group(call, route.path.trim_start_matches('/'), rest).await
        }
        Source::Project(_) if known => project(call, rest).await,
        Source::Namespace(_) | Source::Project(_) => Ok(call.not_found()),
    }
}

async fn group(call: &Call, path: &str, rest: &str) -> PageResult {
    let role = call.cell.role();
    let found = call.cell.database.namespace(&role, path).await?;
    let user = call.viewer.user.as_ref();
    let Some(group) = found.filter(|group| may_see(user, group.visibility, &group.members)) else {
        return Ok(call.not_found());
    };
    if is_cable(rest) {
        return Ok(cable::open(call.clone()).await);
    }
    let projects = call.cell.database.projects(&role).await?;
    let within = |project: &&Project| {
        project.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
    };
    let shown = projects
        .iter()
        .filter(within)
        .filter(|project| may_see(user, project.visibility, &project.members));
    let projects =
        links(shown.map(|project| (format!("/{}", project.path), project.title.as_str())));
    let page = call.place(&group.name, group.organization.as_deref(), rest).await?;
    let page = page.notices(call.isolation(&group).await?);
    Ok(page.html("<h2>Projects</h2>\n").html(projects).response(user))
}

async fn project(call: &Call, rest: &str) -> PageResult {
    let Some(project) = call.project().await? else { return Ok(call.not_found()) };
    let (role, user) = (call.cell.role(), call.viewer.user.as_ref());
    if is_cable(rest) {
        return Ok(cable::open(call.clone()).await);
    }
    let pipelines = call.cell.database.pipelines(&role, project.id).await?;
    let page = call.place(&project.heading, project.organization.as_deref(), rest).await?;
    let here = [("Issues", "issues"), ("Merge requests", "merge_requests")];
    let here = links(here.map(|(name, path)| (format!("/{}/-/{path}", project.path), name)));
    let page =
        page.html(format_args!("<p>Project id: {}. Pipelines: {pipelines}.</p>\n", project.id));
    Ok(page.html(here).response(user))
}

/// A page that shows only that its path was reached.
async fn simple(call: &Call) -> PageResult {
    let page = call.page(format!("Page {}", call.visit.path)).await?.html(call.received());
    Ok(page.response(call.viewer.user.as_ref()))
}

impl Call {
    /// A page of a group or project: its organization, the counters, and what is incomplete about
    /// them.
    async fn place(&self, heading: &str, organization: Option<&str>, rest: &str) -> Stored<Page> {
        let database = &self.cell.database;
        let user = self.viewer.user.as_ref();
        let here: Option<Organization> = match organization {
            Some(slug) => database.organization(slug).await?,
            None => None,
        };
        let home = self.home_organization().await?;
        let work: Option<Work> = match user {
            Some(user) => Some(self.work(user).await?),
            None => None,
        };
        let shown = notices::shown_organization(user, here.as_ref());
        let elsewhere = notices::elsewhere(user, home.as_ref(), here.as_ref());
        let page = Page::new(heading).organization(shown).work(work).notices(elsewhere);
        let below = rest.trim_start_matches("/-/").trim_matches('/');
        let page = if below.is_empty() {
            page
        } else {
            page.html(format_args!("<h2>{}</h2>\n", Escaped(below)))
        };
        Ok(page.html(self.received()))
    }

    /// The message to members of a group without an organization who belong to one: the two are
    /// isolated (NS-03).
    async fn isolation(&self, group: &Namespace) -> Stored<Option<String>> {
        let is_member =
            self.viewer.user.as_ref().is_some_and(|user| group.members.contains(&user.name));
        if group.organization.is_some() || !is_member {
            return Ok(None);
        }
        let home = self.home_organization().await?;
        Ok(home.map(|home| notices::isolated(Some(&home))))
    }

    /// The size of the request body, for a request that writes.
    fn received(&self) -> String {
        if self.visit.reads() {
            return String::new();
        }
        format!(
            "<p>{} of {} bytes received.</p>\n",
            Escaped(self.visit.method.as_str()),
            self.visit.body_length
        )
    }
}
