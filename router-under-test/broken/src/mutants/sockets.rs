//! Both: WebSockets.

use crate::entry::mutants;

mutants! {
    DropsUpgrades: Both, "Z-23", claims "upgrade",
        "Upgrade is removed like other hop-by-hop fields";
    DropsUpgradesOnResend: Buffering, "Z-23", claims "upgrade",
        "a request is resent without its Upgrade";
    TakesTheFirstCellForWebsockets: Learning, "Z-23", claims "upgrade",
        "a WebSocket request goes to the first cell without a pre-flight";
    TakesFramesForRequests: Both, "Z-23", claims "upgrade",
        "bytes that a user sends after a 101 are read as the next request";
    ClosesWebsocketsSoon: Both, "Z-23", claims "upgrade",
        "an upgraded connection is closed after the cell's first message";
}
