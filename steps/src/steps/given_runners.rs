//! Given steps about where runners, jobs and settings of single cells are kept.

use cell_fleet::{RunnerModel, SettingsModel};

use super::definition::{Definition, given};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given("all cells share runners", |plan: &mut ScenarioPlan| {
            plan.fleet.runner_plan.model = RunnerModel::Shared;
        }),
        given("runners of groups and projects are not shared", |plan: &mut ScenarioPlan| {
            plan.fleet.runner_plan.group_and_project = false;
        }),
        given("each cell has its own runners", |plan: &mut ScenarioPlan| {
            plan.fleet.runner_plan.model = RunnerModel::PerCell;
        }),
        given("settings are the same on all cells", |plan: &mut ScenarioPlan| {
            plan.fleet.settings_model = SettingsModel::Shared;
        }),
        given("each cell fills in the templates of settings", |plan: &mut ScenarioPlan| {
            plan.fleet.settings_model = SettingsModel::Template;
        }),
        given("a table has the settings of single cells", |plan: &mut ScenarioPlan| {
            plan.fleet.settings_model = SettingsModel::Table;
        }),
    ]
}
