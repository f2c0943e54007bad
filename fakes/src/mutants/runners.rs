//! Mutants of runners: who is known where, who gets a job, and when it is given back.

use super::mutant::{BOTH, BUFFERING, CellMutant, mutant};
use super::mutation::Mutation::{
    GroupRunnersLeftOut, GroupRunnersTakeAnyJob, JobsQueuedOnTheirCell, LateReportsCount,
    LeasesNeverEnd, LeasesNotKept, QueueReadBeforeItIsLocked, RunnerPathsOnTheLegacyCell,
    RunnerTokensNotRead, RunnersKnownWhereRegistered, RunnersTakeJobsOfOtherCells,
};

pub(super) const MUTANTS: &[CellMutant] = &[
    mutant(
        JobsQueuedOnTheirCell,
        "jobs-queued-on-their-cell",
        "RU-01",
        BOTH,
        "runners are shared, and each cell keeps the queue of its jobs to itself",
    ),
    mutant(
        RunnersKnownWhereRegistered,
        "runners-known-where-registered",
        "RU-01",
        BOTH,
        "the queue is shared, and the cell that registered a runner alone knows it",
    ),
    mutant(
        GroupRunnersLeftOut,
        "group-runners-left-out",
        "RU-02",
        BOTH,
        "runners of groups and projects are not shared although the plan says so",
    ),
    mutant(
        GroupRunnersTakeAnyJob,
        "group-runners-take-any-job",
        "RU-02",
        BOTH,
        "a runner of a group gets jobs of other groups",
    ),
    mutant(
        RunnersTakeJobsOfOtherCells,
        "runners-take-jobs-of-other-cells",
        "RU-03",
        BOTH,
        "a runner gets jobs of cells where it is not registered, where its own has none",
    ),
    mutant(
        QueueReadBeforeItIsLocked,
        "queue-read-before-it-is-locked",
        "RU-05",
        BOTH,
        "a cell looks for a job, and takes what it saw without looking again",
    ),
    mutant(
        LeasesNotKept,
        "leases-not-kept",
        "RU-05",
        BOTH,
        "a job that a runner has is given to the next one that asks",
    ),
    mutant(
        LeasesNeverEnd,
        "leases-never-end",
        "RU-06",
        BOTH,
        "the job of a runner that died is never given to another",
    ),
    mutant(
        LateReportsCount,
        "late-reports-count",
        "RU-06",
        BOTH,
        "a runner ends a job that another one has since its lease ended",
    ),
    mutant(
        RunnerPathsOnTheLegacyCell,
        "runner-paths-on-the-legacy-cell",
        "RU-07",
        BOTH,
        "what is below the path prefix of any cell belongs to Cell US0",
    ),
    mutant(
        RunnerTokensNotRead,
        "runner-tokens-not-read",
        "RU-07",
        BUFFERING,
        "the asked cell responds to a runner, whatever cell its token names",
    ),
];
