//! Admin settings as each cell uses them (AD-10, AD-11, AD-12).

use std::collections::BTreeMap;

use crate::CellId;
use crate::database::{Change, Stored};
use crate::plan::SettingsModel;
use crate::rails::call::Call;
use crate::rails::layout::Escaped;

/// What a shared value has where the name of a cell belongs.
const PLACE: &str = "%{cell}";

/// The settings of a cell, by key.
type Values = BTreeMap<String, String>;

impl Call {
    /// The settings of all cells as they use them, in the order of the topology.
    pub(in crate::rails) async fn effective_settings(&self) -> Stored<Vec<(CellId, Values)>> {
        let shared = self.cell.database.settings().await?;
        let rows = match self.cell.installation.plan.settings_model {
            SettingsModel::Shared | SettingsModel::Template => BTreeMap::new(),
            SettingsModel::Table => self.cell.database.cell_settings().await?,
        };
        let cells = self.cell.installation.plan.topology.cells.iter();
        let effective = cells.map(|cell| (cell.clone(), self.effective(cell, &shared, &rows)));
        Ok(effective.collect())
    }

    fn effective(&self, cell: &CellId, shared: &Values, rows: &BTreeMap<CellId, Values>) -> Values {
        let mut values = shared.clone();
        match self.cell.installation.plan.settings_model {
            SettingsModel::Shared => {}
            SettingsModel::Template => {
                for value in values.values_mut() {
                    *value = value.replace(PLACE, &cell.slug());
                }
            }
            SettingsModel::Table => values.extend(rows.get(cell).cloned().unwrap_or_default()),
        }
        values
    }

    /// The one list of what each cell uses (AD-12).
    pub(in crate::rails) fn listed_settings(&self, effective: &[(CellId, Values)]) -> String {
        let rows = effective.iter().flat_map(|(cell, values)| {
            values.iter().map(move |(key, value)| {
                let slug = cell.slug();
                format!("<li>{slug} {}={}</li>\n", Escaped(key), Escaped(value))
            })
        });
        let list = rows.collect::<String>();
        format!("<h2>What each cell uses</h2>\n<ul>\n{list}</ul>\n")
    }

    /// The form that writes the row of one cell, from any cell (AD-11).
    pub(in crate::rails) fn cell_form(&self, base: &str, shared: &Values) -> String {
        if self.cell.installation.plan.settings_model != SettingsModel::Table {
            return String::new();
        }
        let cells = self.cell.installation.plan.topology.cells.iter();
        let options = cells.map(|cell| format!("<option>{}</option>", cell.slug()));
        let options = options.collect::<String>();
        let inputs = shared.keys().map(|key| {
            let key = Escaped(key);
            format!("<label>{key} <input name=\"{key}\"></label>\n")
        });
        format!(
            "<h2>Settings of one cell</h2>\n<form method=\"post\" action=\"{base}/settings\">\n\
             <label>Cell <select name=\"cell\">{options}</select></label>\n{}\
             <button>Save</button>\n</form>\n",
            inputs.collect::<String>()
        )
    }

    /// Writes settings into the row of a cell. Empty ones stay as they are.
    ///
    /// The inner error says why the form has no effect.
    pub(in crate::rails) async fn set_for_cell(
        &self,
        spelling: &str,
        changed: &[(String, String)],
    ) -> Stored<Result<(), String>> {
        if self.cell.installation.plan.settings_model != SettingsModel::Table {
            return Ok(Err("This installation has no settings of single cells.".to_owned()));
        }
        let Some(of) = self.cell.spelled(spelling) else {
            return Ok(Err(format!("There is no cell {spelling}.")));
        };
        for (key, value) in changed.iter().filter(|(_, value)| !value.is_empty()) {
            let (cell, key, value) = (of.clone(), key.clone(), value.clone());
            let change = Change::SetCellSetting { cell, key, value };
            // The row is there or is made, so the write cannot conflict.
            let _ = self.cell.database.write(change).await?;
        }
        Ok(Ok(()))
    }
}
