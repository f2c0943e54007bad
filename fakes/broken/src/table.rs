//! All mutants, by what they are about.

use crate::mutant::{CellMutant, kebab, mutants};
use cell_fleet::Protocol;

mutants! {
    // The owner of a request, and what a router is told.
    ActsBeforeItLooks: Both, "RT-07",
        "a cell handles a request before it looks up the owner: it redirects after the side effect";
    BouncesWith307: Buffering, "BF-02", "the redirect header is on a 307";
    BouncesToTheLegacyCell: Buffering, "BF-02",
        "a cell that does not own the target always names Cell US0";
    BounceNamesTheId: Buffering, "BF-10", "the redirect header spells the owner `cell_eu0`";
    NamesOnlyItsOwn: Learning, "LN-08",
        "the learn endpoint knows only the paths that the cell itself owns";
    LearnOnTheLegacyCellOnly: Learning, "LN-09",
        "only Cell US0 has a learn endpoint; on the others it is not found";
    FixedToWhoeverIsAsked: Learning, "LN-14",
        "each cell names itself for a path that is fixed to one cell";
    LearnsForTheSignedIn: Learning, "LN-23",
        "the learn endpoint reads the cookie: without a session it does not find private paths";
    NoCacheHeader: Buffering, "CA-01", "owners never send the cache header";
    CacheHeaderForUsersOnly: Buffering, "CA-05",
        "an owner omits the cache header on responses to signed-out visitors";
    CacheHeaderOnA404: Buffering, "PR-02", "the 404 for lack of permission has a cache header";
    CacheHeaderOnTheRoot: Buffering, "BF-16", "the response to `/` has a cache header for `/`";
    RegionsFirstCellForUs0: Both, "GL-06",
        "for a route of several cells, cells name the first one of their own region";
    EveryCellHasTheDashboard: Both, "GL-05",
        "each cell serves the global dashboard itself, and names itself as its owner";
    OlderCellsNameNobody: Learning, "UN-05",
        "a cell that cannot decode a path responds 404 to a pre-flight about it";

    // Sessions, tokens, sign-in and sign-up.
    SessionKnownAtHome: Both, "RT-13",
        "a session is valid only on the cell of its user's default organization";
    SessionStorePerCell: Both, "LG-05",
        "a session is valid only on the cell that its user signed in on";
    AdoptsSessions: Both, "SE-01",
        "a cell creates a session of its own for each session that it receives";
    SignOutOnlyHere: Both, "SE-05", "sign-out ends the session only on the cell that receives it";
    TokenKnownAtHome: Both, "DB-01",
        "a token is valid only on the cell of its user's default organization";
    CredentialsCheckedAtHome: Both, "DB-01",
        "name and password are accepted only on the cell of the user's default organization";
    SignInOnTheLegacyCellOnly: Buffering, "BF-13",
        "only Cell US0 serves sign-in; the others redirect to it";
    SignInSetsAnotherCookie: Both, "LG-03",
        "sign-in sets a cookie with a name that no cell reads, so that its user stays signed out";
    SignInLeadsToTheRoot: Both, "LG-02",
        "sign-in always leads to `/`, whatever page its user came from";
    ForgetsWhereTheVisitorWanted: Both, "LG-01",
        "the redirect to sign-in does not name the requested path";
    GitClientsSentToTheForm: Both, "LG-08",
        "a git client without credentials is redirected to the sign-in form, like a browser";
    TurnsVisitorsAway: Buffering, "BF-15",
        "a cell that does not own a private page sends its signed-out visitor 404, neither a \
         redirect to sign-in nor to the owner";
    TellsVisitorsWhatIsMissing: Both, "PR-03",
        "a signed-out visitor gets 404 for a missing page, and sign-in for a private one";
    GlobalRoutesHideFromVisitors: Both, "GL-07",
        "`/` and `/dashboard` are not found by signed-out visitors";
    PublicPlacesNeedASession: Both, "GL-08",
        "a public project redirects signed-out visitors to sign-in";
    SignUpDoesNotAsk: Both, "SU-01", "the sign-up form does not ask about organizations";
    SignUpOffersNoNewOrganization: Both, "SU-01",
        "the sign-up form asks who joins an organization, and not who would like to create one";
    SignUpIgnoresTheChoice: Both, "OR-01", "joining an organization does not make it the default";
    SignUpEnrolsEverybody: Both, "SU-02",
        "new users who neither join nor create an organization get the first existing one";

    // Organizations, their namespaces, and default organizations.
    DefaultOrganizationPerCell: Both, "OR-16",
        "the default organization is kept by the cell on which it was chosen";
    AccountsGetAnOrganization: Both, "OR-02",
        "accounts that never chose a default organization get the first one that exists";
    PublicOrganizationNeedsARecord: Both, "OR-05",
        "GitLab.com Public is looked up like any organization, and is not found";
    NamespacesGetAnOrganization: Both, "OR-06",
        "a namespace without an organization is shown as an organization";
    GroupFormDoesNotAsk: Both, "NS-01",
        "the form for a new group does not ask for its organization";
    NewGroupsOnTheLegacyCell: Both, "NS-02",
        "new groups of an organization are created on Cell US0, wherever the organization lives";
    NoChoiceMeansHome: Both, "NS-03",
        "a new group without an organization belongs to its creator's default organization";
    SpreadsAnOrganization: Both, "RT-11",
        "new groups of an organization are placed on the cell beside the organization's";
    NewRouteNamesTheLegacyCell: Both, "NS-05",
        "the row of a new group in the routes table always names Cell US0";
    NewGroupWithoutARoute: Both, "DB-02", "a new group has no row in the shared routes table";

    // What pages show, and to whom.
    RootLeadsMembersToTheGlobalView: Both, "GL-01",
        "`/` redirects every user to `/dashboard`, members of organizations too";
    RootLeadsToDashboards: Both, "GL-04", "`/` redirects legacy users to `/dashboards`";
    DashboardForEverybody: Both, "OR-07",
        "the global dashboard is served to members of organizations";
    OnlyTheDashboardIsGlobal: Both, "OR-07",
        "global pages other than `/dashboard` are served to members of organizations";
    DashboardScopedInPlace: Learning, "LN-15",
        "`/dashboard` shows members their organization, so that its content depends on the cell";
    DashboardLeadsToTheOverview: Both, "GL-03",
        "`/dashboard` redirects members to their organization's overview instead of its dashboard";
    DashboardWithoutNamespaces: Both, "OR-03", "the global dashboard lists nothing";
    GlobalViewWithoutOrganizations: Both, "OR-03",
        "global pages leave out the namespaces of organizations, also of those on Cell US0";
    NoScopedDashboard: Both, "GL-02", "the dashboards of organizations are not found";
    WrongOrganizationBanner: Both, "OR-09",
        "the dashboard of an organization claims to show GitLab.com Public";
    OnlyDashboardsNameTheirOrganization: Both, "OR-09",
        "pages other than dashboards do not name an organization";
    NoHintOnTheDashboard: Both, "OR-13",
        "the dashboard does not say that it is limited to the default organization";
    DashboardListsTheLegacyCell: Both, "OR-15",
        "the dashboard of an organization also lists the public groups of Cell US0";
    DashboardListsPublicGroups: Both, "NS-04",
        "the dashboard of an organization also lists its user's own groups of GitLab.com Public";
    ClosedToOtherOrganizations: Both, "OR-10",
        "projects are not found by members of other organizations, though they are public";
    MembersNotToldElsewhere: Both, "OR-11",
        "a page outside of the default organization does not say that its counters are incomplete";
    LegacyUsersNotTold: Both, "OR-14",
        "legacy users on another cell are not told that data may be missing";
    PrivateIs403: Both, "PR-03", "a private page responds with 403, which reveals that it exists";
    PageNamesItsCell: Both, "RT-12", "the page of a project names the cell that serves it";
    AdminLeadsToANeighbour: Buffering, "AD-01",
        "`/admin` redirects the operator to the area of another cell";
    AdminMenuWithoutCells: Both, "AD-03", "the Admin Area does not list the other cells";
    AdminMenuStaysPut: Both, "AD-03",
        "each link to a cell in the Admin Area leads to the page that is already shown";
    AdminPageWithoutItsCell: Both, "AD-06",
        "the Admin Area does not name the cell that serves the page";
    AdminPageAtItsEntry: Learning, "AD-06",
        "`/admin` shows the area of Cell US0 itself, at a URL that names no cell";
    AdminOnTheLegacyCellOnly: Both, "AD-07", "only Cell US0 has an Admin Area";

    // Databases: which one is read and written, and what is kept where.
    ReadsFromThePrimary: Both, "RG-03", "all reads of shared databases go to the primary";
    ReadsAbroad: Both, "DB-05",
        "all reads of shared databases go to the replica in the primary's region";
    WritesInItsOwnRegion: Both, "RG-04", "a cell writes to the server of its own region";
    WritesEveryVisitDown: Both, "RG-05",
        "each page that a user reads is a write to the shared users";
    RefusesWhileReplicasLag: Both, "DB-06",
        "a cell whose replica is behind the primary refuses everything with 503";
    CopiesPublicProjects: Both, "DB-04",
        "every cell has a copy of each public project in its gitlab_main, and serves it";
    AdminSettingsPerCell: Both, "DB-03", "a cell keeps its admin settings in its own database";
    AdminSettingsOfTheStart: Both, "AD-08",
        "all cells except Cell US0 keep the admin settings that they were started with";
    AdminSettingsInTwoPlaces: Both, "AD-12",
        "each cell has admin settings of its own beside the common ones, as they were at its start";

    // The installation as a whole: its cells, and whether one cell is enough.
    LegacyCellKeepsItsRegion: Both, "RT-15",
        "cells treat Cell US0 as the owner of every namespace of its region";
    OneCellToARegion: Both, "RT-16", "the second cell of each region refuses everything with 503";
    AsksANeighbour: Both, "RT-17", "a cell asks the next one for a part of each page";
    LoneCellWithoutOrganizations: Both, "SC-01",
        "an installation of one cell has no pages of organizations";
    LoneCellWaitsForAService: Both, "SC-02",
        "the only cell responds with 503, since it lacks a service of larger installations";
    LoneCellPointsToItself: Both, "SC-03", "the only cell names itself in a redirect header";

    // What shows only on a completely read page or across several visits: counters, one session on
    // several cells, a new password or token, a column of a table, the path of a write.
    CountersAtZero: Both, "OR-17",
        "the counters at the top of each page are 0, also in the default organization";
    CountersFromHome: Both, "OR-10",
        "the counters on a page of another cell are read from the database of the user's own cell";
    ToDosFromHome: Both, "OR-12",
        "the to-do counter on a page of another cell is that of the user's own cell";
    SessionOfTheFirstCell: Both, "SE-01",
        "a session is valid only on the first cell that receives it";
    NewPasswordKeepsSessions: Both, "SE-05",
        "a new password does not end the user's other sessions";
    NewTokenKnownHere: Both, "DB-01", "a new token is valid only on the cell that created it";
    OwnersBesideTheRoutes: Both, "DB-02",
        "the owners of routes are in a table of their own, and rows of `routes` have no `cell_id`";
    OneCiDatabase: Both, "DB-04", "all cells share one gitlab_ci, beside the shared databases";
    PrimaryInEachRegion: Both, "RG-04",
        "each region has a primary of its own, which takes the writes of its cells";
    NamesNobodyForWrites: Learning, "LN-09",
        "only Cell US0 names the owner for methods other than GET; the others send 200 without one";

    // Ids: how they are drawn, what a move does to them, and how their rows are found.
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

    // Runners: who is known where, who gets a job, and when it is given back.
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

    // Settings that differ from cell to cell.
    TemplatesNotFilled: Both, "AD-10", "a cell uses the template of a setting as it is written";
    TemplatesFilledAsOnTheLegacyCell: Both, "AD-10",
        "each cell fills in a template as Cell US0 does";
    CellSettingsKnownWhereWritten: Both, "AD-11",
        "the row of a cell is seen by the cell alone on which it was written";
    CellSettingsWrittenForAll: Both, "AD-11",
        "a setting of one cell is written into the row of all cells";
    NoRowNoValue: Both, "AD-11",
        "a cell without a row has empty settings once another cell has a row";
    SettingsListedForOneCell: Both, "AD-12",
        "an admin page lists what its own cell uses, and nothing of the others";

    // Sessions, by the ways to keep them.
    SessionsReadAtThePrimary: Both, "SE-03",
        "each session is read in the region of the primary, wherever the cell is";
    LagSignsOut: Both, "SE-06", "a session that the replica does not have yet is none";
    SessionsStayInTheirRegion: Both, "SE-07", "a session of another region's store is none";
    SignOutInOneRegion: Both, "SE-11",
        "a sign-out reaches the store, or the list, of the cell's own region alone";
    EverywhereIsThisRegion: Both, "SE-11",
        "all sessions of a user end in the store of the cell's own region alone";
    SignaturesUnread: Both, "SE-08", "a JWT counts whatever its signature is";
    TokensOfAlgNone: Both, "SE-08", "a JWT that says `alg: none` needs no signature";
    ExpiredTokensCount: Both, "SE-08", "a JWT counts also after its expiry";
    TokensLookedUp: Both, "SE-10", "each JWT is looked up in the store of the region's sessions";
    TokensRenewedBlindly: Both, "SE-09",
        "a JWT is renewed although its user's password has changed";
    TokensOutliveThePassword: Both, "SE-09",
        "a new password leaves the JWTs of the old one off the list";

    // A move with all its data.
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
