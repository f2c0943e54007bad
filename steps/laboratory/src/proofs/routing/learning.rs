//! The proposal with routes learning: a router asks any cell of its region by a pre-flight who owns
//! a page, remembers the answer for a lifetime, and sends the request there, once. A cell that does
//! not own it responds with 404.

use super::world::{Cell, Page, Placed, Region, World};
use super::{After, Claim, Ended, Entries, Key, Mend, Method, Setting, Status, entry_for, key_for};
use crate::proofs::check::Claimed;

/// The model.
#[derive(Clone, Debug)]
pub(crate) struct Learning(pub(crate) Setting);

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    pub(crate) world: World,
    /// What each router remembers. An entry that has expired is as good as none.
    entries: [Entries; 2],
    /// The requests in flight, in a canonical order: symmetric ones are one state.
    pub(crate) requests: Vec<Request>,
    sent: u8,
    posts: u8,
    since_calm: u8,
    troubles: u8,
    /// What the last lifetime that passed came after.
    aged: After,
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
    /// The cell of the entry that leads it, or led it.
    entry: Option<Cell>,
    /// The cell whose 404 the router does not believe, where the proposal is mended so.
    doubted: Option<Cell>,
    /// The version of the route that goes along, where the proposal is mended so.
    pub(crate) told: Placed,
    /// Which write it is.
    number: u8,
    after: After,
    nth: u8,
    effects: u8,
    abroad: u8,
}

/// Where a request is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum At {
    /// Its router has a pre-flight on the way to a cell.
    Asks(Cell),
    /// The answer of a cell is on its way back: the owner, with the version, and what it covers.
    Told(Cell, Option<(Cell, Placed, Key)>),
    /// On its way to a cell.
    To(Cell),
    /// A cell works on the write.
    Working(Cell),
    /// The response is on its way back; that of a former owner with the version that it knows.
    Back(Cell, Status, Option<Placed>),
}

/// What happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A user's request arrives at a router, which sends it to the cell of its entry, or asks a
    /// pick.
    Send { page: Page, method: Method, router: Region, pick: Option<Cell> },
    /// A cell answers the pre-flight, or looks at the request, at this place in the list.
    Handle(usize),
    /// The cell is done with a write.
    Finish(usize),
    /// The router gets the answer or the response, which the user gets as well, unless the router
    /// asks another pick again.
    Deliver { place: usize, pick: Option<Cell> },
    /// The move goes on; or the mover dies in the middle of the next phase.
    Move { dies: bool },
    /// The replicas follow.
    Release,
    /// A router loses its entries and what is in flight.
    Restart(Region),
    /// A lifetime passes.
    Expire,
}

impl Claimed for Learning {
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
            aged: After::Nothing,
            saved: [0; 2],
            broken: false,
        };
        World::beginnings(self.0.mover, self.0.lagging).into_iter().map(begin).collect()
    }

    fn steps(&self, state: &State, steps: &mut Vec<Step>) {
        let Setting { mover, routers, .. } = self.0;
        // The order says which of two shortest paths is shown: what is begun is ended first, and
        // the world goes on before a request begins.
        for (place, request) in state.requests.iter().enumerate() {
            match request.at {
                At::Asks(_) | At::To(_) => steps.push(Step::Handle(place)),
                At::Working(_) => steps.push(Step::Finish(place)),
                At::Told(..) => steps.push(Step::Deliver { place, pick: None }),
                At::Back(_, status, newer) => {
                    let picks: Vec<_> = if self.asks_again(request, status, newer) {
                        request.router.cells().iter().map(|cell| Some(*cell)).collect()
                    } else {
                        vec![None]
                    };
                    steps.extend(picks.into_iter().map(|pick| Step::Deliver { place, pick }));
                }
            }
        }
        if self.0.quiet && !state.requests.is_empty() {
            return;
        }
        let trouble = state.troubles < self.0.troubles;
        if state.world.may_go_on(mover, state.works(state.world.cells[0])) {
            steps.push(Step::Move { dies: false });
        }
        if state.world.lags != [false; 2] {
            steps.push(Step::Release);
        }
        if trouble && !state.world.half && state.world.may_go_on(mover, false) {
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
        if trouble {
            steps.push(Step::Expire);
            steps.extend(routers.iter().map(|router| Step::Restart(*router)));
        }
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Send { page, method, router, pick } => {
                next.send(self, page, method, router, pick)
            }
            Step::Handle(place) => next.handle(place),
            Step::Finish(place) => next.finish(place),
            Step::Deliver { place, pick } => next.deliver(self, place, pick),
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
                        next.finish(place);
                        next.requests.remove(place);
                    }
                }
                next.troubles += 1;
            }
            Step::Expire => {
                next.entries = [[None; 3]; 2];
                next.aged = next.aged.max(next.age(self));
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
            _ => state.broken,
        }
    }
}

impl Learning {
    /// Whether the router asks again where this response comes.
    fn asks_again(&self, request: &Request, status: Status, newer: Option<Placed>) -> bool {
        let mended = match self.0.mend {
            Mend::AskAgain => true,
            Mend::Epoch => newer.is_some(),
            Mend::None | Mend::Version | Mend::ActsFirst => false,
        };
        mended && status == Status::NotFound && request.doubted.is_none()
    }
}

impl State {
    /// What a lifetime that passes now comes after.
    fn age(&self, model: &Learning) -> After {
        let asked_before = |request: &Request| {
            request.nth == 0 && matches!(request.at, At::Asks(_) | At::Told(..))
        };
        match self.world.is_calm(model.0.mover) {
            true if self.requests.iter().any(asked_before) => After::LifetimeOfCalm,
            true => After::LifetimeOfLastAsk,
            false if self.world.is_switched(model.0.mover) => After::LifetimeOfSwitch,
            false => After::Nothing,
        }
    }

    fn send(
        &mut self,
        model: &Learning,
        page: Page,
        method: Method,
        router: Region,
        pick: Option<Cell>,
    ) {
        let entry = entry_for(&self.entries[router as usize], page);
        let to = entry.map(|(_, cell, _)| At::To(cell)).or(pick.map(At::Asks));
        let Some(at) = to else { return };
        let calm = self.world.is_calm(model.0.mover);
        self.sent += 1;
        self.since_calm += u8::from(calm);
        self.posts += u8::from(method == Method::Post);
        let mut request = Request {
            page,
            method,
            router,
            at,
            entry: entry.map(|(_, cell, _)| cell),
            told: entry.map_or(Placed::Nowhere, |(_, _, version)| version),
            doubted: None,
            number: if method == Method::Post { self.posts } else { 0 },
            after: self.aged,
            nth: self.since_calm,
            effects: 0,
            abroad: 0,
        };
        request.count_way();
        self.requests.push(request);
    }

    fn handle(&mut self, place: usize) {
        let world = &self.world;
        let request = &mut self.requests[place];
        let (At::Asks(cell) | At::To(cell)) = request.at else { return };
        let (routes, asked_abroad) = world.seen_by(cell, request.page, request.told);
        request.abroad += u8::from(asked_abroad);
        let placed = routes[request.page as usize];
        let owner = world.cell(placed);
        if request.at == At::Asks(cell) {
            let key = key_for(&routes, request.page);
            request.at = At::Told(cell, owner.map(|owner| (owner, placed, key)));
            return;
        }
        let serves = owner == Some(cell);
        request.at = match request.method {
            _ if !serves => At::Back(cell, Status::NotFound, owner.map(|_| placed)),
            Method::Post if world.is_closed(cell) => At::Back(cell, Status::Frozen, None),
            Method::Post => At::Working(cell),
            Method::Share | Method::Get => At::Back(cell, Status::Ok, None),
        };
        let shares = serves && request.method == Method::Share && cell.region() != Region::Us;
        request.abroad += u8::from(shares);
    }

    /// A write takes effect, if a cell works on it.
    fn finish(&mut self, place: usize) {
        let request = &mut self.requests[place];
        if let At::Working(cell) = request.at {
            request.effects += 1;
            request.at = At::Back(cell, Status::Ok, None);
            self.world.write(cell, request.number);
        }
    }

    fn deliver(&mut self, model: &Learning, place: usize, pick: Option<Cell>) {
        let request = &mut self.requests[place];
        let entries = &mut self.entries[request.router as usize];
        match (request.at, pick) {
            (At::Told(_, Some((owner, version, key))), _) => {
                // The version is part of an entry only where the proposal is mended so.
                let epoch = model.0.mend == Mend::Epoch;
                let version = if epoch { version } else { Placed::Nowhere };
                entries[key as usize] = Some((owner, version));
                request.told = version;
                // The same answer as before: the 404 stands.
                if request.doubted == Some(owner) && !epoch {
                    request.at = At::Back(owner, Status::NotFound, None);
                } else {
                    request.at = At::To(owner);
                    request.count_way();
                }
            }
            // The latest deployment gets what no cell knows, and knows no better.
            (At::Told(cell, None), _) => request.at = At::Back(cell, Status::NotFound, None),
            (At::Back(cell, _, newer), Some(pick)) => {
                for entry in entries.iter_mut() {
                    *entry = entry.filter(|(named, _)| *named != cell);
                }
                if let (Mend::Epoch, Some(newer)) = (model.0.mend, newer) {
                    request.told = request.told.max(newer);
                }
                request.doubted = Some(cell);
                request.at = At::Asks(pick);
            }
            (At::Back(cell, status, _), None) => {
                let request = self.requests.remove(place);
                if request.method == Method::Post && status == Status::Ok {
                    self.saved[request.page as usize] |= 1 << request.number;
                }
                let at_home = request.entry == Some(cell) && cell.region() == request.router;
                let ended = Ended {
                    method: request.method,
                    status,
                    after: request.after,
                    nth: request.nth,
                    hops: 1 + u8::from(request.doubted.is_some()),
                    effects: request.effects,
                    at_home,
                    abroad: request.abroad,
                };
                self.broken |= ended.breaks(model.0.claim);
            }
            (At::Asks(_) | At::To(_) | At::Working(_), _) => {}
        }
    }

    /// Whether a cell works on a write.
    fn works(&self, cell: Cell) -> bool {
        self.requests.iter().any(|request| request.at == At::Working(cell))
    }
}

impl Request {
    /// Counts the step to a cell that is abroad.
    fn count_way(&mut self) {
        if let At::To(cell) = self.at {
            self.abroad += u8::from(cell.region() != self.router);
        }
    }
}
