//! Both proposals as one machine.
//!
//! *Buffering*: a router sends a request to any cell of its region, or to the one that an entry
//! names. A cell that does not own it bounces it to the one that does.
//!
//! *Learning*: a router asks any cell of its region by a pre-flight who owns a page, remembers the
//! answer for a lifetime, and sends the request there, once. A cell that does not own it responds
//! with 404.

use cell_fleet::Protocol::{Buffering, Learning};

use super::world::{Cell, Page, Placed, Region, Routes, World};
use super::{After, Claim, Mend, Method, Routing, Status};
use crate::proofs::check::Claimed;

/// Buffering names no limit on hops; the model gives up here.
pub(crate) const HOPS: u8 = 6;

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
    /// In buffering, the key of the entry that led it: one that misled is taken back.
    led_by: Option<Key>,
    /// The cell of the entry that leads it, or led it.
    led_to: Option<Cell>,
    /// The cell whose 404 the router does not believe, where learning is mended so.
    doubted: Option<Cell>,
    /// The version of the route that goes along, where the proposal is mended so.
    told: Placed,
    /// Which write it is.
    number: u8,
    /// Which lifetime had passed when it began, and its number among those since the calm, from 1.
    after: After,
    nth: u8,
    pub(crate) hops: u8,
    effects: u8,
    abroad: u8,
}

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
    /// The response is on its way back.
    Back {
        cell: Cell,
        status: Status,
        /// What it announces in buffering.
        covers: Option<Key>,
        /// The version that a former owner knows in learning.
        newer: Option<Placed>,
    },
}

/// What an entry covers: the outer page alone, all below the outer namespace, or the inner one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    OuterAlone,
    Outer,
    Inner,
}

/// What a router remembers, by [`Key`]: a cell, and the version with which it was named.
type Entries = [Option<(Cell, Placed)>; 3];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A user's request arrives at a router, which sends it to the cell of its entry. Without one it
    /// sends it to a pick, or asks the pick.
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
    /// A lifetime of entries passes.
    Expire,
}

impl Claimed for Routing {
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
        World::beginnings(self.mover, self.lagging).into_iter().map(begin).collect()
    }

    fn steps(&self, state: &State, steps: &mut Vec<Step>) {
        // The order says which of two shortest paths is shown: what is begun is ended first, and
        // the world goes on before a request begins.
        for (place, request) in state.requests.iter().enumerate() {
            match request.at {
                At::Asks(_) | At::To(_) => steps.push(Step::Handle(place)),
                At::Working(_) => steps.push(Step::Finish(place)),
                At::Back { status, newer, .. } if self.asks_again(request, status, newer) => {
                    let picks = request.router.cells().iter();
                    steps.extend(picks.map(|cell| Step::Deliver { place, pick: Some(*cell) }));
                }
                At::Told(..) | At::Back { .. } => steps.push(Step::Deliver { place, pick: None }),
            }
        }
        if self.quiet && !state.requests.is_empty() {
            return;
        }
        let has_trouble = state.troubles < self.troubles;
        if state.world.may_go_on(self.mover, state.works(state.world.cells[0])) {
            steps.push(Step::Move { dies: false });
        }
        if state.world.lags != [false; 2] {
            steps.push(Step::Release);
        }
        if has_trouble && !state.world.half && state.world.may_go_on(self.mover, false) {
            steps.push(Step::Move { dies: true });
        }
        let may_begin = self.early || state.world.is_switched(self.mover);
        if may_begin && state.requests.len() < 2 && state.sent < self.requests {
            self.sends(&state.entries, steps);
        }
        if has_trouble {
            // Buffering gives entries no end.
            steps.extend((self.protocol == Learning).then_some(Step::Expire));
            steps.extend(self.routers.iter().map(|router| Step::Restart(*router)));
        }
    }

    fn after(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match *step {
            Step::Send { page, method, router, pick } => {
                next.send(self, page, method, router, pick)
            }
            Step::Handle(place) => next.handle(self, place),
            Step::Finish(place) => next.finish(self, place),
            Step::Deliver { place, pick } => next.deliver(self, place, pick),
            Step::Move { dies } => {
                next.world.go_on(self.mover, dies);
                next.troubles += u8::from(dies);
            }
            Step::Release => next.world.lags = [false; 2],
            Step::Restart(router) => {
                next.entries[router as usize] = [None; 3];
                // What a cell works on is done, and nobody is told.
                for place in (0..next.requests.len()).rev() {
                    if next.requests[place].router == router {
                        next.finish(self, place);
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
        match self.claim {
            Claim::NothingLost => state.world.has_lost(state.saved),
            Claim::OneTaker => state.world.has_two_takers(|cell| state.works(cell)),
            Claim::FewHops(most) => state.requests.iter().any(|request| request.hops > most),
            _ => state.broken,
        }
    }
}

impl Routing {
    /// The requests that may begin: each router with each method and page, led by the entry that
    /// covers the page, or else to each cell that the router can pick.
    fn sends(&self, entries: &[Entries; 2], steps: &mut Vec<Step>) {
        for &router in self.routers {
            for &method in self.methods {
                for page in Page::ALL {
                    let send = |pick| Step::Send { page, method, router, pick };
                    match entry_for(&entries[router as usize], page) {
                        Some(_) => steps.push(send(None)),
                        None => steps.extend(router.cells().iter().map(|cell| send(Some(*cell)))),
                    }
                }
            }
        }
    }

    /// Whether the router asks again where this response comes.
    fn asks_again(&self, request: &Request, status: Status, newer: Option<Placed>) -> bool {
        let mended = match self.mend {
            Mend::AskAgain => true,
            Mend::Epoch => newer.is_some(),
            Mend::None | Mend::Version | Mend::ActsFirst => false,
        };
        mended && status == Status::NotFound && request.doubted.is_none()
    }
}

impl State {
    /// What a lifetime that passes now comes after.
    fn age(&self, model: &Routing) -> After {
        let asked_before = |request: &Request| {
            request.nth == 0 && matches!(request.at, At::Asks(_) | At::Told(..))
        };
        match self.world.is_calm(model.mover) {
            true if self.requests.iter().any(asked_before) => After::LifetimeOfCalm,
            true => After::LifetimeOfLastAsk,
            false if self.world.is_switched(model.mover) => After::LifetimeOfSwitch,
            false => After::Nothing,
        }
    }

    fn send(
        &mut self,
        model: &Routing,
        page: Page,
        method: Method,
        router: Region,
        pick: Option<Cell>,
    ) {
        let entry = entry_for(&self.entries[router as usize], page);
        let at = match (entry, pick) {
            (Some((_, cell, _)), _) => At::To(cell),
            (None, Some(pick)) if model.protocol == Learning => At::Asks(pick),
            (None, Some(pick)) => At::To(pick),
            (None, None) => return,
        };
        self.sent += 1;
        self.since_calm += u8::from(self.world.is_calm(model.mover));
        self.posts += u8::from(method == Method::Post);
        let mut request = Request {
            page,
            method,
            router,
            at,
            led_by: entry.filter(|_| model.protocol == Buffering).map(|(key, ..)| key),
            led_to: entry.map(|(_, cell, _)| cell),
            doubted: None,
            told: entry.map_or(Placed::Nowhere, |(_, _, version)| version),
            number: if method == Method::Post { self.posts } else { 0 },
            after: self.aged,
            nth: self.since_calm,
            hops: 1,
            effects: 0,
            abroad: 0,
        };
        request.count_way();
        self.requests.push(request);
    }

    fn handle(&mut self, model: &Routing, place: usize) {
        let world = &self.world;
        let request = &mut self.requests[place];
        let (At::Asks(cell) | At::To(cell)) = request.at else { return };
        let (routes, asked_abroad) = world.seen_by(cell, request.page, request.told);
        request.abroad += u8::from(asked_abroad);
        let (placed, key) = (routes[request.page as usize], key_for(&routes, request.page));
        let owner = world.cell(placed);
        if request.at == At::Asks(cell) {
            request.at = At::Told(cell, owner.map(|owner| (owner, placed, key)));
            return;
        }
        let covers = (model.protocol == Buffering).then_some(key);
        let back = |status, covers, newer| At::Back { cell, status, covers, newer };
        match (model.protocol, owner) {
            (_, Some(owner)) if owner == cell => {
                request.at = match request.method {
                    Method::Post if world.is_closed(cell) => back(Status::Frozen, None, None),
                    Method::Post => At::Working(cell),
                    Method::Share | Method::Get => back(Status::Ok, covers, None),
                };
                let shares = request.method == Method::Share && cell.region() != Region::Us;
                request.abroad += u8::from(shares);
            }
            (Learning, owner) => {
                request.at = back(Status::NotFound, None, owner.map(|_| placed));
            }
            (Buffering, None) => request.at = back(Status::NotFound, None, None),
            (Buffering, Some(owner)) => {
                if model.mend == Mend::ActsFirst && request.method == Method::Post {
                    request.effects += 1;
                }
                if model.mend == Mend::Version {
                    request.told = placed;
                }
                if request.hops == HOPS {
                    request.at = back(Status::Loop, None, None);
                } else {
                    request.at = At::To(owner);
                    request.hops += 1;
                    request.count_way();
                }
            }
        }
    }

    /// A write takes effect, if a cell works on it.
    fn finish(&mut self, model: &Routing, place: usize) {
        let request = &mut self.requests[place];
        let At::Working(cell) = request.at else { return };
        request.effects += 1;
        self.world.write(cell, request.number);
        let key = key_for(self.world.seen_in(cell.region()), request.page);
        let covers = (model.protocol == Buffering).then_some(key);
        request.at = At::Back { cell, status: Status::Ok, covers, newer: None };
    }

    fn deliver(&mut self, model: &Routing, place: usize, pick: Option<Cell>) {
        let request = &mut self.requests[place];
        let entries = &mut self.entries[request.router as usize];
        let not_found =
            |cell| At::Back { cell, status: Status::NotFound, covers: None, newer: None };
        match (request.at, pick) {
            (At::Told(_, Some((owner, version, key))), _) => {
                // The version is part of an entry only where the proposal is mended so.
                let epoch = model.mend == Mend::Epoch;
                let version = if epoch { version } else { Placed::Nowhere };
                entries[key as usize] = Some((owner, version));
                request.told = version;
                // The same answer as before: the 404 stands.
                if request.doubted == Some(owner) && !epoch {
                    request.at = not_found(owner);
                } else {
                    request.at = At::To(owner);
                    request.count_way();
                }
            }
            // The latest deployment gets what no cell knows, and knows no better.
            (At::Told(cell, None), _) => request.at = not_found(cell),
            (At::Back { cell, newer, .. }, Some(pick)) => {
                for entry in entries.iter_mut() {
                    *entry = entry.filter(|(named, _)| *named != cell);
                }
                if let (Mend::Epoch, Some(newer)) = (model.mend, newer) {
                    request.told = request.told.max(newer);
                }
                request.doubted = Some(cell);
                request.hops += 1;
                request.at = At::Asks(pick);
            }
            (At::Back { cell, status, covers, .. }, None) => {
                let request = self.requests.remove(place);
                if let (Some(led), Some(by), Status::Ok) = (request.led_by, request.led_to, status)
                    && by != cell
                {
                    entries[led as usize] = entries[led as usize].filter(|(named, _)| *named != by);
                }
                if let Some(key) = covers {
                    entries[key as usize] = Some((cell, Placed::Nowhere));
                }
                if request.method == Method::Post && status == Status::Ok {
                    self.saved[request.page as usize] |= 1 << request.number;
                }
                self.broken |= request.breaks(model.claim, cell, status);
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
    /// The owner of its page, as a cell that has it sees it, and whether that cell asks the primary
    /// abroad.
    pub(crate) fn owner(&self, world: &World, cell: Cell) -> (Option<Cell>, bool) {
        let (routes, asks_abroad) = world.seen_by(cell, self.page, self.told);
        (world.cell(routes[self.page as usize]), asks_abroad)
    }

    /// Counts the step to a cell that is abroad.
    fn count_way(&mut self) {
        if let At::To(cell) = self.at {
            self.abroad += u8::from(cell.region() != self.router);
        }
    }

    /// Whether it breaks a claim, now that it has ended with a response of this cell.
    fn breaks(&self, claim: Claim, cell: Cell, status: Status) -> bool {
        let unserved = self.method == Method::Get && status != Status::Ok;
        let at_home = self.led_to == Some(cell) && cell.region() == self.router;
        match claim {
            Claim::OneEffect => self.effects > 1,
            Claim::FewHops(most) => self.hops > most,
            Claim::Converges { after: After::Calm, nth } => unserved && self.nth >= nth,
            Claim::Converges { after, .. } => unserved && self.after >= after,
            Claim::Served => unserved,
            Claim::InertNotFound => status == Status::NotFound && self.effects > 0,
            Claim::AtHome => at_home && status == Status::Ok && self.abroad > 0,
            Claim::NothingLost | Claim::OneTaker => false,
        }
    }
}

/// The entry that covers a page.
fn entry_for(entries: &Entries, page: Page) -> Option<(Key, Cell, Placed)> {
    let own = if page == Page::Outer { Key::OuterAlone } else { Key::Inner };
    let found = |key: Key| entries[key as usize].map(|(cell, version)| (key, cell, version));
    found(own).or_else(|| found(Key::Outer))
}

/// What an entry about a page covers, as the cells of one region know the routes.
fn key_for(routes: &Routes, page: Page) -> Key {
    match page {
        _ if routes[0] == routes[1] => Key::Outer,
        Page::Outer => Key::OuterAlone,
        Page::Inner => Key::Inner,
    }
}
