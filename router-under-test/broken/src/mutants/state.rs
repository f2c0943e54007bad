//! Both: the process, its start and exit, and the state it keeps beyond them.

use crate::entry::mutants;

mutants! {
    KeepsRoutesOnDisk: Learning, "RT-03",
        "routes are stored beside the topology file, and used by the next process without an \
         expiry";
    HasSessionsOfItsOwn: Both, "RT-03",
        "users get a session of the router, which is refused after a restart";
    LeavesItsLockFile: Both, "RT-03",
        "a lock file beside the topology file is not removed at exit, so that the next start fails";
    WantsToBeTheOnlyOne: Both, "RT-04",
        "a second router of the same installation on one machine does not start";
    NeverListens: Both, "Z-39",
        is always(Start, Whole, LeaveOut),
        "the process starts and listens nowhere";
    ListensElsewhere: Both, "Z-39",
        is always(Start, Port, Constant),
        "the router listens on another port than the configured one";
    IgnoresSigterm: Both, "Z-39",
        is always(Stop, Whole, LeaveOut),
        "SIGTERM is caught and ignored";
    RefusesUnknownTopologyMembers: Both, "Z-40",
        "a topology file with an unknown member is refused";
}
