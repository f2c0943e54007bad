//! Paths that are chosen, so that each kind of step that needs a router is done by one, and the
//! exchange that the model tells is compared with that of the fleet.

use cell_fleet::Protocol;

use super::machine::{State, Step};
use super::world::{Cell, Mover, Page, Region};
use super::{Claim, Method, Routing};
use crate::proofs::check::{Claimed, Path};

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

pub(crate) struct Tale {
    pub(crate) title: &'static str,
    pub(crate) mover: Mover,
    /// Whether the replica of Europe lags.
    lags: bool,
    acts: &'static [Act],
}

impl Tale {
    const fn new(title: &'static str, lags: bool, acts: &'static [Act]) -> Self {
        Self { title, mover: Mover::Phases, lags, acts }
    }
}

pub(crate) fn tales(protocol: Protocol) -> impl Iterator<Item = &'static Tale> {
    let of_learning = if protocol == Protocol::Learning { OF_LEARNING } else { &[] };
    BOTH.iter().chain(of_learning)
}

const BOTH: &[Tale] = &[
    Tale::new(
        "a write finds its owner and its entry",
        false,
        &[Send(Post, Cell::Eu0), Send(Post, Cell::Eu0)],
    ),
    Tale::new(
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
    Tale::new(
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
    Tale::new(
        "a router forgets all by its restart",
        false,
        &[Send(Get, Cell::Eu0), Send(Get, Cell::Eu0), Restart, Send(Get, Cell::Eu0)],
    ),
    Tale::new(
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

const OF_LEARNING: &[Tale] =
    &[Tale::new("an entry expires", false, &[Send(Get, Cell::Eu0), Expire, Send(Get, Cell::Eu0)])];

/// The model of a proposal in which a mover's tales happen: one request at a time.
pub(crate) fn model(protocol: Protocol, mover: Mover) -> Routing {
    Routing {
        protocol,
        mover,
        quiet: true,
        methods: &[Get, Post],
        requests: 4,
        troubles: 2,
        ..Routing::reads(Claim::OneEffect)
    }
}

impl Tale {
    /// The path through a model; `None` where the model does not take one of its steps.
    pub(crate) fn path(&self, model: &Routing) -> Option<Path<Routing>> {
        let is_first = |State { world, .. }: &State| {
            world.lags == [false, self.lags] && world.cells == [Cell::Us1, Cell::Eu0]
        };
        let mut now = model.beginnings().into_iter().find(is_first)?;
        let mut path = Vec::new();
        let mut take = |now: &mut State, step: Step| {
            let next = model.after(now, &step)?;
            path.push((std::mem::replace(now, next), Some(step)));
            Some(())
        };
        for act in self.acts {
            loop {
                if matches!(*act, Through(phases) if now.world.done == phases) {
                    break;
                }
                let step = next(model, &now, *act)?;
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
}

/// The step of a model that an act is, or begins with.
fn next(model: &Routing, now: &State, act: Act) -> Option<Step> {
    let mut steps = Vec::new();
    model.steps(now, &mut steps);
    steps.into_iter().find(|step| match (*step, act) {
        (Step::Move { dies }, _) => matches!((act, dies), (Through(_), false) | (Dies, true)),
        (Step::Release, Release) | (Step::Restart(_), Restart) | (Step::Expire, Expire) => true,
        (Step::Send { page, method, router, pick }, Send(sent, by)) => {
            let is_it = (page, method, router) == (Page::Outer, sent, Region::Eu);
            is_it && pick.is_none_or(|pick| pick == by)
        }
        _ => false,
    })
}
