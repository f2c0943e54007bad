//! The ways to keep the sessions of users.

use std::fmt;
use std::str::FromStr;

/// Where the cells of a fleet keep the sessions of users (*More technical problems*: sessions).
///
/// The documents choose none; the default is this fleet's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum SessionModel {
    /// One store, written in the region of its primary, with a replica in each region.
    #[default]
    Shared,
    /// A store for each region. A session names its region, and other regions read it there.
    Regional,
    /// The session is a JWT that the user keeps.
    Jwt,
}

impl SessionModel {
    /// All models.
    pub const ALL: [Self; 3] = [Self::Shared, Self::Regional, Self::Jwt];

    /// The model by name: `shared`, `regional` or `jwt`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Regional => "regional",
            Self::Jwt => "jwt",
        }
    }
}

impl fmt::Display for SessionModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for SessionModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|model| model.as_str() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::as_str).join(", ");
            format!("`{text}` is not a way to keep sessions; name one of {names}")
        })
    }
}
