//! A move with all its data.

use crate::mutant::mutants;

mutants! {
    CopiesOnce: Both, "MV-01", "what is written after the first copy is not copied any more";
    MovesWithoutFreeze: Both, "MV-03",
        "the old cell takes writes until the routes name the new one";
    FrozenWithoutRetryAfter: Both, "MV-03",
        "a write in the frozen moment gets a 503 that does not say when to try again";
    FrozenForReads: Both, "MV-02", "the old cell refuses reads as well while it is frozen";
    BothCellsTakeWrites: Both, "MV-06",
        "the old cell thaws with the new one, and takes writes where its replica lags";
    CleansUpEarly: Both, "MV-02", "the old cell drops its rows while replicas still name it";
    LeavesRedisBehind: Both, "MV-04", "a move leaves the state in Redis behind";
    LeavesBranchesBehind: Both, "MV-04", "a move leaves the branches of Git repositories behind";
    LeavesObjectsBehind: Both, "MV-07",
        "a move takes along the refs of Git repositories without their objects";
    RepositoriesCopiedOnce: Both, "MV-07",
        "what is pushed after the first copy is not copied any more";
    PushesPassTheGate: Both, "MV-03", "the old cell takes pushes while it is frozen";
    OldCellTakesPushes: Both, "MV-06",
        "after the thaw the old cell takes pushes where its replica lags, and the move loses them";
    FetchesCountAsWrites: Both, "MV-02",
        "a frozen cell refuses clones, because they are sent by POST";
    LeavesJobsBehind: Both, "MV-08", "the queue of jobs stays on the old cell";
    LeasedJobsLost: Both, "MV-08",
        "a job that a runner has when the freeze begins is not taken along";
    JobsGivenOnBothCells: Both, "MV-08", "the old cell goes on giving out the jobs that have moved";
    LeasesOutliveTheFreeze: Both, "MV-08",
        "the old cell takes the report about a job that it has given back";
    LeavesTheIndexBehind: Both, "MV-04", "a move leaves the search index behind";
    HalfDonePhasesCount: Both, "MV-05",
        "a phase in which the mover died counts as done when it is run again";
    TakenBackStaysFrozen: Both, "MV-05", "a move that is taken back leaves the old cell frozen";
}
