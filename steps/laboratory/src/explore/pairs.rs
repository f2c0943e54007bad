//! Counts the pairs of a router's state and a kind of request that journeys met.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use conformance_suite::action::Kind;
use conformance_suite::engine::record::PairsOfKind;
use conformance_suite::judge::model::{State, states};
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::trace::Trace;

/// How often each pair was met.
#[derive(Default, Debug)]
pub struct Pairs(BTreeMap<(State, Kind), u64>);

impl Pairs {
    /// The pairs of a journey.
    pub(super) fn from_trace(trace: &Trace, plan: &ScenarioPlan) -> Self {
        let mut pairs = Self::default();
        for (user, state) in states(plan, trace) {
            if let Some(kind) = trace.action_of(&trace.users[user]).and_then(Kind::of) {
                *pairs.0.entry((state, kind)).or_default() += 1;
            }
        }
        pairs
    }

    /// Adds those of a journey.
    pub(super) fn add(&mut self, met: &Self) {
        for (pair, times) in &met.0 {
            *self.0.entry(*pair).or_default() += times;
        }
    }

    /// How many different pairs were met.
    pub(crate) fn met(&self) -> usize {
        self.0.len()
    }

    /// How many pairs there are, possible or not.
    pub fn all() -> usize {
        State::VARIANTS.len() * Kind::VARIANTS.len()
    }

    /// The pairs as a table: a row for each kind of action, a column for each state.
    pub(crate) fn table(&self) -> Vec<PairsOfKind> {
        let count = |pair| self.0.get(&pair).copied().unwrap_or(0);
        let met = |kind| State::VARIANTS.iter().map(|state| count((*state, kind))).collect();
        Kind::VARIANTS.iter().map(|&kind| PairsOfKind { kind, met: met(kind) }).collect()
    }
}
