//! Both: cells that fail.

use crate::entry::mutants;

mutants! {
    TriesNoOtherCell: Both, "Z-16",
        is always(ColdPick, Order, Cut),
        "no other cell is tried when the picked cell cannot be reached";
    WaitsForeverToConnect: Both, "Z-35",
        is always(Timers, ConnectTime, LeaveOut),
        "an attempt to connect that gets no answer is waited for without a limit";
    TakesTwiceTheTimeToConnect: Both, "Z-16",
        is always(Timers, ConnectTime, Double),
        "an attempt to connect may take twice the time";
    OneDeadCellBlocksAll: Both, "Z-16", "every request is refused once a cell could not be reached";
    BansCellsForever: Both, "Z-16", "a cell that could not be reached once is never tried again";
    LeavesTheRegionTooSoon: Both, "Z-16",
        "a picked cell that cannot be reached is replaced by one of another region first";
    ReplacesDeadOwners: Both, "Z-35",
        "a request whose owner cannot be reached goes to another cell";
    WaitsForDeadOwners: Buffering, "Z-81",
        "an entry whose cell cannot be reached keeps its place from the new owner";
    KeepsKnocking: Both, "Z-16", "a refused connection to the owner is retried without a limit";
    ResendsAfterAReset: Buffering, "Z-17",
        "a request that is not idempotent is resent when its connection broke before the response";
    ResendsPostsAfterAReset as ResendsAfterAReset: Learning, "LN-10",
        "a request that is not idempotent is resent when its connection broke before the response";
    ResendsAfterATimeout: Buffering, "Z-17",
        "a request that is not idempotent is resent when it timed out";
    ResendsToAnotherCell: Buffering, "Z-17",
        "a request that is not idempotent and has no response is resent to the other cells";
    ResendsWhenUnavailable: Buffering, "Z-17", "a request that got 503 is resent";
    ResendsByIdempotencyKey: Buffering, "Z-17",
        "a POST with an idempotency key is resent when its connection broke before the response";
    ResendsByIdempotencyKeyToo as ResendsByIdempotencyKey: Learning, "LN-10",
        "a POST with an idempotency key is resent when its connection broke before the response";
    ResendsAfterHalfAnResponse: Learning, "LN-10", "a GET whose response was truncated is resent";
    ResendsWhatIsIdempotent: Buffering, "Z-52",
        "an idempotent request is resent when its connection broke before the response";
    ResendsIdempotentRequests as ResendsWhatIsIdempotent: Learning, "LN-25",
        "an idempotent request is resent when its connection broke before the response";
    KeepsUsingClosedConnections: Both, "Z-16",
        "an idle connection that the cell has closed is reused, and the request is refused";
}
