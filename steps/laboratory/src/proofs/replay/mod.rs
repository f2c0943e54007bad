//! The steps of the models on the fleet itself, so that models do not drift: every path of a few
//! steps is done by cells, and what they show is compared with the model's state.
//!
//! [`Of`] says of each kind of step what becomes of it. The steps of routers need a router, and are
//! replayed as scenarios (`transitions`).

mod cells;
mod ids;
mod sessions;
mod world;

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::check::Claimed;

/// What becomes of a kind of step on the fleet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Of {
    /// Cells do it, and the state behind it is compared.
    Fleet(&'static str),
    /// Only the model has it, and why.
    ModelOnly(&'static str),
}

/// A way through a model: a beginning, and each step with the state behind it.
#[derive(Clone)]
struct Walk<M: Claimed> {
    beginning: M::State,
    steps: Vec<(M::Step, M::State)>,
}

impl<M: Claimed> Walk<M> {
    fn end(&self) -> &M::State {
        self.steps.last().map_or(&self.beginning, |(_, state)| state)
    }
}

/// Whether a step and the one behind it are one on the fleet, by the state before them.
type Joined<M> =
    fn(&<M as Claimed>::State, &<M as Claimed>::Step, Option<&<M as Claimed>::Step>) -> bool;

/// How a model is walked.
struct Walks<'m, M: Claimed> {
    model: &'m M,
    /// The most steps.
    most: usize,
    /// What becomes of a step; those of the model alone are left out.
    of: fn(&M, &M::State, &M::Step) -> Of,
    /// Whether the fleet does a step together with another one behind it; with this one, if it is
    /// named. The state is the one before.
    joined: Joined<M>,
}

impl<M: Claimed> Walks<'_, M> {
    /// The shortest walk to each state, with one further step: every transition within the bound.
    fn all(&self) -> Vec<Walk<M>> {
        let beginnings = self.model.beginnings();
        let mut seen: HashSet<M::State> = beginnings.iter().cloned().collect();
        let begin = |beginning| Walk { beginning, steps: Vec::new() };
        let mut open: VecDeque<Walk<M>> = beginnings.into_iter().map(begin).collect();
        let mut done = Vec::new();
        while let Some(walk) = open.pop_front() {
            let mut steps = Vec::new();
            self.model.steps(walk.end(), &mut steps);
            let last = walk.steps.last().map(|(step, _)| step.clone());
            let joins = |step: Option<&M::Step>| {
                last.as_ref().is_some_and(|it| (self.joined)(walk.end(), it, step))
            };
            for step in steps {
                let is_apart = joins(None) && !joins(Some(&step));
                let of = (self.of)(self.model, walk.end(), &step);
                if is_apart || matches!(of, Of::ModelOnly(_)) {
                    continue;
                }
                let Some(next) = self.model.after(walk.end(), &step) else { continue };
                let is_half = (self.joined)(walk.end(), &step, None);
                let mut further = walk.clone();
                further.steps.push((step, next.clone()));
                if !is_half {
                    done.push(further.clone());
                    if !seen.insert(next) || further.steps.len() >= self.most {
                        continue;
                    }
                }
                open.push_back(further);
            }
        }
        done
    }

    /// The walks that are no beginning of another walk, for cells that are looked at after each
    /// step.
    fn longest(&self) -> Vec<Walk<M>> {
        let all = self.all();
        let goes_on = |walk: &Walk<M>| {
            all.iter().any(|other| {
                let (steps, others) = (&walk.steps, &other.steps);
                others.len() > steps.len()
                    && other.beginning == walk.beginning
                    && steps.iter().zip(others).all(|((one, _), (other, _))| one == other)
            })
        };
        all.iter().filter(|walk| !goes_on(walk)).cloned().collect()
    }

    /// How often each kind of step is walked.
    fn kinds(&self, walks: &[Walk<M>]) -> BTreeMap<Of, usize> {
        let mut kinds = BTreeMap::new();
        for walk in walks {
            let mut before = &walk.beginning;
            for (step, after) in &walk.steps {
                *kinds.entry((self.of)(self.model, before, step)).or_default() += 1;
                before = after;
            }
        }
        kinds
    }
}
