//! The models of routing, as scenarios play them: what a step is, and how it looks in an exchange.

use cell_fleet::wire;

use super::buffering::{self, Buffering};
use super::learning::{self, Learning};
use super::story::organization;
use super::world::{Cell, Mover, Page, Region, World};
use super::{Method, Status};
use crate::proofs::check::Claimed;

/// The router gives up.
pub(crate) const GIVES_UP: &str = "router_eu-->>user: 508";

/// What a step is for a scenario.
pub(crate) enum Event {
    Move {
        dies: bool,
    },
    Release,
    Restart,
    Expire,
    Send {
        page: Page,
        method: Method,
        router: Region,
        pick: Option<Cell>,
    },
    /// A step of the request in flight.
    Own,
}

/// A kind of step, and what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// A tale has it: the reference router and the cells do it.
    Fleet(&'static str),
    /// Only the model has it, and why.
    ModelOnly(&'static str),
}

/// What is played.
pub(crate) trait Played: Claimed {
    /// The kind of a step in a state that takes it.
    fn kind(&self, state: &Self::State, step: &Self::Step) -> Kind;
    fn mover(&self) -> Mover;
    fn world<'a>(&self, state: &'a Self::State) -> &'a World;
    fn event(&self, step: &Self::Step) -> Event;
    /// The next step of the one request in flight; none where there is none.
    fn drive(&self, state: &Self::State) -> Option<Self::Step>;
    /// Whether the answer to its pre-flight is on its way.
    fn is_told(&self, state: &Self::State) -> bool;
    /// What the step looks like in the exchange of a page.
    fn arrows(&self, state: &Self::State, step: &Self::Step, path: &str) -> Vec<String>;
}

/// Buffering on the fleet.
impl Played for Buffering {
    fn kind(&self, state: &buffering::State, step: &buffering::Step) -> Kind {
        self.kind_of(state, *step)
    }

    fn mover(&self) -> Mover {
        self.0.mover
    }

    fn world<'a>(&self, state: &'a buffering::State) -> &'a World {
        &state.world
    }

    fn event(&self, step: &buffering::Step) -> Event {
        use buffering::Step;
        match *step {
            Step::Move { dies } => Event::Move { dies },
            Step::Release => Event::Release,
            Step::Restart(_) => Event::Restart,
            Step::Send { page, method, router, pick } => Event::Send { page, method, router, pick },
            Step::Handle(_) | Step::Finish(_) | Step::Deliver(_) => Event::Own,
        }
    }

    fn drive(&self, state: &buffering::State) -> Option<buffering::Step> {
        use buffering::{At, Step};
        Some(match state.requests.first()?.at {
            At::To(_) => Step::Handle(0),
            At::Working(_) => Step::Finish(0),
            At::Back(..) => Step::Deliver(0),
        })
    }

    fn is_told(&self, _: &buffering::State) -> bool {
        false
    }

    fn arrows(&self, state: &buffering::State, step: &buffering::Step, path: &str) -> Vec<String> {
        use buffering::{At, HOPS, Step};
        let Some(request) = state.requests.first() else { return Vec::new() };
        match (step, request.at) {
            (Step::Handle(_), At::To(cell)) => {
                let method = request.method.word();
                let mut arrows = vec![format!("router_eu->>{}: {method} {path}", cell.word())];
                let (routes, _) = state.world.seen_by(cell, request.page, request.told);
                let owner = state.world.cell(routes[request.page as usize]);
                if let Some(owner) = owner.filter(|owner| *owner != cell) {
                    let (name, value) = (wire::CELL_REDIRECT, wire::redirect_value(owner.name()));
                    arrows.push(format!("{}-->>router_eu: 302 {name}={value}", cell.word()));
                    if request.hops == HOPS {
                        arrows.push(GIVES_UP.to_owned());
                    }
                }
                arrows
            }
            (Step::Deliver(_), At::Back(cell, status, _)) => ended(cell, status),
            _ => Vec::new(),
        }
    }
}

/// Learning on the fleet.
impl Played for Learning {
    fn kind(&self, state: &learning::State, step: &learning::Step) -> Kind {
        self.kind_of(state, *step)
    }

    fn mover(&self) -> Mover {
        self.0.mover
    }

    fn world<'a>(&self, state: &'a learning::State) -> &'a World {
        &state.world
    }

    fn event(&self, step: &learning::Step) -> Event {
        use learning::Step;
        match *step {
            Step::Move { dies } => Event::Move { dies },
            Step::Release => Event::Release,
            Step::Restart(_) => Event::Restart,
            Step::Expire => Event::Expire,
            Step::Send { page, method, router, pick } => Event::Send { page, method, router, pick },
            Step::Handle(_) | Step::Finish(_) | Step::Deliver { .. } => Event::Own,
        }
    }

    fn drive(&self, state: &learning::State) -> Option<learning::Step> {
        use learning::{At, Step};
        Some(match state.requests.first()?.at {
            At::Asks(_) | At::To(_) => Step::Handle(0),
            At::Working(_) => Step::Finish(0),
            At::Told(..) | At::Back(..) => Step::Deliver { place: 0, pick: None },
        })
    }

    fn is_told(&self, state: &learning::State) -> bool {
        state.requests.first().is_some_and(|request| matches!(request.at, learning::At::Told(..)))
    }

    fn arrows(&self, state: &learning::State, step: &learning::Step, path: &str) -> Vec<String> {
        use learning::{At, Step};
        let Some(request) = state.requests.first() else { return Vec::new() };
        match (step, request.at) {
            (Step::Handle(_), At::Asks(cell)) => {
                let (routes, _) = state.world.seen_by(cell, request.page, request.told);
                let owner = state.world.cell(routes[request.page as usize]);
                let answer = owner.map_or("404".to_owned(), |owner| {
                    let covered = organization(self.0.mover, &state.world).2[0];
                    format!(
                        "200 {{path: \"{covered}\", cell: \"{}\", source: \"routable\"}}",
                        owner.word()
                    )
                });
                vec![
                    "%% choice LN-17".to_owned(),
                    format!(
                        "router_eu->>{}: GET {{learn}}?method={}&path_info={path}",
                        cell.word(),
                        request.method.word()
                    ),
                    format!("{}-->>router_eu: {answer}", cell.word()),
                ]
            }
            (Step::Handle(_), At::To(cell)) => {
                vec![format!("router_eu->>{}: {} {path}", cell.word(), request.method.word())]
            }
            // What no cell knows goes to the latest deployment.
            (Step::Deliver { .. }, At::Told(_, None)) => {
                vec![format!("router_eu->>cell_us0: {} {path}", request.method.word())]
            }
            (Step::Deliver { .. }, At::Back(_, Status::NotFound, None)) => {
                vec!["cell_us0-->>user: 404".to_owned()]
            }
            (Step::Deliver { .. }, At::Back(cell, status, _)) => ended(cell, status),
            _ => Vec::new(),
        }
    }
}

fn ended(cell: Cell, status: Status) -> Vec<String> {
    match status {
        Status::Ok => vec![format!("{}-->>user: 200", cell.word())],
        Status::NotFound => vec![format!("{}-->>user: 404", cell.word())],
        Status::Frozen => vec![format!("{}-->>user: 503", cell.word())],
        // Written where the last cell bounces.
        Status::Loop => Vec::new(),
    }
}
