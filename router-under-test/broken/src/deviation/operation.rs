//! What a deviation does.

use std::fmt;

use serde::{Deserialize, Serialize};

words! {
    /// The request before, as seen from another one.
    Before {
        Connection = "of this connection",
        User = "of this user",
        Path = "of this path",
        Cell = "to this cell",
        Any = "of anybody",
        SameTime = "that is in flight at the same time",
    }
}

/// What happens to an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// It is not there.
    LeaveOut,
    /// It is there twice.
    Double,
    /// A little of it is another.
    Alter,
    /// Its end is missing.
    Cut,
    /// It is that of the request before.
    Swap(Before),
    /// Where it is missing, it is that of the request before.
    Inherit(Before),
    /// It is always the same.
    Constant,
    /// It comes later.
    Delay,
    /// Its parts change places.
    Reorder,
    /// It happens twice.
    DoTwice,
    /// It does not happen again, once it has.
    NeverAgain,
    /// It is this number; no draw has it.
    Number(u32),
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeaveOut => "is left out",
            Self::Double => "is doubled",
            Self::Alter => "is altered",
            Self::Cut => "is cut",
            Self::Swap(before) => return write!(f, "is that of the request before {before}"),
            Self::Inherit(before) => {
                return write!(f, "is, where missing, that of the request before {before}");
            }
            Self::Constant => "is always the same",
            Self::Delay => "is delayed",
            Self::Reorder => "is reordered",
            Self::DoTwice => "is done twice",
            Self::NeverAgain => "is never done again",
            Self::Number(number) => return write!(f, "is {number}"),
        })
    }
}
