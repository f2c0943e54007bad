//! What a router costs, as a record: the JSON of `cost`, and the member `cost` of a report.

use serde::{Deserialize, Serialize};

/// The version of the JSON. Members may be added to a version.
pub const COST_VERSION: u32 = 1;

/// What a router adds to the direct way from a user to the owner's cell. It is never a verdict.
///
/// Both ways were measured in turns, on one machine. Times of one record compare with each other;
/// between machines, and between runs, only ratios do, and those roughly.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostRecord {
    /// Version of the form; 1.
    pub version: u32,
    /// Version of the suite that measured.
    pub suite: String,
    /// Name of the router, by its router file or its command.
    pub router: String,
    /// When it began, RFC 3339, UTC.
    pub began: String,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
    /// The machine.
    pub machine: MachineRecord,
    /// The rounds of each measurement. In a round both ways are measured, one after the other; which
    /// is first alternates.
    pub rounds: usize,
    /// What was measured, in order: each protocol, cache and number of connections.
    pub measurements: Vec<CostMeasurement>,
}

/// The machine on which everything ran: users, router and cells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineRecord {
    /// Operating system and architecture.
    pub platform: String,
    /// The processor as its system names it; empty if it does not.
    pub processor: String,
    /// Logical processors that the suite may use.
    pub processors: usize,
    /// Load averages over 1, 5 and 15 minutes before the measurement; empty if the system has none.
    pub load_before: Vec<f64>,
    /// The same after the measurement.
    pub load_after: Vec<f64>,
}

/// Both ways under one load.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CostMeasurement {
    /// `buffering` or `learning`.
    pub protocol: String,
    /// `cold`: each request is for a top-level namespace that the router was never asked for.
    /// `warm`: the router knows the owner of each.
    pub cache: String,
    /// Connections, each with one request at a time.
    pub connections: usize,
    /// Requests through the router that got their page, over all rounds.
    pub requests: usize,
    /// Requests through the router that did not.
    #[serde(default)]
    pub failures: usize,
    /// The median time of a request, in microseconds; a ratio above 1 is the router's cost.
    pub p50_us: Compared,
    /// The time in which 99 of 100 requests ended, in microseconds; a ratio above 1 is the router's
    /// cost.
    pub p99_us: Compared,
    /// Requests each second; a ratio below 1 is the router's cost.
    pub per_second: Compared,
}

/// A quantity of both ways: each a median over the rounds, and the ratio of each round.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compared {
    /// Straight to the cell.
    pub direct: f64,
    /// Through the router.
    pub router: f64,
    /// Router by direct, in each round.
    pub ratio: Spread,
}

/// A quantity over all rounds.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Spread {
    /// The lowest.
    pub lowest: f64,
    /// The median.
    pub median: f64,
    /// The highest.
    pub highest: f64,
}

impl Compared {
    /// Whether the ratio says nothing: its range is wider than the ratio itself.
    pub fn is_meaningless(&self) -> bool {
        self.ratio.highest - self.ratio.lowest > self.ratio.median
    }
}

impl CostMeasurement {
    /// The quantities whose ratio says nothing, by name. The longest times vary most, and are not
    /// among them.
    pub fn meaningless(&self) -> Vec<&'static str> {
        let all = [("p50", &self.p50_us), ("requests/s", &self.per_second)];
        all.into_iter().filter(|(_, one)| one.is_meaningless()).map(|(name, _)| name).collect()
    }
}

impl CostRecord {
    /// The measurements whose figures are no results, in words: the machine was too busy.
    pub fn meaningless(&self) -> Vec<String> {
        let all = self.measurements.iter().filter_map(|one| {
            let names = one.meaningless();
            let CostMeasurement { protocol, cache, connections, .. } = one;
            (!names.is_empty()).then(|| {
                format!("{protocol}, {cache}, {connections} at once: {}", names.join(" and "))
            })
        });
        all.collect()
    }

    /// Reads a record from JSON.
    ///
    /// # Errors
    ///
    /// If the text is not a record of this version.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let record: Self = serde_json::from_str(text)
            .map_err(|error| format!("not a record of `cost`: {error}"))?;
        if record.version == COST_VERSION {
            Ok(record)
        } else {
            Err(format!(
                "a record of `cost` of version {}, but this program reads version {COST_VERSION}",
                record.version
            ))
        }
    }
}
