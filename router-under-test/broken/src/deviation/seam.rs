//! Where a router can deviate.

use crate::protocol::{Protocol, Protocols};

words! {
    /// A place of the router where something passes.
    Seam {
        UserRequest = "the request as read from a user",
        CellRequest = "the request to a cell",
        CellResponse = "the response as read from a cell",
        UserResponse = "the response to the user",
        Interim = "the interim response to the user",
        PreFlight = "the pre-flight",
        LearnResponse = "the learn response as read",
        RedirectField = "the redirect field as read",
        CacheField = "the cache field as read",
        EntryWritten = "the entry as written",
        EntryLookedUp = "the entry as looked up",
        Eviction = "the eviction",
        ColdPick = "the cold pick",
        HopCount = "the hop count",
        Retry = "the decision after a failure",
        Timers = "the timers",
        CellConnections = "the connections to cells",
        UserConnections = "the connections of users",
        BodyBuffer = "the body buffer",
        Tunnel = "the tunnel",
        Leaving = "a user's leaving",
        Refusal = "the router's own refusal",
        Topology = "the topology as read",
        Capabilities = "the capabilities",
        Start = "the start",
        Stop = "the stop",
    }
}

impl Seam {
    /// The protocols whose routers have it.
    pub fn protocols(self) -> Protocols {
        match self {
            Self::PreFlight | Self::LearnResponse => Protocols::Learning,
            Self::RedirectField | Self::CacheField | Self::HopCount | Self::BodyBuffer => {
                Protocols::Buffering
            }
            _ => Protocols::Both,
        }
    }

    /// How far a request has come where it reaches this: what is known there decides which
    /// conditions can hold.
    pub(super) fn stage(self, protocol: Protocol) -> Stage {
        match self {
            Self::Topology | Self::Capabilities | Self::Start | Self::Stop => Stage::Process,
            Self::UserRequest | Self::Interim | Self::BodyBuffer | Self::Leaving => Stage::Read,
            Self::EntryLookedUp | Self::Refusal => Stage::Read,
            Self::ColdPick | Self::PreFlight | Self::LearnResponse | Self::Timers => {
                Stage::LookedUp
            }
            Self::EntryWritten | Self::Eviction if protocol == Protocol::Learning => {
                Stage::LookedUp
            }
            Self::CellRequest | Self::CellConnections | Self::Retry => Stage::Sent,
            _ => Stage::Answered,
        }
    }
}

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// There is no request.
    Process,
    /// It was read.
    Read,
    /// The cache was asked.
    LookedUp,
    /// It goes to a cell, maybe not the first one.
    Sent,
    /// A cell has responded.
    Answered,
}
