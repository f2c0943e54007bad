//! A person makes many visits.

use cell_fleet::CellId;
use serde::{Deserialize, Serialize};

use super::words::spelled;

/// Many visits, one after another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Visits {
    /// The same visit several times.
    Same {
        /// The request target.
        target: String,
        /// How many visits.
        times: u64,
    },
    /// The same visit until the router has asked a cell.
    Until {
        /// The request target.
        target: String,
        /// The cell.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
        /// How many visits at most.
        most: u64,
    },
    /// Pages under different prefixes that no router knows yet.
    ColdPrefixes {
        /// How many prefixes.
        count: u64,
    },
    /// Pages under paths of 250 bytes and more.
    LongPaths {
        /// One in this many of them is visited; 1 visits all.
        one_in: u64,
        /// How many paths there are.
        count: u64,
    },
}

impl Visits {
    /// The request targets, in order.
    pub(crate) fn targets(&self) -> Box<dyn Iterator<Item = String> + Send + '_> {
        match self {
            Self::Same { target, times } | Self::Until { target, most: times, .. } => {
                Box::new((0..*times).map(|_| target.clone()))
            }
            Self::ColdPrefixes { count } => {
                Box::new((0..*count).map(|number| format!("{}/-/a/b/page", cold_path(number))))
            }
            Self::LongPaths { one_in, count } => {
                let one_in = usize::try_from(*one_in).unwrap_or(usize::MAX).max(1);
                let numbers = (0..*count).step_by(one_in);
                Box::new(numbers.map(|number| format!("{}/a/b/c/page", long_path(number))))
            }
        }
    }
}

/// The path of the cold prefix with this number.
pub fn cold_path(number: u64) -> String {
    format!("/cold-place-{number}")
}

/// The long path with this number: so long that a bound in bytes is noticed as well.
pub fn long_path(number: u64) -> String {
    format!("/long-place-{number}-{}", "x".repeat(250))
}
