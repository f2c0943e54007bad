//! Settings that differ from cell to cell.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use cell_fleet::inside::{Call, Endpoint, Form, Front, Parts};
use cell_fleet::store::{CellSettings, Change};
use cell_fleet::{CellId, FleetPlan, SettingsModel};

use crate::mutant::mutants;
use crate::ways::{Misreads, Planned, Writes, without_lines};

mutants! {
    TemplatesNotFilled: Both, "AD-10",
        "a cell uses the template of a setting as it is written" => Planned(without_templates);
    TemplatesFilledAsOnTheLegacyCell: Both, "AD-10",
        "each cell fills in a template as Cell US0 does" => Writes(filled_as_on_the_legacy_cell);
    CellSettingsKnownWhereWritten: Both, "AD-11",
        "the row of a cell is seen by the cell alone on which it was written"
            => CellSettingsKnownWhereWritten;
    CellSettingsWrittenForAll: Both, "AD-11",
        "a setting of one cell is written into the row of all cells" => Misreads(of_all_cells);
    NoRowNoValue: Both, "AD-11",
        "a cell without a row has empty settings once another cell has a row"
            => NoRowNoValue::default();
    SettingsListedForOneCell: Both, "AD-12",
        "an admin page lists what its own cell uses, and nothing of the others"
            => Writes(of_its_own_alone);
}

fn without_templates(plan: &mut FleetPlan) {
    if plan.settings_model == SettingsModel::Template {
        plan.settings_model = SettingsModel::Shared;
    }
}

/// How the lines begin that list what a cell uses.
fn listed(cell: &CellId) -> String {
    format!("<li>{} ", cell.slug())
}

fn filled_as_on_the_legacy_cell(call: &Call, text: String) -> String {
    let installation = &call.cell.installation;
    let fills_in = installation.plan.settings_model == SettingsModel::Template;
    if call.asked.endpoint != Endpoint::AdminOfCell || !fills_in {
        return text;
    }
    let latest = installation.latest().slug();
    let list = installation.plan.topology.cells.iter().map(|cell| (listed(cell), cell));
    let here = ("<output>".to_owned(), &call.cell.node);
    let places: Vec<_> = list.chain([here]).collect();
    let filled = |line: &str| {
        let found = places.iter().find_map(|(before, cell)| {
            let begin = line.find(before)? + before.len();
            Some((line.split_at(begin), cell.slug()))
        });
        match found {
            Some(((before, value), slug)) => format!("{before}{}", value.replace(&slug, &latest)),
            None => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(filled).collect()
}

#[derive(Debug)]
struct CellSettingsKnownWhereWritten;

impl Parts for CellSettingsKnownWhereWritten {
    fn front(&self) -> Arc<dyn Front> {
        Arc::new(WrittenHere::default())
    }
}

/// The rows that were written on one cell.
#[derive(Debug, Default)]
struct WrittenHere(Mutex<CellSettings>);

impl WrittenHere {
    fn rows(&self) -> MutexGuard<'_, CellSettings> {
        // Each access is one insertion at most, so the rows are whole even after a panic.
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Front for WrittenHere {
    fn write(&self, change: Change) -> Option<Change> {
        let Change::SetCellSetting { cell, key, value } = change else { return Some(change) };
        self.rows().entry(cell).or_default().insert(key, value);
        None
    }

    fn cell_settings(&self, _: CellSettings) -> CellSettings {
        self.rows().clone()
    }
}

fn of_all_cells(call: &Call, form: &mut Form) {
    let model = call.cell.installation.plan.settings_model;
    let is_of_a_cell =
        call.asked.endpoint == Endpoint::AdminOfCell && form.filled("cell").is_some();
    if is_of_a_cell && model == SettingsModel::Table {
        form.0.retain(|name, value| name != "cell" && !value.is_empty());
    }
}

/// Knows an empty row of each cell of its fleet.
#[derive(Debug, Default)]
struct NoRowNoValue(OnceLock<CellSettings>);

impl Parts for NoRowNoValue {
    fn plan(&self, plan: FleetPlan) -> FleetPlan {
        self.0.get_or_init(|| {
            let keys = plan.population.settings.keys();
            let empty: BTreeMap<_, _> = keys.map(|key| (key.clone(), String::new())).collect();
            plan.topology.cells.iter().map(|cell| (cell.clone(), empty.clone())).collect()
        });
        plan
    }

    fn front(&self) -> Arc<dyn Front> {
        Arc::new(EmptyRows(self.0.get().cloned().unwrap_or_default()))
    }
}

/// Empty rows for cells that have none.
#[derive(Debug)]
struct EmptyRows(CellSettings);

impl Front for EmptyRows {
    fn cell_settings(&self, rows: CellSettings) -> CellSettings {
        if rows.is_empty() {
            return rows;
        }
        let mut all = self.0.clone();
        all.extend(rows);
        all
    }
}

fn of_its_own_alone(call: &Call, text: String) -> String {
    if call.asked.endpoint != Endpoint::AdminOfCell {
        return text;
    }
    let cells = call.cell.installation.plan.topology.cells.iter();
    let others = cells.filter(|cell| **cell != call.cell.node);
    others.fold(text, |text, cell| without_lines(&text, &listed(cell)))
}
