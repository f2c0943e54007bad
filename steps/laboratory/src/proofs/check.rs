//! Asks `stateright` whether a claim holds in every state that a model can reach.

use std::fmt::Debug;
use std::hash::Hash;

use conformance_suite::stage::Stop;
use stateright::{Checker, Model, Property};

/// A model of which one thing is claimed: that no state is bad.
///
/// There is one claim for each check, since stateright 0.31 keeps the last path to a bad state, and
/// stops at the first one only where nothing else is looked for.
pub(crate) trait Claimed: Clone + Send + Sync + 'static {
    /// A state. Two that are equal are visited once.
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;
    /// What leads from one to the next.
    type Step: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// Where it begins: of two paths of one length, the one from the earlier beginning is shown.
    fn beginnings(&self) -> Vec<Self::State>;
    fn steps(&self, state: &Self::State, steps: &mut Vec<Self::Step>);
    /// The state behind a step; `None` where it changes nothing.
    fn after(&self, state: &Self::State, step: &Self::Step) -> Option<Self::State>;
    fn is_bad(&self, state: &Self::State) -> bool;
}

/// Each state with the step that was taken in it; none in the last one.
pub(crate) type Path<M> = Vec<(<M as Claimed>::State, Option<<M as Claimed>::Step>)>;

#[derive(Clone, Debug)]
pub(crate) struct Checked<M: Claimed> {
    /// Different states that were visited.
    pub(crate) states: usize,
    /// The longest path that was followed, in steps.
    pub(crate) depth: usize,
    /// The shortest path to a bad state; `None` where the claim holds.
    pub(crate) broken: Option<Path<M>>,
}

/// A model as stateright asks for it, and what ends the check before its time.
struct Under<M>(M, Stop);

impl<M: Claimed> Model for Under<M> {
    type State = M::State;
    type Action = M::Step;

    fn init_states(&self) -> Vec<Self::State> {
        // The checker takes the last one first.
        self.0.beginnings().into_iter().rev().collect()
    }

    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>) {
        if self.1.reason().is_none() {
            self.0.steps(state, actions);
        }
    }

    fn next_state(&self, state: &Self::State, action: Self::Action) -> Option<Self::State> {
        self.0.after(state, &action).filter(|next| next != state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::always(CLAIM, |model: &Self, state| !model.0.is_bad(state))]
    }
}

const CLAIM: &str = "the claim";

/// Visits every state, breadth first and on one thread, so that a path to a bad one is the
/// shortest. Where it is stopped, it comes to nothing.
pub(crate) fn check<M: Claimed>(model: &M, stop: &Stop) -> Checked<M> {
    let checker = Under(model.clone(), stop.clone()).checker().threads(1).spawn_bfs().join();
    Checked {
        states: checker.unique_state_count(),
        depth: checker.max_depth().saturating_sub(1),
        broken: checker.discovery(CLAIM).map(stateright::Path::into_vec),
    }
}
