//! Both: WebSockets.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

const CLAIM: &str = "upgrade";

pub(crate) const TABLE: &[Mutant] = &[
    both(
        "drops-upgrades",
        "Z-23",
        Mutation::DropsUpgrades,
        "Upgrade is removed like other hop-by-hop fields",
    )
    .claiming(CLAIM),
    buffering(
        "drops-upgrades-on-resend",
        "Z-23",
        Mutation::DropsUpgradeOnResend,
        "a request is resent without its Upgrade",
    )
    .claiming(CLAIM),
    learning(
        "takes-the-first-cell-for-websockets",
        "Z-23",
        Mutation::WebSocketsToFirst,
        "a WebSocket request goes to the first cell without a pre-flight",
    )
    .claiming(CLAIM),
    both(
        "takes-frames-for-requests",
        "Z-23",
        Mutation::TakesFramesForRequests,
        "bytes that a user sends after a 101 are read as the next request",
    )
    .claiming(CLAIM),
    both(
        "closes-websockets-soon",
        "Z-23",
        Mutation::ClosesWebSockets,
        "an upgraded connection is closed after the cell's first message",
    )
    .claiming(CLAIM),
];
