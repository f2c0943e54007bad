//! Given steps about where runners, jobs and settings of single cells are kept.

use cell_fleet::{RunnerModel, SettingsModel};
use cucumber::given;

use super::meaning::Meaning;

#[given(expr = "all cells share runners")]
fn all_cells_share_runners(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.model = RunnerModel::Shared);
}

#[given(expr = "runners of groups and projects are not shared")]
fn runners_groups_and_projects_are_not_shared(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.group_and_project = false);
}

#[given(expr = "each cell has its own runners")]
fn each_cell_has_its_own_runners(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.runner_plan.model = RunnerModel::PerCell);
}

#[given(expr = "settings are the same on all cells")]
fn settings_are_the_same_on_all_cells(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.settings_model = SettingsModel::Shared);
}

#[given(expr = "each cell fills in the templates of settings")]
fn cell_fills_templates_settings(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.settings_model = SettingsModel::Template);
}

#[given(expr = "a table has the settings of single cells")]
fn a_table_has_the_settings_of_single_cells(step: &mut Meaning) {
    step.condition(move |plan| plan.fleet.settings_model = SettingsModel::Table);
}
