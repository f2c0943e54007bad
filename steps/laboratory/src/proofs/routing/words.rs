//! The steps of routing's models, in words.

use super::world::{Cell, Mover, PHASES, Page, Region, World};
use super::{Method, Status, buffering, learning};
use buffering::Buffering;
use learning::Learning;

/// How a path begins.
pub(crate) fn beginning(mover: Mover, world: &World) -> String {
    let [from, to] = world.cells.map(Cell::word);
    let regions: Vec<_> =
        [Region::Us, Region::Eu].into_iter().filter(|it| world.lags[*it as usize]).collect();
    let lag = match regions.as_slice() {
        [] => "no replica lags".to_owned(),
        [one] => format!("the replica of {} lags", one.word()),
        _ => "both replicas lag".to_owned(),
    };
    match mover {
        Mover::Creation => format!("{lag}; a namespace is to be created on {from}"),
        _ => format!("{lag}; an organization is to move from {from} to {to}"),
    }
}

fn moved(mover: Mover, world: &World, dies: bool) -> String {
    let next = usize::from(world.done);
    match (mover, next) {
        (Mover::Creation, _) => "the namespace is created".to_owned(),
        (Mover::Naive, 0) => "the rows are copied".to_owned(),
        (Mover::Naive, _) => "the routes are switched".to_owned(),
        _ if dies => format!("the mover dies in \"{}\"", PHASES[next]),
        _ => format!("the move does \"{}\"", PHASES[next]),
    }
}

fn sent(page: Page, method: Method, router: Region) -> String {
    let method = match method {
        Method::Get => "a read",
        Method::Post => "a write",
        Method::Share => "a write of shared data",
    };
    let page = if page == Page::Outer { "the namespace" } else { "the inner namespace" };
    format!("{method} of {page} comes to the {} router", router.word())
}

fn takes(cell: Cell, asked_abroad: bool) -> String {
    let asks = if asked_abroad { "asks the primary abroad, and " } else { "" };
    format!("{} {asks}takes it", cell.word())
}

fn got(status: Status) -> &'static str {
    match status {
        Status::Ok => "the user gets the response",
        Status::NotFound => "the user gets 404",
        Status::Frozen => "the user gets 503",
        Status::Loop => "the router gives up",
    }
}

impl Buffering {
    /// What a step is, in words.
    pub(crate) fn words(&self, state: &buffering::State, step: buffering::Step) -> String {
        use buffering::{At, HOPS, Step};
        let world = &state.world;
        match step {
            Step::Send { page, method, router, pick } => match pick {
                Some(cell) => {
                    format!("{}, which picks {}", sent(page, method, router), cell.word())
                }
                None => format!("{}, which has an entry", sent(page, method, router)),
            },
            Step::Handle(place) => {
                let request = &state.requests[place];
                let At::To(cell) = request.at else { return String::new() };
                let (routes, asked_abroad) = world.seen_by(cell, request.page, request.told);
                match world.cell(routes[request.page as usize]) {
                    None => format!("{} finds nothing", cell.word()),
                    Some(owner) if owner == cell => takes(cell, asked_abroad),
                    Some(_) if request.hops == HOPS => {
                        format!("{} bounces it once more", cell.word())
                    }
                    Some(owner) => format!("{} bounces it to {}", cell.word(), owner.word()),
                }
            }
            Step::Finish(_) => "the write takes effect".to_owned(),
            Step::Deliver(place) => match state.requests[place].at {
                At::Back(_, status, _) => got(status).to_owned(),
                _ => String::new(),
            },
            Step::Move { dies } => moved(self.0.mover, world, dies),
            Step::Release => "the replicas follow".to_owned(),
            Step::Restart(router) => format!("the {} router restarts", router.word()),
        }
    }
}

impl Learning {
    /// What a step is, in words.
    pub(crate) fn words(&self, state: &learning::State, step: learning::Step) -> String {
        use learning::{At, Step};
        let world = &state.world;
        match step {
            Step::Send { page, method, router, pick } => match pick {
                Some(cell) => format!("{}, which asks {}", sent(page, method, router), cell.word()),
                None => format!("{}, which has an entry", sent(page, method, router)),
            },
            Step::Handle(place) => {
                let request = &state.requests[place];
                let (At::Asks(cell) | At::To(cell)) = request.at else { return String::new() };
                let (routes, asked_abroad) = world.seen_by(cell, request.page, request.told);
                let owner = world.cell(routes[request.page as usize]);
                match (request.at, owner) {
                    (At::Asks(_), Some(owner)) => {
                        format!("{} answers: {}", cell.word(), owner.word())
                    }
                    (At::Asks(_), None) => format!("{} knows of no owner", cell.word()),
                    (_, owner) if owner == Some(cell) => takes(cell, asked_abroad),
                    _ => format!("{} is not the owner", cell.word()),
                }
            }
            Step::Finish(_) => "the write takes effect".to_owned(),
            Step::Deliver { place, pick } => match (state.requests[place].at, pick) {
                (At::Told(_, Some((owner, ..))), _) => {
                    format!("the router learns it, and sends the request to {}", owner.word())
                }
                (At::Told(_, None), _) => "the router has no owner".to_owned(),
                (At::Back(..), Some(pick)) => format!("the router asks {}", pick.word()),
                (At::Back(_, status, _), None) => got(status).to_owned(),
                _ => String::new(),
            },
            Step::Move { dies } => moved(self.0.mover, world, dies),
            Step::Release => "the replicas follow".to_owned(),
            Step::Restart(router) => format!("the {} router restarts", router.word()),
            Step::Expire => "a lifetime of entries passes".to_owned(),
        }
    }
}
