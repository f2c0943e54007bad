//! What a router may know when it is asked: the half of a pair that exploration counts.

use serde::{Deserialize, Serialize};

use super::entries::Sure;
use super::exchange::Case;
use super::{Installation, Model};
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// The state of a router with regard to one request.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum State {
    /// No entry covers the path.
    Cold,
    /// An entry certainly covers it, and is right.
    Warm,
    /// An entry covers it and may have been dropped.
    Unsure,
    /// An entry covers it and names a former owner.
    Stale,
    /// So much was taught that entries may have been evicted.
    Evicted,
    /// The entry is older than its lifetime.
    Expired,
    /// The owner is down or has faults.
    #[serde(rename = "owner in trouble")]
    #[strum(serialize = "owner in trouble")]
    OwnerInTrouble,
}

impl State {
    /// The words in reports.
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The states of the routers when they were asked, by the index of the user's request.
pub fn states(plan: &ScenarioPlan, trace: &Trace) -> Vec<(usize, State)> {
    let installation = Installation::of(plan, &trace.actions);
    let model = Model::new(&installation, trace);
    model.cases.iter().map(|case| (case.user, state(&model, case))).collect()
}

fn state(model: &Model<'_>, case: &Case<'_>) -> State {
    let owners = model.installation.owners(&case.path, case.span);
    let covering = model.covering(case, case.decided());
    if owners.iter().any(|owner| case.troubled.contains(owner)) {
        return State::OwnerInTrouble;
    }
    let Some((entry, sure)) = covering.first() else { return State::Cold };
    if !owners.is_empty() && !owners.contains(&entry.cell) {
        return State::Stale;
    }
    match sure {
        Sure::Certain => State::Warm,
        Sure::Expired => State::Expired,
        Sure::Possible if model.is_full(case) => State::Evicted,
        Sure::Possible => State::Unsure,
    }
}
