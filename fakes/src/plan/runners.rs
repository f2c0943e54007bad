//! What a plan says about runners.

use std::time::Duration;

use strum::{Display, EnumString, VariantNames};

use crate::PlanError;

/// Where the registrations of runners and the queue of jobs are kept.
///
/// The documents name both and choose none; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
#[non_exhaustive]
pub enum RunnerModel {
    /// In a schema that all cells share.
    Shared,
    /// In the `gitlab_ci` of each cell.
    #[default]
    PerCell,
}

impl RunnerModel {
    /// Both, in the order of the documents.
    pub const ALL: [Self; 2] = [Self::Shared, Self::PerCell];
}

fn unknown(text: &str) -> String {
    let names = RunnerModel::VARIANTS.join(" or ");
    format!("`{text}` is not a way to keep runners; name {names}")
}

/// How runners get jobs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunnerPlan {
    /// Where registrations and jobs are kept.
    pub model: RunnerModel,
    /// Whether the runners of groups and projects are shared too, where runners are. Otherwise
    /// each of them is known to the cell of its group or project alone.
    pub group_and_project: bool,
    /// How long a job belongs to the runner that took it, without a word from that runner.
    pub lease: Duration,
}

impl Default for RunnerPlan {
    fn default() -> Self {
        let lease = Duration::from_secs(3600);
        Self { model: RunnerModel::default(), group_and_project: true, lease }
    }
}

impl RunnerPlan {
    /// The plan of a model, everything else as by default.
    pub fn of(model: RunnerModel) -> Self {
        Self { model, ..Self::default() }
    }

    /// Refuses a lease that ends as it begins.
    pub(crate) fn check(&self) -> Result<(), PlanError> {
        if self.lease.is_zero() {
            let why = "the lease of a job cannot be 0 seconds: the job would be given out twice; \
                       give it at least one second";
            return Err(PlanError(why.to_owned()));
        }
        Ok(())
    }
}
