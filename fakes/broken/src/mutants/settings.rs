//! Settings that differ from cell to cell.

use std::sync::{Mutex, OnceLock};

use async_trait::async_trait;
use cell_fleet::inside::{Call, Endpoint, Form, Parts};
use cell_fleet::store::{
    CellSettings, Change, OpenStores, Read, Seen, Server, SharedDatabases, Spread, Written,
};
use cell_fleet::{CellId, FleetPlan, SettingsModel};

use crate::front::{Front, behind};
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
    fn stores(&self, _: &CellId, stores: OpenStores) -> OpenStores {
        behind(WrittenHere::default(), stores)
    }
}

/// The rows that were written on one cell.
#[derive(Debug, Default)]
struct WrittenHere(Mutex<CellSettings>);

impl WrittenHere {
    fn rows<T>(&self, access: impl FnOnce(&mut CellSettings) -> T) -> T {
        // Each access is one insertion at most, so the rows are whole even after a panic.
        access(&mut self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

#[async_trait]
impl Front for WrittenHere {
    async fn write(&self, shared: &dyn SharedDatabases, change: Change, spread: Spread) -> Written {
        let Change::SetCellSetting { cell, key, value } = change else {
            return shared.write(change, spread).await;
        };
        self.rows(|rows| rows.entry(cell).or_default().insert(key, value));
        shared.position().await.map(Ok)
    }

    async fn cell_settings(
        &self,
        shared: &dyn SharedDatabases,
        from: &Server,
    ) -> Read<CellSettings> {
        let seen = shared.cell_settings(from).await?;
        Ok(Seen { rows: self.rows(|rows| rows.clone()), ..seen })
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

/// Knows the cells of its fleet.
#[derive(Debug, Default)]
struct NoRowNoValue(OnceLock<Vec<CellId>>);

impl Parts for NoRowNoValue {
    fn plan(&self, plan: FleetPlan) -> FleetPlan {
        self.0.get_or_init(|| plan.topology.cells.clone());
        plan
    }

    fn stores(&self, _: &CellId, stores: OpenStores) -> OpenStores {
        behind(EmptyRows(self.0.get().cloned().unwrap_or_default()), stores)
    }
}

/// Cells that have empty rows where they have none.
#[derive(Debug)]
struct EmptyRows(Vec<CellId>);

#[async_trait]
impl Front for EmptyRows {
    async fn cell_settings(
        &self,
        shared: &dyn SharedDatabases,
        from: &Server,
    ) -> Read<CellSettings> {
        let mut seen = shared.cell_settings(from).await?;
        if seen.rows.is_empty() {
            return Ok(seen);
        }
        let keys = shared.settings(from).await?.rows.into_keys();
        let empty: Vec<_> = keys.map(|key| (key, String::new())).collect();
        for cell in &self.0 {
            let row = || empty.iter().cloned().collect();
            seen.rows.entry(cell.clone()).or_insert_with(row);
        }
        Ok(seen)
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
