//! The Admin Area, and how it leads from cell to cell.

use axum::response::Response;
use cell_fleet::CellId;
use cell_fleet::inside::{Call, Endpoint, response};

use crate::mutant::mutants;
use crate::ways::{Pages, Writes, beside, without_lines};

mutants! {
    AdminLeadsToANeighbor: Buffering, "AD-01",
        "`/admin` redirects the operator to the area of another cell" => Pages(to_a_neighbor);
    AdminMenuWithoutCells: Both, "AD-03", "the Admin Area does not list the other cells"
            => Writes(menu_without_cells);
    AdminMenuStaysPut: Both, "AD-03",
        "each link to a cell in the Admin Area leads to the page that is already shown"
            => Writes(menu_stays_put);
    AdminPageWithoutItsCell: Both, "AD-06",
        "the Admin Area does not name the cell that serves the page" => Writes(without_its_cell);
    AdminPageAtItsEntry: Learning, "AD-06",
        "`/admin` shows the area of Cell US0 itself, at a URL that names no cell"
            => Pages(area_at_its_entry);
    AdminOnTheLegacyCellOnly: Both, "AD-07", "only Cell US0 has an Admin Area"
            => Pages(on_the_legacy_cell_only);
}

/// How a link to the area of a cell begins.
const LINK: &str = "<li><a href=\"/admin/cells/";

/// Whether an administrator asks for this.
fn is_asked(call: &Call, endpoint: Endpoint) -> bool {
    call.asked.endpoint == endpoint && call.viewer.user.as_ref().is_some_and(|user| user.admin)
}

fn to_a_neighbor(call: &Call) -> Option<Response> {
    let neighbor = beside(&call.cell, &call.cell.node);
    let redirect = || response::redirect(&format!("/admin/cells/{}", neighbor.slug()));
    is_asked(call, Endpoint::Admin).then(redirect)
}

fn menu_without_cells(call: &Call, text: String) -> String {
    let cells = &call.cell.installation.plan.topology.cells;
    let others = cells.iter().filter(|cell| **cell != call.cell.node);
    others.fold(text, |text, cell| {
        links_to(cell).iter().fold(text, |text, link| without_lines(&text, link))
    })
}

fn menu_stays_put(call: &Call, text: String) -> String {
    let here = links_to(&call.cell.node);
    call.cell.installation.plan.topology.cells.iter().fold(text, |text, cell| {
        let links = links_to(cell);
        text.replace(&links[0], &here[0]).replace(&links[1], &here[1])
    })
}

/// How a link to the start of a cell's area begins, and one to what lies below.
fn links_to(cell: &CellId) -> [String; 2] {
    ["\"", "/"].map(|end| format!("{LINK}{}{end}", cell.slug()))
}

fn without_its_cell(_: &Call, text: String) -> String {
    without_lines(&text, "<p>Served by <strong")
}

fn area_at_its_entry(call: &Call) -> Option<Response> {
    let area = || call.area("").response(call.viewer.user.as_ref());
    is_asked(call, Endpoint::Admin).then(area)
}

fn on_the_legacy_cell_only(call: &Call) -> Option<Response> {
    let is_elsewhere = call.cell.node != *call.cell.installation.latest();
    (is_elsewhere && call.asked.endpoint == Endpoint::AdminOfCell).then(|| call.not_found())
}
