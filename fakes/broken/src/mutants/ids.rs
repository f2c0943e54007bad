//! Ids: how they are drawn, what a move does to them, and how their rows are found.

use crate::mutant::mutants;

mutants! {
    EachCellCountsByItself: Both, "ID-01",
        "each cell counts the ids of its namespaces and projects by itself";
    UserIdsPerCell: Both, "ID-04", "each cell counts the ids of the shared users by itself";
    MovesDrawNewIds: Both, "ID-05", "rows that move get new ids although theirs are unique";
    UuidsWithoutVersion: Both, "ID-10",
        "a UUID is 128 random bits, without the version that RFC 9562 asks for";
    NumbersLeadToNewRows: Both, "ID-11",
        "a number leads to a new row of the asked cell that has it beside its UUID";
    NotesWithoutUuids: Both, "ID-11",
        "notes have a number alone, while the rows of all other tables have UUIDs";
    BitsOfAnotherCell: Both, "ID-20",
        "the top bits of an id name the cell after the one that drew it";
    NineBitsForTheCell: Both, "ID-21", "an id has room for nine bits of the cell's number";
    IdsGivenAgainAfterAMove: Both, "ID-22",
        "a cell whose rows have moved away counts from the beginning";
    MovedRowsByBits: Both, "ID-23",
        "a row is looked for where the bits of its id say, also after a move";
    IdsThroughFloats: Both, "ID-24",
        "an id passes through a floating-point number on its way into JSON";
    IdsBesideTheirRange: Both, "ID-30",
        "ids are from the range after the one that the cell was given";
    RangeUsedAgain: Both, "ID-31", "a cell that has used up its range uses it once more";
    OneRangeForAllTables: Both, "ID-32", "all tables of a cell draw from one range";
    NoRecordOfRanges: Both, "ID-33", "nothing tells which cell was given the range of an id";
    MovedRowsByRange: Both, "ID-34",
        "a row is looked for at the cell that was given its range, also after a move";
    InventsIdsAlone: Both, "ID-38", "a cell that gets no range makes up ids";
    LateRangesFailInserts: Both, "ID-36", "an insert that would have to wait for its range fails";
    RangesBeginAbove32Bits: Both, "ID-35",
        "the ranges of each table begin above 2^32, whatever ids its rows have";
    CounterInEachCell: Both, "ID-37",
        "the counter of ranges is kept in each cell, so that two cells get the same range";
    ProjectsCountedPerCell: Both, "ID-40", "projects have ids that are unique on their cell alone";
    LocalIdsCountedTogether: Both, "ID-41",
        "one counter for all cells gives the ids of merge requests";
    IidsFall: Both, "ID-42", "a later merge request has a smaller IID";
    BareLocalIdsResolve: Both, "ID-43",
        "any cell shows its own row for an id that is unique on a cell alone";
    ForeignKeysKept: Both, "ID-44",
        "notes keep the former id of their merge request when it gets a fresh one";
    OldLinksShowOthers: Both, "ID-45",
        "a link by project and former id shows the row of another project that has the id now";
}
