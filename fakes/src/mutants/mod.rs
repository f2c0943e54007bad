//! The switches of mutants that cells still ask for themselves.

/// A switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the table of the broken cells says what each does")]
pub enum Mutation {
    ReadsFromThePrimary,
    ReadsAbroad,
    WritesInItsOwnRegion,
    OwnersBesideTheRoutes,
    OneCiDatabase,
    PrimaryInEachRegion,
    EachCellCountsByItself,
    UserIdsPerCell,
    UuidsWithoutVersion,
    NotesWithoutUuids,
    BitsOfAnotherCell,
    NineBitsForTheCell,
    IdsBesideTheirRange,
    RangeUsedAgain,
    OneRangeForAllTables,
    NoRecordOfRanges,
    InventsIdsAlone,
    LateRangesFailInserts,
    RangesBeginAbove32Bits,
    CounterInEachCell,
    ProjectsCountedPerCell,
    LocalIdsCountedTogether,
    IidsFall,
    QueueReadBeforeItIsLocked,
    LeasesNotKept,
    LeasesNeverEnd,
    LateReportsCount,
    LeasedJobsLost,
    LeasesOutliveTheFreeze,
}
