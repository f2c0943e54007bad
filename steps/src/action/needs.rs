//! What a step needs besides cells and people.

use std::ops::BitOr;

/// What a step needs. The needs of a case are the union of its steps' needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// A router takes part. A case without one says something about the cells alone.
    pub router: bool,
    /// The suite controls the router's process: a step stops it, restarts it, or looks at how it
    /// started and stopped.
    pub process: bool,
    /// The trace names the owners, at the end, of the paths that the step quotes.
    pub ownership: bool,
    /// The cell that the router asks first is cast as the cell that the step names.
    pub cast: bool,
}

impl Needs {
    pub const NONE: Self = Self { router: false, process: false, ownership: false, cast: false };
    pub const ROUTER: Self = Self { router: true, ..Self::NONE };
    /// A router process that the suite controls.
    pub const PROCESS: Self = Self { process: true, ..Self::NONE };
    /// The owners of the quoted paths.
    pub const OWNERSHIP: Self = Self { ownership: true, ..Self::NONE };
    /// A cast of the cell that is asked first.
    pub const CAST: Self = Self { cast: true, ..Self::NONE };
}

impl BitOr for Needs {
    type Output = Self;

    /// The union of both.
    fn bitor(self, other: Self) -> Self {
        Self {
            router: self.router | other.router,
            process: self.process | other.process,
            ownership: self.ownership | other.ownership,
            cast: self.cast | other.cast,
        }
    }
}

impl FromIterator<Self> for Needs {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        all.into_iter().fold(Self::NONE, Self::bitor)
    }
}
