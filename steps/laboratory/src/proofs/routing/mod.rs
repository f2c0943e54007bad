//! Routing: one model of both proposals, in the world that they share.

pub(crate) mod machine;
pub(crate) mod story;
pub(crate) mod tales;
mod words;
pub(crate) mod world;

use cell_fleet::Protocol;

use world::{Mover, Region};

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
    Get,
    /// A write to the cell's own database.
    Post,
    /// A write to a shared database, whose primary is in the US.
    Share,
}

impl Method {
    pub(crate) fn word(self) -> &'static str {
        if self == Self::Get { "GET" } else { "POST" }
    }
}

/// A model of routing: a proposal, what is claimed of it, and the bounds of the check.
#[derive(Clone, Debug)]
pub(crate) struct Routing {
    pub(crate) protocol: Protocol,
    /// What is added to it.
    pub(crate) mend: Mend,
    pub(crate) claim: Claim,
    pub(crate) mover: Mover,
    pub(crate) lagging: bool,
    /// Whether requests may begin before the switch.
    pub(crate) early: bool,
    /// Whether nothing else happens while a request is under way.
    pub(crate) quiet: bool,
    pub(crate) routers: &'static [Region],
    pub(crate) methods: &'static [Method],
    /// How many requests there are, two of them in flight at most.
    pub(crate) requests: u8,
    /// How many crashes of a router or the mover, or expiries, there are.
    pub(crate) troubles: u8,
}

impl Routing {
    /// Reads in buffering through one router, with replicas that lag and the fleet's mover.
    pub(crate) const fn reads(claim: Claim) -> Self {
        Self {
            protocol: Protocol::Buffering,
            mend: Mend::None,
            claim,
            mover: Mover::Phases,
            lagging: true,
            early: true,
            quiet: false,
            routers: &[Region::Eu],
            methods: &[Method::Get],
            requests: 3,
            troubles: 1,
        }
    }
}

/// What a user gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Status {
    /// The page, or the acknowledgment of a write.
    Ok,
    NotFound,
    /// 503 with `Retry-After`, from a frozen cell.
    Frozen,
    /// The router gives up: cells bounce the request back and forth.
    Loop,
}
