//! The kinds of the steps of routing, and what becomes of each on the fleet. A new step has no kind
//! until it is written here.

use super::buffering::{self, Buffering, HOPS};
use super::learning::{self, Learning};
use super::played::Kind;
use super::world::{Mover, Region};
use super::{Mend, Method, Setting, Status};
use Kind::{Fleet, ModelOnly};

const KILLED: Kind = ModelOnly(
    "a router that is told to stop ends what is under way, and no action of the fleet kills one",
);
const ABROAD: Kind =
    ModelOnly("the router of the US is the same program; what differs is which cells it picks");
const MENDED: Kind = ModelOnly("the proposal is mended, and neither router nor cells do that");
const SHARED: Kind = ModelOnly("features/proposals/shared-data.feature plays it");

/// What becomes of any step, because of the model that it is in.
fn of_setting(setting: &Setting) -> Option<Kind> {
    match (setting.mend, setting.mover) {
        (Mend::Version | Mend::AskAgain | Mend::Epoch | Mend::ActsFirst, _) => Some(MENDED),
        (Mend::None, Mover::Naive) => Some(ModelOnly(
            "the fleet's mover has phases; the documents say TODO, and nobody copies and switches",
        )),
        (Mend::None, Mover::Phases | Mover::Creation) => None,
    }
}

fn of_move(dies: bool) -> Kind {
    // Each phase, and a death in each, is compared at cells alone as well (`replay`).
    if dies { Fleet("the mover dies") } else { Fleet("the move goes on") }
}

fn of_sending(router: Region, method: Method, has_entry: bool) -> Kind {
    match (router, method, has_entry) {
        (Region::Us, ..) => ABROAD,
        (Region::Eu, Method::Share, _) => SHARED,
        (Region::Eu, Method::Get, true) => Fleet("a read has an entry"),
        (Region::Eu, Method::Get, false) => Fleet("a read has none"),
        (Region::Eu, Method::Post, true) => Fleet("a write has an entry"),
        (Region::Eu, Method::Post, false) => Fleet("a write has none"),
    }
}

fn of_restart(router: Region, is_idle: bool) -> Kind {
    match (router, is_idle) {
        (Region::Us, _) => ABROAD,
        (Region::Eu, true) => Fleet("a router restarts"),
        (Region::Eu, false) => KILLED,
    }
}

fn of_serving(method: Method, is_closed: bool) -> Kind {
    match method {
        Method::Get => Fleet("a cell serves a read"),
        Method::Post if is_closed => Fleet("a cell refuses a write"),
        Method::Post => Fleet("a cell takes a write"),
        Method::Share => SHARED,
    }
}

fn of_status(status: Status) -> Kind {
    match status {
        Status::Ok => Fleet("the user gets the page"),
        Status::NotFound => Fleet("the user gets 404"),
        Status::Frozen => Fleet("the user gets 503"),
        Status::Loop => Fleet("the router gives up"),
    }
}

impl Buffering {
    pub(super) fn kind_of(&self, state: &buffering::State, step: buffering::Step) -> Kind {
        use buffering::{At, Step};
        if let Some(kind) = of_setting(&self.0) {
            return kind;
        }
        let world = &state.world;
        match step {
            Step::Send { router, method, pick, .. } => of_sending(router, method, pick.is_none()),
            Step::Handle(place) => {
                let request = &state.requests[place];
                let At::To(cell) = request.at else { return ModelOnly("no cell has it") };
                let (routes, _) = world.seen_by(cell, request.page, request.told);
                match world.cell(routes[request.page as usize]) {
                    None => Fleet("a cell finds nothing"),
                    Some(owner) if owner == cell => {
                        of_serving(request.method, world.is_closed(cell))
                    }
                    Some(_) if request.hops == HOPS => Fleet("a cell bounces once too often"),
                    Some(_) => Fleet("a cell bounces"),
                }
            }
            Step::Finish(_) => Fleet("a write takes effect"),
            Step::Deliver(place) => match state.requests[place].at {
                At::Back(_, status, _) => of_status(status),
                At::To(_) | At::Working(_) => ModelOnly("there is no response yet"),
            },
            Step::Move { dies } => of_move(dies),
            Step::Release => Fleet("the replicas follow"),
            Step::Restart(router) => of_restart(router, state.requests.is_empty()),
        }
    }
}

impl Learning {
    pub(super) fn kind_of(&self, state: &learning::State, step: learning::Step) -> Kind {
        use learning::{At, Step};
        if let Some(kind) = of_setting(&self.0) {
            return kind;
        }
        let world = &state.world;
        match step {
            Step::Send { router, method, pick, .. } => of_sending(router, method, pick.is_none()),
            Step::Handle(place) => {
                let request = &state.requests[place];
                let (At::Asks(cell) | At::To(cell)) = request.at else {
                    return ModelOnly("no cell has it");
                };
                let (routes, _) = world.seen_by(cell, request.page, request.told);
                match (request.at, world.cell(routes[request.page as usize])) {
                    (At::Asks(_), None) => Fleet("a cell knows of no owner"),
                    (At::Asks(_), Some(_)) => Fleet("a cell names the owner"),
                    (_, owner) if owner == Some(cell) => {
                        of_serving(request.method, world.is_closed(cell))
                    }
                    _ => Fleet("a cell is not the owner"),
                }
            }
            Step::Finish(_) => Fleet("a write takes effect"),
            Step::Deliver { pick: Some(_), .. } => MENDED,
            Step::Deliver { place, pick: None } => match state.requests[place].at {
                At::Told(_, Some(_)) => Fleet("the router learns"),
                At::Told(_, None) => Fleet("the router learns of no owner"),
                At::Back(_, status, _) => of_status(status),
                At::Asks(_) | At::To(_) | At::Working(_) => ModelOnly("there is no response yet"),
            },
            Step::Move { dies } => of_move(dies),
            Step::Release => Fleet("the replicas follow"),
            Step::Restart(router) => of_restart(router, state.requests.is_empty()),
            Step::Expire => Fleet("a lifetime passes"),
        }
    }
}
