//! Versions of the application that cells run.

/// A version of the Rails application; a higher number is a later deployment (UN-02).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version(pub u32);

impl Version {
    /// The version of cells that are not upgraded yet.
    pub const OLDER: Self = Self(1);
    /// The latest deployment.
    pub const LATEST: Self = Self(2);
}
