//! The Admin Area: shared settings, and one view for each cell. Only here do pages name cells
//! (AD-06, RT-12).

use axum::http::StatusCode;
use axum::response::Response;

use super::call::Call;
use super::layout::{Escaped, Page, links};
use super::response::{self, PageResult};
use crate::CellId;
use crate::database::Change;
use crate::mutants::Mutation;
use crate::protocol::Protocol;

/// `/admin`: leads to the area of the cell that responds, so that the URL names it (AD-06). That is
/// the cell that received the request in the buffering protocol (AD-01), and the original
/// installation in the learning protocol (AD-04).
pub(super) fn entry(call: &Call<'_>) -> Response {
    if !call.may_administrate() {
        return call.not_found();
    }
    match call.cell.installation.protocol() {
        Protocol::Buffering if call.cell.has(Mutation::AdminLeadsToANeighbour) => {
            response::redirect(&format!(
                "/admin/cells/{}",
                call.cell.beside(&call.cell.node).slug()
            ))
        }
        Protocol::Learning if call.cell.has(Mutation::AdminPageAtItsEntry) => overview(call),
        Protocol::Buffering | Protocol::Learning => response::redirect(&call.base()),
    }
}

/// `/admin/cells/<cell>/...`, on that cell.
pub(super) async fn of_cell(call: &Call<'_>, rest: &str) -> PageResult {
    if !call.may_administrate() {
        return Ok(call.not_found());
    }
    if call.cell.has(Mutation::AdminOnTheLegacyCellOnly)
        && call.cell.node != *call.cell.installation.latest()
    {
        return Ok(call.not_found());
    }
    Ok(match (rest, call.visit.reads()) {
        ("" | "/", true) => overview(call),
        ("/projects", true) => projects(call).await?,
        ("/routes", true) => routes(call).await?,
        ("/settings", true) => settings(call, None).await?,
        ("/settings", false) => set(call).await?,
        _ => call.not_found(),
    })
}

fn overview(call: &Call<'_>) -> Response {
    call.area("").response(call.viewer.user.as_ref())
}

async fn projects(call: &Call<'_>) -> PageResult {
    let projects = call.cell.database.projects(&call.cell.role()).await?;
    let projects = links(
        projects.iter().map(|project| (format!("/{}", project.path), project.title.as_str())),
    );
    let page = call.area("/projects").html("<h2>Projects</h2>\n").html(projects);
    Ok(page.response(call.viewer.user.as_ref()))
}

/// The rows of the shared table `routes`, read from the replica of this cell's region (DB-02).
async fn routes(call: &Call<'_>) -> PageResult {
    let rows = call.cell.database.all_routes().await?;
    let has_column = !call.cell.has(Mutation::OwnersBesideTheRoutes);
    let rows = rows.iter().map(|route| {
        let cell = if has_column { format!(" cell_id={}", route.cell.id()) } else { String::new() };
        format!("<li>{}{}</li>\n", Escaped(&route.path), Escaped(&cell))
    });
    let list = format!("<h2>Routes</h2>\n<ul>\n{}</ul>\n", rows.collect::<String>());
    Ok(call.area("/routes").html(list).response(call.viewer.user.as_ref()))
}

/// The settings, one row for all cells (AD-08), each with its effective value on this cell, and a
/// list of what each cell uses (AD-10, AD-11, AD-12).
async fn settings(call: &Call<'_>, refused: Option<String>) -> PageResult {
    let settings = call.settings().await?;
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
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let form = format!(
        "<h2>Settings of all cells</h2>\n<form method=\"post\" action=\"{}/settings\">\n\
         {}<button>Save</button>\n</form>\n",
        call.base(),
        rows.collect::<String>()
    );
    let page = call
        .area("/settings")
        .status(status)
        .notices(refused)
        .html(form)
        .html(call.cell_form(&call.base(), &settings))
        .html(call.listed_settings(&effective))
        .html(call.settings_of_its_own());
    Ok(page.response(call.viewer.user.as_ref()))
}

async fn set(call: &Call<'_>) -> PageResult {
    let sent = call.visit.form();
    let known = call.cell.database.settings().await?;
    let changed: Vec<_> =
        known.iter().filter_map(|(key, old)| Some((key, old, sent.sent(key)?))).collect();
    if changed.is_empty() {
        return settings(call, Some("None of these settings exists.".to_owned())).await;
    }
    if let Some(cell) = sent.filled("cell") {
        let changed: Vec<_> =
            changed.into_iter().map(|(key, _, value)| (key.clone(), value.to_owned())).collect();
        return Ok(match call.set_for_cell(cell, &changed).await? {
            Ok(()) => response::redirect(&format!("{}/settings", call.base())),
            Err(refused) => settings(call, Some(refused)).await?,
        });
    }
    for (key, _, value) in changed.into_iter().filter(|(_, old, value)| old.as_str() != *value) {
        if call.cell.has(Mutation::AdminSettingsPerCell) {
            call.cell.installation.notes.set_setting(&call.cell.node, key, value);
            continue;
        }
        // A setting that was just read exists, so the write cannot conflict.
        let _ = call
            .cell
            .database
            .write(Change::SetSetting { key: key.clone(), value: value.to_owned() })
            .await?;
    }
    Ok(response::redirect(&format!("{}/settings", call.base())))
}

impl Call<'_> {
    fn may_administrate(&self) -> bool {
        self.viewer.user.as_ref().is_some_and(|user| user.admin)
    }

    /// The path of this cell's area.
    fn base(&self) -> String {
        format!("/admin/cells/{}", self.cell.node.slug())
    }

    /// A page of the area. It names the cell that serves it, and links to the same page of the
    /// other cells (AD-03).
    fn area(&self, page: &str) -> Page {
        let alone = self.cell.has(Mutation::AdminMenuWithoutCells);
        let cells = self.cell.installation.plan.topology.cells.iter();
        let offered = cells.filter(|cell| **cell == self.cell.node || !alone);
        let stays = self.cell.has(Mutation::AdminMenuStaysPut);
        let to = |cell: &CellId| if stays { self.cell.node.slug() } else { cell.slug() };
        let names: Vec<_> =
            offered.map(|cell| (format!("/admin/cells/{}{page}", to(cell)), cell.name())).collect();
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
        let served =
            if self.cell.has(Mutation::AdminPageWithoutItsCell) { String::new() } else { served };
        Page::new("Admin Area").html(format_args!(
            "{served}<details><summary>Choose a cell</summary>\n{menu}</details>\n{pages}"
        ))
    }
}
