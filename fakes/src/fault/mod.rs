//! Faults: what goes wrong at the cells of a fleet, and what is correct but unusual.
//!
//! Each fault has its own type and file, whose documentation says what a router meets. A plan
//! lists the faults ([`FleetPlan::faults`](crate::FleetPlan::faults)); no header of a request
//! triggers one.
//!
//! There are two kinds. A fault of *connections* names a cell as the topology does, since a router
//! meets it before the cell knows the request. A fault of *responses* applies to the requests for
//! one path, at a cell as the documents name it (its role), like a [`Script`](crate::Script).
//!
//! A fault is part of the plan. An error of the fleet itself is a [`CellError`](crate::CellError).

mod answers_no_connection;
mod body_in_pieces;
mod body_unread;
mod breaks_off_in_body;
mod breaks_off_in_head;
mod closes_after_one_response;
mod closes_before_reading;
mod closes_when_used_again;
mod early_hints;
mod effect;
mod ending;
mod hangs_up;
mod head_in_pieces;
mod late;
mod long_field;
mod many_bytes;
mod never_responds;
mod own_address;
mod padded;
mod raw_bytes;
mod reads_nothing;
mod redirects_to_itself;
mod redirects_to_received_host;
mod refuses;
mod stray_bytes;
mod two_events;

pub use answers_no_connection::AnswersNoConnection;
pub use body_in_pieces::BodyInPieces;
pub use body_unread::BodyUnread;
pub use breaks_off_in_body::BreaksOffInBody;
pub use breaks_off_in_head::BreaksOffInHead;
pub use closes_after_one_response::ClosesAfterOneResponse;
pub use closes_before_reading::ClosesBeforeReading;
pub use closes_when_used_again::ClosesWhenUsedAgain;
pub use early_hints::EarlyHints;
pub(crate) use effect::{Delivery, Effect, FaultContext, Replacement, ResponsePart};
pub use ending::Ending;
pub use hangs_up::HangsUp;
pub use head_in_pieces::HeadInPieces;
pub use late::Late;
pub use long_field::LongField;
pub use many_bytes::ManyBytes;
pub use never_responds::NeverResponds;
pub use own_address::OwnAddress;
pub use padded::Padded;
pub use raw_bytes::RawBytes;
pub use reads_nothing::ReadsNothing;
pub use redirects_to_itself::RedirectsToItself;
pub use redirects_to_received_host::RedirectsToReceivedHost;
pub use refuses::Refuses;
pub use stray_bytes::StrayBytes;
pub use two_events::TwoEvents;

use crate::CellId;

/// One fault of one cell, or of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Connections {
        /// The cell, as the topology names it; `None` is every cell.
        cell: Option<CellId>,
        /// What is wrong.
        fault: ConnectionFault,
    },
    /// A fault of the responses to some requests.
    Responses {
        /// The cell, as the documents name it (its role); `None` is every cell.
        cell: Option<CellId>,
        /// The requests.
        at: At,
        /// The number of responses that it changes, over all its cells; `None` is all responses. A
        /// response that the fault cannot change (it cuts a body, and there is none) is not
        /// counted.
        times: Option<u32>,
        /// What is wrong.
        fault: ResponseFault,
    },
}

impl Fault {
    pub fn of_connections(cell: Option<CellId>, fault: impl Into<ConnectionFault>) -> Self {
        Self::Connections { cell, fault: fault.into() }
    }

    pub fn of_responses(
        cell: Option<CellId>,
        at: At,
        times: Option<u32>,
        fault: impl Into<ResponseFault>,
    ) -> Self {
        Self::Responses { cell, at, times, fault: fault.into() }
    }

    /// Its cell; `None` for a fault of all cells.
    pub fn cell(&self) -> Option<&CellId> {
        match self {
            Self::Connections { cell, .. } | Self::Responses { cell, .. } => cell.as_ref(),
        }
    }
}

/// The requests that a fault of responses applies to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Requests for this path, without the query, compared byte for byte.
    Path(String),
    /// Pre-flights about this path, compared with the decoded `path_info` (LN-03). The buffering
    /// protocol has none.
    PreFlight(String),
}

/// Declares an enum with a variant for each fault, named like the fault.
macro_rules! faults {
    ($(#[$doc:meta])* $name:ident: $($fault:ident)*) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum $name {
            $(
                #[doc = concat!("[`", stringify!($fault), "`].")]
                $fault($fault),
            )*
        }

        $(
            impl From<$fault> for $name {
                fn from(fault: $fault) -> Self {
                    Self::$fault(fault)
                }
            }
        )*
    };
}

faults! {
    /// What can be wrong with the connections of a cell.
    ConnectionFault:
    Refuses AnswersNoConnection ReadsNothing ClosesAfterOneResponse ClosesWhenUsedAgain ClosesBeforeReading
}

faults! {
    /// What can be wrong, or unusual, with a response.
    ResponseFault:
    NeverResponds HangsUp BreaksOffInHead BreaksOffInBody HeadInPieces BodyInPieces RawBytes
    LongField Late ManyBytes TwoEvents BodyUnread EarlyHints RedirectsToItself
    RedirectsToReceivedHost Padded OwnAddress StrayBytes
}

impl ResponseFault {
    /// The effect on a request and its response.
    pub(crate) fn effect(&self) -> Effect<'_> {
        match self {
            Self::NeverResponds(fault) => fault.effect(),
            Self::HangsUp(fault) => fault.effect(),
            Self::BreaksOffInHead(fault) => fault.effect(),
            Self::BreaksOffInBody(fault) => fault.effect(),
            Self::HeadInPieces(fault) => fault.effect(),
            Self::BodyInPieces(fault) => fault.effect(),
            Self::RawBytes(fault) => fault.effect(),
            Self::LongField(fault) => fault.effect(),
            Self::Late(fault) => fault.effect(),
            Self::ManyBytes(fault) => fault.effect(),
            Self::TwoEvents(fault) => fault.effect(),
            Self::BodyUnread(fault) => fault.effect(),
            Self::EarlyHints(fault) => fault.effect(),
            Self::RedirectsToItself(fault) => fault.effect(),
            Self::RedirectsToReceivedHost(fault) => fault.effect(),
            Self::Padded(fault) => fault.effect(),
            Self::OwnAddress(fault) => fault.effect(),
            Self::StrayBytes(fault) => fault.effect(),
        }
    }
}
