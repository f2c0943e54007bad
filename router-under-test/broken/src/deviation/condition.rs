//! When a deviation happens.

use std::fmt;

use serde::{Deserialize, Serialize};

words! {
    /// Which times count.
    Count {
        Nth = "the time",
        EachNth = "each time",
        FromNth = "from the time on",
    }
}

words! {
    /// What is measured of a request.
    Size {
        Length = "a body of more bytes than",
        Depth = "a path of more segments than",
        Fields = "more fields than",
    }
}

/// What has to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// The number of times that all else held.
    Times(Count, u32),
    /// No entry covered the path.
    Cold,
    /// An entry covered the path.
    Warm,
    /// The entry was wrong.
    Stale,
    /// An entry for the path was evicted before.
    Evicted,
    /// The entry had expired.
    Expired,
    /// A cell has sent the request elsewhere.
    AfterBounce,
    /// Some request got no response of a cell before.
    AfterFailure,
    /// Some user has left before a response.
    AfterLeaving,
    /// The user's connection is new, or not.
    NewUser(bool),
    /// The cell's connection is new, or not.
    NewCell(bool),
    /// Another request is in flight.
    InFlight,
    /// The method of the user's request.
    Method(Verb),
    /// The status of the last response.
    Status(u16),
    /// The user's body came in chunks, or with a length.
    Chunked(bool),
    /// The user speaks HTTP/1.0.
    Old,
    /// Something is larger than this.
    Above(Size, u32),
}

words! {
    /// A method.
    Verb {
        Get = "GET",
        Head = "HEAD",
        Post = "POST",
        Put = "PUT",
        Patch = "PATCH",
        Delete = "DELETE",
        Options = "OPTIONS",
    }
}

impl Condition {
    /// What it is about: two conditions of one draw are about two things.
    pub(super) fn subject(self) -> u8 {
        match self {
            Self::Times(..) => 0,
            Self::Cold | Self::Warm | Self::Stale | Self::Evicted | Self::Expired => 1,
            Self::AfterBounce => 2,
            Self::AfterFailure => 3,
            Self::AfterLeaving => 4,
            Self::NewUser(_) => 5,
            Self::NewCell(_) => 6,
            Self::InFlight => 7,
            Self::Method(_) => 8,
            Self::Status(_) => 9,
            // HTTP/1.0 has no chunks, and a long body has a framing.
            Self::Chunked(_) | Self::Old | Self::Above(Size::Length, _) => 10,
            Self::Above(Size::Depth, _) => 11,
            Self::Above(Size::Fields, _) => 12,
        }
    }

    /// Whether this and the other can hold of one request.
    pub(super) fn agrees_with(self, other: Self) -> bool {
        let has_no_body = |verb| matches!(verb, Verb::Get | Verb::Head | Verb::Options);
        self.subject() != other.subject()
            && [(self, other), (other, self)].iter().all(|pair| match *pair {
                // A connection ends with the response.
                (Self::Old, Self::NewUser(false)) => false,
                (Self::Method(verb), Self::Chunked(_) | Self::Above(Size::Length, _)) => {
                    !has_no_body(verb)
                }
                _ => true,
            })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let either = |f: &mut fmt::Formatter<'_>, holds, one: &str, other: &str| {
            f.write_str(if holds { one } else { other })
        };
        match *self {
            Self::Times(Count::Nth, times) => write!(f, "at time {times}"),
            Self::Times(Count::EachNth, times) => write!(f, "at each {times}th time"),
            Self::Times(Count::FromNth, times) => write!(f, "from time {times} on"),
            Self::Cold => f.write_str("on a cold cache"),
            Self::Warm => f.write_str("on a warm cache"),
            Self::Stale => f.write_str("after a stale entry"),
            Self::Evicted => f.write_str("after an eviction"),
            Self::Expired => f.write_str("after an entry expired"),
            Self::AfterBounce => f.write_str("after a bounce"),
            Self::AfterFailure => f.write_str("after a failure"),
            Self::AfterLeaving => f.write_str("after somebody left"),
            Self::NewUser(new) => {
                either(f, new, "on a user's new connection", "on a user's kept connection")
            }
            Self::NewCell(new) => {
                either(f, new, "on a cell's new connection", "on a cell's kept connection")
            }
            Self::InFlight => f.write_str("with another request in flight"),
            Self::Method(verb) => write!(f, "for {verb}"),
            Self::Status(status) => write!(f, "at status {status}"),
            Self::Chunked(chunked) => {
                either(f, chunked, "with a body in chunks", "with a body of known length")
            }
            Self::Old => f.write_str("for HTTP/1.0"),
            Self::Above(size, number) => write!(f, "with {size} {number}"),
        }
    }
}
