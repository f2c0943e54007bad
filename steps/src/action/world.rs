//! The world around the users changes: cells, routers, organizations, databases, time.

use std::fmt;
use std::str::FromStr;

use cell_fleet::{CellId, IdDisturbance, Region, UnknownSpelling};
use cucumber::Parameter;

use super::words::region_word;

/// A change in the world around the users.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorldAction {
    /// Cells go down: they take no connections, and those that were open break.
    TakeDown(CellGroup),
    /// Cells that were taken down come back.
    BringBack(CellGroup),
    RestartCell(CellId),
    EndFaults,
    /// Cells release the responses that they hold, and all visits that were begun end.
    Release,
    /// Cells release the responses that they hold for one path, to requests and to pre-flights, and
    /// the visits of that path that were begun end.
    ReleaseHeld {
        path: String,
    },
    /// The replicas of a region take over nothing until they are released.
    HoldReplicas {
        region: Region,
    },
    /// Replicas take over everything that the primaries have written.
    ReleaseReplicas,
    Router {
        region: Region,
        action: RouterAction,
    },
    MoveOrganization {
        organization: String,
        cell: CellId,
    },
    /// The move of an organization in phases runs up to a phase, from where it stands.
    RunMove {
        organization: String,
        cell: CellId,
        through: String,
        /// Whether a replica may stop it that does not know of the switch yet.
        tried: bool,
    },
    /// The move runs, and its mover dies in the middle of a phase.
    KillMover {
        organization: String,
        cell: CellId,
        phase: String,
    },
    TakeMoveBack {
        organization: String,
    },
    /// A cell inserts rows, one after the other.
    Insert {
        cell: CellId,
        rows: u64,
        table: String,
    },
    /// All cells insert rows at the same time, each this many.
    InsertEverywhere {
        rows: u64,
        table: String,
    },
    DisturbIds(IdDisturbance),
    QueueJobs {
        project: String,
        jobs: u64,
    },
    /// A namespace is created: there is a page at its path, and at every path below it.
    CreateNamespace {
        /// Its path, with or without a slash in front.
        path: String,
        cell: CellId,
    },
    /// A public project is created in a group, on the cell of the group.
    CreateProject {
        path: String,
    },
    /// A namespace, with all that is below it, gets another path.
    RenameNamespace {
        /// The path, with or without a slash in front.
        path: String,
        to: String,
    },
    /// The clock of the cells goes forward at once; the routers' clocks do not.
    AdvanceClock {
        seconds: u64,
    },
    PassTime {
        ms: u64,
    },
    /// Time passes until cache entries are older than their time to live.
    PassTimeToLive,
    /// In learning, time passes until cache entries are older than their time to live. In buffering
    /// nothing is waited for, since a bounce corrects a stale entry at once.
    PassTimeOfLearned,
}

/// One cell, or those of a region.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "group", regex = "cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})|the [A-Z]{2,8} region")]
pub enum CellGroup {
    Cell(CellId),
    Region(Region),
}

impl CellGroup {
    pub(crate) fn has(&self, cell: &CellId) -> bool {
        match self {
            Self::Cell(it) => it == cell,
            Self::Region(region) => cell.region() == region,
        }
    }
}

impl fmt::Display for CellGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cell(cell) => write!(f, "{cell}"),
            Self::Region(region) => write!(f, "the {} region", region_word(region)),
        }
    }
}

impl FromStr for CellGroup {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix("the ").and_then(|rest| rest.strip_suffix(" region")) {
            Some(region) => region.parse().map(Self::Region),
            None => text.parse().map(Self::Cell),
        }
    }
}

/// What is done to the process of a router.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter, strum::EnumString, strum::Display)]
#[param(name = "router_action", regex = "stops|is told to stop|restarts")]
pub enum RouterAction {
    /// It is told to stop, and its exit is awaited.
    #[strum(serialize = "stops")]
    Stop,
    /// It is told to stop; its exit is awaited later, since requests may be under way.
    #[strum(serialize = "is told to stop")]
    TellToStop,
    /// A new process with a cold cache replaces it.
    #[strum(serialize = "restarts")]
    Restart,
}
