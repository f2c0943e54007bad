//! Routing: one model for each proposal, in the world that both share.

pub(crate) mod buffering;
mod kinds;
pub(crate) mod learning;
pub(crate) mod played;
pub(crate) mod story;
pub(crate) mod tales;
mod words;
pub(crate) mod world;

pub(crate) use words::beginning;
use world::{Cell, Mover, Page, Placed, Region, Routes};

/// What is claimed of a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// A request takes effect at most once.
    OneEffect,
    /// A request reaches at most this many cells, without a limit on hops.
    FewHops(u8),
    /// A read that begins after this gets its page, if it is the `nth` since the calm, or a later
    /// one.
    Converges {
        /// What has happened before.
        after: After,
        /// The first read since then that counts.
        nth: u8,
    },
    /// A read of a member gets its page, whenever it begins.
    Served,
    /// What gets a 404 had no effect.
    InertNotFound,
    /// The cell that the routes name has every write that was acknowledged.
    NothingLost,
    /// No two cells take writes of one page.
    OneTaker,
    /// What finds its entry at home, and is served there, does no step abroad.
    AtHome,
}

/// What has happened when a request begins. Each of the lifetimes comes after the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum After {
    /// Nothing in particular.
    Nothing,
    /// The move is over, and no replica lags.
    Calm,
    /// A lifetime of entries has passed since the switch.
    LifetimeOfSwitch,
    /// A lifetime has passed since then.
    LifetimeOfCalm,
    /// A lifetime has passed since then, and since the last pre-flight that had begun before.
    LifetimeOfLastAsk,
}

/// What is added to a proposal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Mend {
    /// Nothing.
    None,
    /// Buffering: the redirect field has the version of the route, and the router passes it on. A
    /// cell with an older route reads the primary.
    Version,
    /// Learning: after a 404 of the owner, as the router takes it, the router asks once more, and
    /// follows the answer if it names another cell.
    AskAgain,
    /// Learning: an answer, its entry and the request have the version of the route; a former owner
    /// says that it is one, with the newer version, and the router asks again with that.
    Epoch,
    /// Buffering, to the letter of "processed more than once": a cell acts before it bounces.
    ActsFirst,
}

/// The method of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Method {
    /// A read.
    Get,
    /// A write to the cell's own database.
    Post,
    /// A write to a shared database, whose primary is in the US.
    Share,
}

impl Method {
    /// The method as an exchange has it.
    pub(crate) fn word(self) -> &'static str {
        if self == Self::Get { "GET" } else { "POST" }
    }
}

/// The bounds of a check.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// What is claimed.
    pub(crate) claim: Claim,
    /// What is added to the proposal.
    pub(crate) mend: Mend,
    /// Who moves the organization.
    pub(crate) mover: Mover,
    /// Whether replicas may lag.
    pub(crate) lagging: bool,
    /// Whether requests may begin before the switch.
    pub(crate) early: bool,
    /// Whether nothing else happens while a request is under way.
    pub(crate) quiet: bool,
    /// The routers.
    pub(crate) routers: &'static [Region],
    /// The methods of requests.
    pub(crate) methods: &'static [Method],
    /// How many requests there are, two of them in flight at most.
    pub(crate) requests: u8,
    /// How many crashes of a router or the mover, or expiries, there are.
    pub(crate) troubles: u8,
}

/// A router in Europe.
pub(crate) const ONE_ROUTER: &[Region] = &[Region::Eu];
/// A router in each region.
pub(crate) const TWO_ROUTERS: &[Region] = &[Region::Us, Region::Eu];

/// What a user gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Status {
    /// The page, or the acknowledgment of a write.
    Ok,
    /// 404.
    NotFound,
    /// 503 with `Retry-After`, from a frozen cell.
    Frozen,
    /// The router gives up: cells bounce the request back and forth.
    Loop,
}

impl Setting {
    /// The requests that may begin: each router with each method and page, led by the entry that
    /// covers the page, or else to each cell that the router can pick.
    fn sends(
        &self,
        entries: &[Entries; 2],
    ) -> impl Iterator<Item = (Page, Method, Region, Option<Cell>)> {
        let (routers, methods) = (self.routers, self.methods);
        let senders = routers
            .iter()
            .flat_map(move |router| methods.iter().map(move |method| (*router, *method)));
        let sent =
            senders.flat_map(|(router, method)| Page::ALL.map(|page| (page, method, router)));
        sent.flat_map(|(page, method, router)| {
            let picks: Vec<_> = match entry_for(&entries[router as usize], page) {
                Some(_) => vec![None],
                None => router.cells().iter().map(|cell| Some(*cell)).collect(),
            };
            picks.into_iter().map(move |pick| (page, method, router, pick))
        })
    }
}

/// A request that has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) method: Method,
    pub(crate) status: Status,
    /// Which lifetime had passed when it began, and its number among those since the calm, from 1.
    pub(crate) after: After,
    pub(crate) nth: u8,
    pub(crate) hops: u8,
    pub(crate) effects: u8,
    /// Whether the entry led it to the cell that served it, in the region of its router.
    pub(crate) at_home: bool,
    pub(crate) abroad: u8,
}

impl Ended {
    /// Whether the request breaks a claim.
    pub(crate) fn breaks(&self, claim: Claim) -> bool {
        let unserved = self.method == Method::Get && self.status != Status::Ok;
        match claim {
            Claim::OneEffect => self.effects > 1,
            Claim::FewHops(most) => self.hops > most,
            Claim::Converges { after: After::Calm, nth } => unserved && self.nth >= nth,
            Claim::Converges { after, .. } => unserved && self.after >= after,
            Claim::Served => unserved,
            Claim::InertNotFound => self.status == Status::NotFound && self.effects > 0,
            Claim::AtHome => self.at_home && self.status == Status::Ok && self.abroad > 0,
            Claim::NothingLost | Claim::OneTaker => false,
        }
    }
}

/// What an entry covers: the outer page alone, all below the outer namespace, or the inner one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Key {
    OuterAlone,
    Outer,
    Inner,
}

/// What a router remembers, by [`Key`]: a cell, and the version with which it was named.
pub(crate) type Entries = [Option<(Cell, Placed)>; 3];

/// The entry that covers a page.
pub(crate) fn entry_for(entries: &Entries, page: Page) -> Option<(Key, Cell, Placed)> {
    let own = if page == Page::Outer { Key::OuterAlone } else { Key::Inner };
    let found = |key: Key| entries[key as usize].map(|(cell, version)| (key, cell, version));
    found(own).or_else(|| found(Key::Outer))
}

/// What an entry about a page covers, as the cells of one region know the routes.
pub(crate) fn key_for(routes: &Routes, page: Page) -> Key {
    match page {
        _ if routes[0] == routes[1] => Key::Outer,
        Page::Outer => Key::OuterAlone,
        Page::Inner => Key::Inner,
    }
}
