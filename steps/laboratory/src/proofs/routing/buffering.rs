//! The proposal with buffered requests: a router sends a request to any cell of its region, or to
//! the one that an entry names; a cell that does not own it bounces it to the one that does.

use super::world::{Cell, Page, Placed, Region, World};
use super::{After, Claim, Ended, Entries, Key, Mend, Method, Setting, Status, entry_for, key_for};
use crate::proofs::check::Claimed;

/// The proposal names no limit on hops; the model gives up here.
pub(crate) const HOPS: u8 = 6;

/// The model.
#[derive(Clone, Debug)]
pub(crate) struct Buffering(pub(crate) Setting);

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) world: World,
    /// What each router remembers.
    entries: [Entries; 2],
    /// The requests in flight, in a canonical order: symmetric ones are one state.
    pub(crate) requests: Vec<Request>,
    sent: u8,
    posts: u8,
    since_calm: u8,
    troubles: u8,
    /// The acknowledged writes of each page.
    saved: [u8; 2],
    broken: bool,
}

/// A request in flight.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Request {
    pub(crate) page: Page,
    pub(crate) method: Method,
    pub(crate) router: Region,
    pub(crate) at: At,
    /// The entry that led it.
    entry: Option<(Key, Cell)>,
    /// The version that the last redirect told, where the proposal is mended so.
    pub(crate) told: Placed,
    /// Which write it is.
    number: u8,
    nth: u8,
    pub(crate) hops: u8,
    effects: u8,
    abroad: u8,
}

/// Where a request is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum At {
    /// On its way to a cell.
    To(Cell),
    /// A cell works on the write.
    Working(Cell),
    /// The response is on its way back, with what it announces.
    Back(Cell, Status, Option<Key>),
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A user's request arrives at a router, which sends it to the cell of its entry or to a pick.
    Send { page: Page, method: Method, router: Region, pick: Option<Cell> },
    /// The cell looks at the request at this place in the list.
    Handle(usize),
    /// The cell is done with a write.
    Finish(usize),
    /// The user gets the response, and the router remembers what it announces.
    Deliver(usize),
    /// The move goes on; or the mover dies in the middle of the next phase.
    Move { dies: bool },
    /// The replicas follow.
    Release,
    /// A router loses its entries and what is in flight.
    Restart(Region),
}

impl Claimed for Buffering {
    type State = State;
    type Step = Step;

    fn beginnings(&self) -> Vec<State> {
        let begin = |world| State {
            world,
            entries: [[None; 3]; 2],
            requests: Vec::new(),
            sent: 0,
            posts: 0,
            since_calm: 0,
            troubles: 0,
            saved: [0; 2],
            broken: false,
        };
        World::beginnings(self.0.mover, self.0.lagging).into_iter().map(begin).collect()
    }

    fn steps(&self, state: &State, steps: &mut Vec<Step>) {
        let Setting { mover, routers, .. } = self.0;
        // The order says which of two shortest paths is shown: what is begun is ended first, and
        // the world goes on before a request begins.
        steps.extend(state.requests.iter().enumerate().map(|(place, request)| match request.at {
            At::To(_) => Step::Handle(place),
            At::Working(_) => Step::Finish(place),
            At::Back(..) => Step::Deliver(place),
        }));
        if self.0.quiet && !state.requests.is_empty() {
            return;
        }
        let writing = state.works(state.world.cells[0]);
        let may_die = state.troubles < self.0.troubles;
        if state.world.may_go_on(mover, writing) {
            steps.push(Step::Move { dies: false });
        }
        if state.world.lags != [false; 2] {
            steps.push(Step::Release);
        }
        if may_die && !state.world.half && state.world.may_go_on(mover, false) {
            steps.push(Step::Move { dies: true });
        }
        let may_begin = self.0.early || state.world.is_switched(mover);
        if may_begin && state.requests.len() < 2 && state.sent < self.0.requests {
            steps.extend(
                self.0.sends(&state.entries).map(|(page, method, router, pick)| Step::Send {
                    page,
                    method,
                    router,
                    pick,
                }),
            );
        }
        if may_die {
            steps.extend(routers.iter().map(|router| Step::Restart(*router)));
        }
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Send { page, method, router, pick } => {
                next.send(self, page, method, router, pick)
            }
            Step::Handle(place) => next.handle(self, place),
            Step::Finish(place) => {
                let Request { at: At::Working(cell), page, .. } = next.requests[place] else {
                    return None;
                };
                next.finish(place);
                let key = key_for(next.world.seen_in(cell.region()), page);
                next.requests[place].at = At::Back(cell, Status::Ok, Some(key));
            }
            Step::Deliver(place) => next.deliver(self, place),
            Step::Move { dies } => {
                next.world.go_on(self.0.mover, dies);
                next.troubles += u8::from(dies);
            }
            Step::Release => next.world.lags = [false; 2],
            Step::Restart(router) => {
                next.entries[router as usize] = [None; 3];
                // What a cell works on is done, and nobody is told.
                for place in (0..next.requests.len()).rev() {
                    if next.requests[place].router == router {
                        if matches!(next.requests[place].at, At::Working(_)) {
                            next.finish(place);
                        }
                        next.requests.remove(place);
                    }
                }
                next.troubles += 1;
            }
        }
        next.requests.sort();
        Some(next)
    }

    fn is_bad(&self, state: &State) -> bool {
        match self.0.claim {
            Claim::NothingLost => state.world.has_lost(state.saved),
            Claim::OneTaker => state.world.has_two_takers(|cell| state.works(cell)),
            Claim::FewHops(most) => state.requests.iter().any(|request| request.hops > most),
            _ => state.broken,
        }
    }
}

impl State {
    fn send(
        &mut self,
        model: &Buffering,
        page: Page,
        method: Method,
        router: Region,
        pick: Option<Cell>,
    ) {
        let entry = entry_for(&self.entries[router as usize], page);
        let Some(cell) = entry.map(|(_, cell, _)| cell).or(pick) else { return };
        self.sent += 1;
        self.since_calm += u8::from(self.world.is_calm(model.0.mover));
        self.posts += u8::from(method == Method::Post);
        self.requests.push(Request {
            page,
            method,
            router,
            at: At::To(cell),
            entry: entry.map(|(key, cell, _)| (key, cell)),
            told: Placed::Nowhere,
            number: if method == Method::Post { self.posts } else { 0 },
            nth: self.since_calm,
            hops: 1,
            effects: 0,
            abroad: u8::from(cell.region() != router),
        });
    }

    fn handle(&mut self, model: &Buffering, place: usize) {
        let world = &self.world;
        let request = &mut self.requests[place];
        let At::To(cell) = request.at else { return };
        let (routes, asked_abroad) = world.seen_by(cell, request.page, request.told);
        request.abroad += u8::from(asked_abroad);
        let (placed, key) = (routes[request.page as usize], key_for(&routes, request.page));
        match world.cell(placed) {
            None => request.at = At::Back(cell, Status::NotFound, None),
            Some(owner) if owner == cell => {
                request.at = match request.method {
                    Method::Post if world.is_closed(cell) => At::Back(cell, Status::Frozen, None),
                    Method::Post => At::Working(cell),
                    Method::Share | Method::Get => At::Back(cell, Status::Ok, Some(key)),
                };
                let shares = request.method == Method::Share && cell.region() != Region::Us;
                request.abroad += u8::from(shares);
            }
            Some(owner) => {
                if model.0.mend == Mend::ActsFirst && request.method == Method::Post {
                    request.effects += 1;
                }
                if model.0.mend == Mend::Version {
                    request.told = placed;
                }
                if request.hops == HOPS {
                    request.at = At::Back(cell, Status::Loop, None);
                } else {
                    request.at = At::To(owner);
                    request.hops += 1;
                    request.abroad += u8::from(owner.region() != request.router);
                }
            }
        }
    }

    /// A write takes effect.
    fn finish(&mut self, place: usize) {
        let request = &mut self.requests[place];
        if let At::Working(cell) = request.at {
            request.effects += 1;
            self.world.write(cell, request.number);
        }
    }

    fn deliver(&mut self, model: &Buffering, place: usize) {
        let request = self.requests.remove(place);
        let At::Back(cell, status, key) = request.at else { return };
        let entries = &mut self.entries[request.router as usize];
        if let (Some((led, by)), Status::Ok) = (request.entry, status) {
            let misled = by != cell && entries[led as usize].is_some_and(|(named, _)| named == by);
            if misled {
                entries[led as usize] = None;
            }
        }
        if let Some(key) = key {
            entries[key as usize] = Some((cell, Placed::Nowhere));
        }
        if request.method == Method::Post && status == Status::Ok {
            self.saved[request.page as usize] |= 1 << request.number;
        }
        let by = request.entry.map(|(_, cell)| cell);
        let ended = Ended {
            method: request.method,
            status,
            after: After::Nothing,
            nth: request.nth,
            hops: request.hops,
            effects: request.effects,
            at_home: by == Some(cell) && cell.region() == request.router,
            abroad: request.abroad,
        };
        self.broken |= ended.breaks(model.0.claim);
    }

    /// Whether a cell works on a write.
    fn works(&self, cell: Cell) -> bool {
        self.requests.iter().any(|request| request.at == At::Working(cell))
    }
}
