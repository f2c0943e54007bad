//! What is known of a request, and of the process, where a condition asks.

use http::Method;

use crate::deviation::{Before, Condition, Count, Size};

/// What is known of the request of a task.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) method: Method,
    pub(crate) old: bool,
    pub(crate) chunked: bool,
    /// The length of the body, if it has one.
    pub(crate) length: Option<u64>,
    pub(crate) depth: usize,
    pub(crate) fields: usize,
    /// It is not the first on its connection.
    pub(crate) kept: bool,
    pub(crate) user: String,
    pub(crate) path: String,
    pub(crate) cell: String,
    /// Whether an entry covered it, once the cache was asked.
    pub(crate) warm: Option<bool>,
    pub(crate) expired: bool,
    pub(crate) bounced: bool,
    pub(crate) cell_kept: bool,
    pub(crate) status: u16,
    /// It has no response yet.
    pub(crate) open: bool,
}

/// What has happened in the process.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) failed: bool,
    pub(crate) left: bool,
    pub(crate) evicted: bool,
}

impl Scene {
    /// Whether a condition holds; `others` says whether other requests are in flight. Times are
    /// counted elsewhere.
    pub(super) fn holds(&self, condition: Condition, marks: &Marks, others: bool) -> bool {
        match condition {
            Condition::Times(..) => true,
            Condition::Cold => self.warm == Some(false),
            Condition::Warm => self.warm == Some(true),
            Condition::Stale => self.warm == Some(true) && self.bounced,
            Condition::Evicted => marks.evicted && self.warm == Some(false),
            Condition::Expired => self.expired,
            Condition::AfterBounce => self.bounced,
            Condition::AfterFailure => marks.failed,
            Condition::AfterLeaving => marks.left,
            Condition::NewUser(new) => self.kept != new,
            Condition::NewCell(new) => self.cell_kept != new,
            Condition::InFlight => others,
            Condition::Method(verb) => self.method.as_str() == verb.words(),
            Condition::Status(status) => self.status == status,
            Condition::Chunked(true) => self.chunked,
            Condition::Chunked(false) => self.length.is_some(),
            Condition::Old => self.old,
            Condition::Above(Size::Length, bytes) => self.length.is_some_and(|l| l > bytes.into()),
            Condition::Above(Size::Depth, depth) => self.depth > depth as usize,
            Condition::Above(Size::Fields, fields) => self.fields > fields as usize,
        }
    }

    /// The key by which the request before is found, on the connection of a task.
    pub(super) fn key(&self, before: Before, connection: &str) -> String {
        let of = match before {
            Before::Connection => connection,
            Before::User => &self.user,
            Before::Path => &self.path,
            Before::Cell => &self.cell,
            Before::Any | Before::SameTime => "",
        };
        of.to_owned()
    }
}

/// Whether a condition about the number of times holds this time.
pub(super) fn counts(condition: Condition, time: u32) -> bool {
    match condition {
        Condition::Times(Count::Nth, number) => time == number,
        Condition::Times(Count::EachNth, number) => time.is_multiple_of(number),
        Condition::Times(Count::FromNth, number) => time >= number,
        _ => true,
    }
}
