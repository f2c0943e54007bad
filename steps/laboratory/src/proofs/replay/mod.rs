//! The steps of the models on the fleet itself, so that models do not drift: every path of a few
//! steps is done by cells, and what they show is compared with the model's state.
//!
//! The steps of routers need a router, and are replayed as scenarios (`transitions`).

mod cells;
mod ids;
mod sessions;
mod world;

use std::collections::{HashSet, VecDeque};

use super::check::Claimed;

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

    /// Each step, with the states before and behind it.
    fn taken(&self) -> impl Iterator<Item = (&M::State, &M::Step, &M::State)> {
        let befores = std::iter::once(&self.beginning).chain(self.steps.iter().map(|(_, it)| it));
        befores.zip(&self.steps).map(|(before, (step, after))| (before, step, after))
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
    /// Whether the fleet can do a step; otherwise the model alone has it.
    can: fn(&M::State, &M::Step) -> bool,
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
                if is_apart || !(self.can)(walk.end(), &step) {
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
}
