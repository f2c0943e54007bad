//! The steps of the model, in words.

use cell_fleet::Protocol;

use super::machine::{At, HOPS, State, Step};
use super::world::{Mover, PHASES, Page, Region, World};
use super::{Method, Routing, Status};

impl Routing {
    pub(crate) fn beginning(&self, state: &State) -> String {
        let World { cells: [from, to], lags, .. } = &state.world;
        let lag = match lags {
            [false, false] => "no replica lags".to_owned(),
            [true, false] => format!("the replica of {} lags", Region::Us),
            [false, true] => format!("the replica of {} lags", Region::Eu),
            [true, true] => "both replicas lag".to_owned(),
        };
        match self.mover {
            Mover::Creation => format!("{lag}; a namespace is to be created on {from}"),
            _ => format!("{lag}; an organization is to move from {from} to {to}"),
        }
    }

    pub(crate) fn words(&self, state: &State, step: Step) -> String {
        match step {
            Step::Send { page, method, router, pick } => {
                let request = sent(page, method, router);
                match (pick, self.protocol) {
                    (None, _) => format!("{request}, which has an entry"),
                    (Some(cell), Protocol::Buffering) => format!("{request}, which picks {cell}"),
                    (Some(cell), Protocol::Learning) => format!("{request}, which asks {cell}"),
                }
            }
            Step::Handle(place) => self.handled(state, place),
            Step::Finish(_) => "the write takes effect".to_owned(),
            Step::Deliver { place, pick } => match (state.requests[place].at, pick) {
                (At::Told(_, Some((owner, ..))), _) => {
                    format!("the router learns it, and sends the request to {owner}")
                }
                (At::Told(_, None), _) => "the router has no owner".to_owned(),
                (At::Back { .. }, Some(pick)) => format!("the router asks {pick}"),
                (At::Back { status, .. }, None) => got(status).to_owned(),
                _ => String::new(),
            },
            Step::Move { dies } => moved(self.mover, &state.world, dies),
            Step::Release => "the replicas follow".to_owned(),
            Step::Restart(router) => format!("the {router} router restarts"),
            Step::Expire => "a lifetime of entries passes".to_owned(),
        }
    }

    /// What a cell does with the request at this place, or with its pre-flight.
    fn handled(&self, state: &State, place: usize) -> String {
        let request = &state.requests[place];
        let (At::Asks(cell) | At::To(cell)) = request.at else { return String::new() };
        let (owner, asks_abroad) = request.owner(&state.world, cell);
        match (request.at, owner) {
            (At::Asks(_), Some(owner)) => format!("{cell} answers: {owner}"),
            (At::Asks(_), None) => format!("{cell} knows of no owner"),
            (_, Some(owner)) if owner == cell => {
                let asks = if asks_abroad { "asks the primary abroad, and " } else { "" };
                format!("{cell} {asks}takes it")
            }
            _ if self.protocol == Protocol::Learning => format!("{cell} is not the owner"),
            (_, None) => format!("{cell} finds nothing"),
            (_, Some(_)) if request.hops == HOPS => format!("{cell} bounces it once more"),
            (_, Some(owner)) => format!("{cell} bounces it to {owner}"),
        }
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
    format!("{method} of {page} comes to the {router} router")
}

fn got(status: Status) -> &'static str {
    match status {
        Status::Ok => "the user gets the response",
        Status::NotFound => "the user gets 404",
        Status::Frozen => "the user gets 503",
        Status::Loop => "the router gives up",
    }
}
