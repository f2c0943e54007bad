//! The Admin Area: shared settings, and one view for each cell. Only here do pages name cells
//! (AD-06, RT-12).

mod cell_settings;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;

use super::call::Call;
use super::layout::{Escaped, Page, links};
use super::request::Form;
use super::response::{self, PageResult};
use crate::database::Change;

/// `/admin`: leads to the area of the cell that responds, so that the URL names it (AD-06). That is
/// the cell that received the request in the buffering protocol (AD-01), and the original
/// installation in the learning protocol (AD-04).
pub(super) async fn entry(Admin(call): Admin) -> Response {
    response::redirect(&call.base())
}

/// A request of an administrator; to others there is nothing.
pub(super) struct Admin(Call);

impl FromRequestParts<Call> for Admin {
    type Rejection = Response;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Response> {
        let is_admin = call.viewer.user.as_ref().is_some_and(|user| user.admin);
        if is_admin { Ok(Self(call.clone())) } else { Err(call.not_found()) }
    }
}

/// `/admin/cells/<cell>`, on that cell.
pub(super) async fn overview(Admin(call): Admin) -> Response {
    call.area("").response(call.viewer.user.as_ref())
}

/// `/admin/cells/<cell>/projects`
pub(super) async fn projects(Admin(call): Admin) -> PageResult {
    let projects = call.cell.database.projects(&call.cell.role()).await?;
    let projects = links(
        projects.iter().map(|project| (format!("/{}", project.path), project.title.as_str())),
    );
    let page = call.area("/projects").html("<h2>Projects</h2>\n").html(projects);
    Ok(page.response(call.viewer.user.as_ref()))
}

/// The rows of the shared table `routes`, read from the replica of this cell's region (DB-02).
pub(super) async fn routes(Admin(call): Admin) -> PageResult {
    let rows = call.cell.database.all_routes().await?;
    let rows = rows.iter().map(|route| {
        format!("<li>{} cell_id={}</li>\n", Escaped(&route.path), Escaped(&route.cell.id()))
    });
    let list = format!("<h2>Routes</h2>\n<ul>\n{}</ul>\n", rows.collect::<String>());
    Ok(call.area("/routes").html(list).response(call.viewer.user.as_ref()))
}

/// `/admin/cells/<cell>/settings`
pub(super) async fn settings(Admin(call): Admin) -> PageResult {
    settings_form(&call, None).await
}

/// The settings, one row for all cells (AD-08), each with its effective value on this cell, and a
/// list of what each cell uses (AD-10, AD-11, AD-12).
async fn settings_form(call: &Call, refused: Option<String>) -> PageResult {
    let settings = call.cell.database.settings().await?;
    let effective = call.effective_settings().await?;
    let here = effective.iter().find(|(cell, _)| *cell == call.cell.node);
    let rows = settings.iter().map(|(key, value)| {
        let effective = here.and_then(|(_, values)| values.get(key)).unwrap_or(value);
        let (key, value, effective) = (Escaped(key), Escaped(value), Escaped(effective));
        format!(
            "<label>{key} <input name=\"{key}\" value=\"{value}\"> <small>here: <output>\
            {effective}</output></small></label>\n"
        )
    });
    let form = format!(
        "<h2>Settings of all cells</h2>\n<form method=\"post\" action=\"{}/settings\">\n\
         {}<button>Save</button>\n</form>\n",
        call.base(),
        rows.collect::<String>()
    );
    let page = call
        .area("/settings")
        .refused(refused)
        .html(form)
        .html(call.cell_form(&call.base(), &settings))
        .html(call.listed_settings(&effective));
    Ok(page.response(call.viewer.user.as_ref()))
}

/// `/admin/cells/<cell>/settings`: changes them.
pub(super) async fn set(Admin(call): Admin, sent: Form) -> PageResult {
    let known = call.cell.database.settings().await?;
    let changed: Vec<_> =
        known.iter().filter_map(|(key, old)| Some((key, old, sent.sent(key)?))).collect();
    if changed.is_empty() {
        return settings_form(&call, Some("None of these settings exists.".to_owned())).await;
    }
    if let Some(cell) = sent.filled("cell") {
        let changed: Vec<_> =
            changed.into_iter().map(|(key, _, value)| (key.clone(), value.to_owned())).collect();
        return Ok(match call.set_for_cell(cell, &changed).await? {
            Ok(()) => response::redirect(&format!("{}/settings", call.base())),
            Err(refused) => settings_form(&call, Some(refused)).await?,
        });
    }
    for (key, _, value) in changed.into_iter().filter(|(_, old, value)| old.as_str() != *value) {
        // A setting that was just read exists, so the write cannot conflict.
        let _ = call
            .cell
            .database
            .write(Change::SetSetting { key: key.clone(), value: value.to_owned() })
            .await?;
    }
    Ok(response::redirect(&format!("{}/settings", call.base())))
}

impl Call {
    /// The path of this cell's area.
    fn base(&self) -> String {
        format!("/admin/cells/{}", self.cell.node.slug())
    }

    /// A page of the area. It names the cell that serves it, and links to the same page of the
    /// other cells (AD-03).
    pub fn area(&self, page: &str) -> Page {
        let cells = self.cell.installation.plan.topology.cells.iter();
        let names: Vec<_> = cells
            .map(|cell| (format!("/admin/cells/{}{page}", cell.slug()), cell.name()))
            .collect();
        let menu = links(names.iter().map(|(to, name)| (to.clone(), name.as_str())));
        let base = self.base();
        let pages = links(
            [
                ("", "Overview"),
                ("/projects", "Projects"),
                ("/routes", "Routes"),
                ("/settings", "Settings"),
            ]
            .map(|(to, name)| (format!("{base}{to}"), name)),
        );
        let served = format!(
            "<p>Served by <strong id=\"cell\">{}</strong></p>\n",
            Escaped(&self.cell.node.name())
        );
        Page::new("Admin Area").html(format_args!(
            "{served}<details><summary>Choose a cell</summary>\n{menu}</details>\n{pages}"
        ))
    }
}
