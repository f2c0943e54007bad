//! Runners: who is known where, who gets a job, and when it is given back.

use crate::mutant::mutants;

mutants! {
    JobsQueuedOnTheirCell: Both, "RU-01",
        "runners are shared, and each cell keeps the queue of its jobs to itself";
    RunnersKnownWhereRegistered: Both, "RU-01",
        "the queue is shared, and the cell that registered a runner alone knows it";
    GroupRunnersLeftOut: Both, "RU-02",
        "runners of groups and projects are not shared although the plan says so";
    GroupRunnersTakeAnyJob: Both, "RU-02", "a runner of a group gets jobs of other groups";
    RunnersTakeJobsOfOtherCells: Both, "RU-03",
        "a runner gets jobs of cells where it is not registered, where its own has none";
    QueueReadBeforeItIsLocked: Both, "RU-05",
        "a cell looks for a job, and takes what it saw without looking again";
    LeasesNotKept: Both, "RU-05", "a job that a runner has is given to the next one that asks";
    LeasesNeverEnd: Both, "RU-06", "the job of a runner that died is never given to another";
    LateReportsCount: Both, "RU-06",
        "a runner ends a job that another one has since its lease ended";
    RunnerPathsOnTheLegacyCell: Both, "RU-07",
        "what is below the path prefix of any cell belongs to Cell US0";
    RunnerTokensNotRead: Buffering, "RU-07",
        "the asked cell responds to a runner, whatever cell its token names";
}
