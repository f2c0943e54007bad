//! Both: WebSockets.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

const CLAIM: &str = "upgrade";

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "drops-upgrades",
        "Z-23",
        Mutation::DropsUpgrades,
        "Upgrade ends at the router, as fields for one hop do",
    )
    .claiming(CLAIM),
    buffering(
        "drops-upgrades-on-resend",
        "Z-23",
        Mutation::DropsUpgradeOnResend,
        "after a bounce the request is sent without its Upgrade",
    )
    .claiming(CLAIM),
    learning(
        "takes-the-first-cell-for-websockets",
        "Z-23",
        Mutation::WebSocketsToFirst,
        "the cell of a WebSocket is not asked for",
    )
    .claiming(CLAIM),
    both(
        "takes-frames-for-requests",
        "Z-23",
        Mutation::TakesFramesForRequests,
        "what a user sends after a 101 is read as the next request",
    )
    .claiming(CLAIM),
    both(
        "closes-websockets-soon",
        "Z-23",
        Mutation::ClosesWebSockets,
        "a connection that has changed its protocol ends with the cell's first message",
    )
    .claiming(CLAIM),
];
