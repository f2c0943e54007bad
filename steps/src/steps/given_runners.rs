//! Given steps about where runners, jobs and settings of single cells are kept.

use cell_fleet::RunnerModel;
use cucumber::given;

use super::meaning::Meaning;
use super::parameters::Settings;

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

#[given(expr = "settings are {settings}")]
fn settings_are(step: &mut Meaning, settings: Settings) {
    step.condition(move |plan| plan.fleet.settings_model = settings.0);
}
