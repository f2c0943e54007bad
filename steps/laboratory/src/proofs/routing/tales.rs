//! Paths that are chosen, so that each kind of step that needs a router is done by one, and the
//! exchange that the model tells is compared with that of the fleet.

use std::collections::BTreeSet;

use super::played::{Event, Kind, Played};
use super::story::Story;
use super::world::{Cell, Mover, Page, Region};
use super::{Claim, Mend, Method, ONE_ROUTER, Setting};
use crate::proofs::check::Path;

/// What happens next.
#[derive(Clone, Copy)]
enum Act {
    /// The move goes on until this many phases are done.
    Through(u8),
    /// The mover dies in the next phase.
    Dies,
    Release,
    Restart,
    Expire,
    /// A request for the namespace comes to the router, and ends. Without an entry it picks this
    /// cell: the same one in all of a tale, since a scenario casts the picked cell once.
    Send(Method, Cell),
}

use Act::{Dies, Expire, Release, Restart, Send, Through};
use Method::{Get, Post};

/// A path.
pub(crate) struct Tale {
    pub(crate) title: &'static str,
    mover: Mover,
    /// Whether the replica of Europe lags.
    lags: bool,
    acts: &'static [Act],
}

impl Tale {
    const fn of(title: &'static str, lags: bool, acts: &'static [Act]) -> Self {
        Self { title, mover: Mover::Phases, lags, acts }
    }
}

/// The tales of both proposals.
pub(crate) const BOTH: &[Tale] = &[
    Tale::of(
        "a write finds its owner and its entry",
        false,
        &[Send(Post, Cell::Eu0), Send(Post, Cell::Eu0)],
    ),
    Tale::of(
        "a write meets a frozen cell and a former owner",
        false,
        &[
            Send(Post, Cell::Eu0),
            Through(3),
            Send(Post, Cell::Eu0),
            Through(6),
            Send(Post, Cell::Eu0),
            Send(Post, Cell::Eu0),
        ],
    ),
    Tale::of(
        "a mover that died in the freeze is run again",
        false,
        &[
            Through(2),
            Dies,
            Send(Post, Cell::Eu0),
            Send(Get, Cell::Eu0),
            Through(7),
            Send(Post, Cell::Eu0),
        ],
    ),
    Tale::of(
        "a router forgets all by its restart",
        false,
        &[Send(Get, Cell::Eu0), Send(Get, Cell::Eu0), Restart, Send(Get, Cell::Eu0)],
    ),
    Tale::of(
        "a lagging cell misleads until the release",
        true,
        &[Send(Get, Cell::Eu0), Through(5), Send(Get, Cell::Eu0), Release, Send(Get, Cell::Eu0)],
    ),
    Tale {
        title: "a lagging cell knows of no new namespace until the release",
        mover: Mover::Creation,
        lags: true,
        acts: &[Through(1), Send(Get, Cell::Eu0), Release, Send(Get, Cell::Eu0)],
    },
];

/// The tale of learning alone.
pub(crate) const OF_LEARNING: &[Tale] =
    &[Tale::of("an entry expires", false, &[Send(Get, Cell::Eu0), Expire, Send(Get, Cell::Eu0)])];

/// The model in which a mover's tales happen: one request at a time.
pub(crate) fn setting(mover: Mover) -> Setting {
    Setting {
        claim: Claim::OneEffect,
        mend: Mend::None,
        mover,
        lagging: true,
        early: true,
        quiet: true,
        routers: ONE_ROUTER,
        methods: &[Get, Post],
        requests: 4,
        troubles: 2,
    }
}

impl Tale {
    /// The path through a model; `None` where the model does not take one of its steps.
    fn path<M: Played>(&self, model: &M) -> Option<Path<M>> {
        let is_first = |state: &M::State| {
            let world = model.world(state);
            world.lags == [false, self.lags] && world.cells == [Cell::Us1, Cell::Eu0]
        };
        let mut now = model.beginnings().into_iter().find(is_first)?;
        let mut path = Vec::new();
        let mut take = |now: &mut M::State, step: M::Step| {
            let next = model.after(now, &step)?;
            path.push((std::mem::replace(now, next), Some(step)));
            Some(())
        };
        for act in self.acts {
            loop {
                if matches!(*act, Through(phases) if model.world(&now).done == phases) {
                    break;
                }
                let step = self.step(model, &now, *act)?;
                take(&mut now, step)?;
                while let Some(step) = model.drive(&now) {
                    take(&mut now, step)?;
                }
                if !matches!(act, Through(_)) {
                    break;
                }
            }
        }
        path.push((now, None));
        Some(path)
    }

    fn step<M: Played>(&self, model: &M, now: &M::State, act: Act) -> Option<M::Step> {
        let mut steps = Vec::new();
        model.steps(now, &mut steps);
        steps.into_iter().find(|step| match (model.event(step), act) {
            (Event::Move { dies }, _) => matches!((act, dies), (Through(_), false) | (Dies, true)),
            (Event::Release, Release) | (Event::Restart, Restart) | (Event::Expire, Expire) => true,
            (Event::Send { page, method, router, pick }, Send(sent, by)) => {
                let is_it = (page, method, router) == (Page::Outer, sent, Region::Eu);
                is_it && pick.is_none_or(|pick| pick == by)
            }
            _ => false,
        })
    }

    /// The scenario, below its title, and the kinds of steps in it.
    pub(crate) fn told<M: Played>(
        &self,
        of: impl Fn(Setting) -> M,
    ) -> Option<(Story, BTreeSet<Kind>)> {
        let model = of(setting(self.mover));
        let path = self.path(&model)?;
        let kinds = path.iter().filter_map(|(state, step)| Some(model.kind(state, step.as_ref()?)));
        Some((Story::of(&model, &path)?, kinds.collect()))
    }
}
