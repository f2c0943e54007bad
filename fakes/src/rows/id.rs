//! The id of a row.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use uuid::Uuid;

/// The id of a row in a cell's own schemas.
///
/// It is printed, and parsed, as `5001`, as `0190163d-8694-739b-aea5-966c26f8ad91` and as
/// `local:7`. In JSON, numbers are numbers and UUIDs are strings, as in GitLab's own API. Ids of
/// different kinds are never equal.
///
/// ```
/// use cell_fleet::Id;
/// let id: Id = "5001".parse()?;
/// assert_eq!(id, Id::Number(5001));
/// assert_eq!("local:7".parse(), Ok(Id::Local(7)));
/// # Ok::<(), cell_fleet::InvalidId>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Id {
    /// A number that is unique in the installation.
    Number(u64),
    /// A UUID (RFC 9562), unique everywhere.
    Uuid(Uuid),
    /// A number that is unique on its cell alone: other cells use it for other rows.
    Local(u64),
}

/// The prefix of a local id in print.
const LOCAL: &str = "local:";

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Uuid(uuid) => uuid.as_hyphenated().fmt(f),
            Self::Local(number) => write!(f, "{LOCAL}{number}"),
        }
    }
}

impl FromStr for Id {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let invalid = || InvalidId(text.to_owned());
        let number = |digits: &str| {
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| plain).ok_or_else(invalid)
        };
        if let Some(digits) = text.strip_prefix(LOCAL) {
            return number(digits).map(Self::Local);
        }
        // The other spellings that `uuid` reads are not those of RFC 9562 section 4.
        if text.len() == uuid::fmt::Hyphenated::LENGTH {
            return Uuid::try_parse(text).map(Self::Uuid).map_err(|_| invalid());
        }
        number(text).map(Self::Number)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) | Self::Local(number) => serializer.serialize_u64(*number),
            Self::Uuid(_) => serializer.collect_str(self),
        }
    }
}

/// A text that is not an id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not an id: expected a number, a UUID, or `{LOCAL}` and a number")]
pub struct InvalidId(pub String);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const UUID: &str = "0190163d-8694-739b-aea5-966c26f8ad91";

    #[test]
    fn invalid_ids_are_refused() {
        let simple = UUID.replace('-', "");
        let (urn, braced) = (format!("urn:uuid:{UUID}"), format!("{{{UUID}}}"));
        let same_length = format!("{simple}0000");
        for text in ["", "+1", "-1", "1.0", "local:", "local:+1", "18446744073709551616"]
            .into_iter()
            .chain([simple.as_str(), &urn, &braced, &same_length])
        {
            assert_eq!(text.parse::<Id>(), Err(InvalidId(text.to_owned())), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_id_survives_print_and_parse(number: u64, bits: u128) {
            for id in [Id::Number(number), Id::Local(number), Id::Uuid(Uuid::from_u128(bits))] {
                prop_assert_eq!(id.to_string().parse::<Id>(), Ok(id));
            }
        }
    }
}
