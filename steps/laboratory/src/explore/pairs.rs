//! Counts the pairs of a router's state and an action that journeys met, so that rare pairs are
//! preferred.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use super::deed::{Deed, Situation};
use conformance_suite::action::Kind;
use conformance_suite::engine::record::PairsOfKind;
use conformance_suite::judge::model::{State, states};
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::trace::Trace;

/// A pair that was met: the state of the router, and the kind of the action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Met(State, Kind);

impl Met {
    /// The pair that a drawn scene is expected to meet.
    pub(super) fn expected(situation: Situation, deed: Deed) -> Self {
        Self(expected(situation), deed.kind())
    }

    /// The pairs of a journey, as often as they were met.
    pub(super) fn of(trace: &Trace, plan: &ScenarioPlan) -> Vec<Self> {
        let mut met = Vec::new();
        for (user, state) in states(plan, trace) {
            let kind = trace.action_of(&trace.users[user]).and_then(Kind::of);
            met.extend(kind.map(|kind| Self(state, kind)));
        }
        met
    }
}

/// How often each pair was met.
#[derive(Clone, Default, Debug)]
pub struct Pairs(BTreeMap<(State, Kind), u64>);

impl Pairs {
    /// Counts pairs.
    pub(super) fn add(&mut self, met: &[Met]) {
        for Met(state, kind) in met {
            *self.0.entry((*state, *kind)).or_default() += 1;
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

    /// How often a pair was met.
    fn count(&self, state: State, kind: Kind) -> u64 {
        self.0.get(&(state, kind)).copied().unwrap_or(0)
    }

    /// How rare a pair is: 1 if it was never met.
    pub(super) fn rarity(&self, Met(state, kind): Met) -> f64 {
        1.0 / (1.0 + self.count(state, kind) as f64)
    }

    /// The pairs as a table: a row for each kind of action, a column for each state.
    pub(crate) fn table(&self) -> Vec<PairsOfKind> {
        let met = |kind| State::VARIANTS.iter().map(|state| self.count(*state, kind)).collect();
        Kind::VARIANTS.iter().map(|&kind| PairsOfKind { kind, met: met(kind) }).collect()
    }
}

/// The state that a situation brings a router into.
fn expected(situation: Situation) -> State {
    match situation {
        Situation::AsItIs | Situation::Restarted => State::Cold,
        Situation::Visited | Situation::OwnerSlow => State::Warm,
        Situation::Moved | Situation::MovedUnseen => State::Stale,
        Situation::Outlived | Situation::OutlivedInUse => State::Expired,
        Situation::Crowded => State::Evicted,
        Situation::OwnerDown | Situation::RegionDown | Situation::OwnerBreaks => {
            State::OwnerInTrouble
        }
    }
}
