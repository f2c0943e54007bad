//! What went wrong in the fleet itself: never a router's doing, and never to be lost.

use std::fmt;
use std::sync::Mutex;

use crate::CellId;
use crate::journal::StoreFailure;

/// One defect of a cell that came to light while it served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellFault {
    /// The application panicked while it responded a request.
    Panicked {
        /// The cell, as the topology names it.
        cell: CellId,
        /// Method and target of the request.
        request: String,
        /// The panic's message.
        message: String,
    },
    /// The application could not produce the body of its response.
    BodyFailed {
        /// The cell, as the topology names it.
        cell: CellId,
        /// Method and target of the request.
        request: String,
        /// The error.
        message: String,
    },
    /// The server read a request that the journal did not see coming.
    Unrecorded {
        /// The cell, as the topology names it.
        cell: CellId,
        /// Method and target of the request.
        request: String,
    },
    /// The cell could not accept a connection, or a task of its server panicked.
    Server {
        /// The cell, as the topology names it.
        cell: CellId,
        /// The error, or the panic's message.
        message: String,
    },
    /// A database behind the cells failed.
    Store(StoreFailure),
}

impl fmt::Display for CellFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked { cell, request, message } => {
                write!(f, "{cell} panicked while it responded `{request}`: {message}")
            }
            Self::BodyFailed { cell, request, message } => {
                write!(f, "{cell} could not finish its response to `{request}`: {message}")
            }
            Self::Unrecorded { cell, request } => {
                write!(f, "{cell} read `{request}`, which its journal did not see")
            }
            Self::Server { cell, message } => write!(f, "the server of {cell} failed: {message}"),
            Self::Store(failure) => failure.fmt(f),
        }
    }
}

/// All faults of one fleet so far.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Vec<CellFault>>);

impl Faults {
    pub(crate) fn record(&self, fault: CellFault) {
        tracing::error!(%fault, "the fleet is broken");
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(fault);
    }

    pub(crate) fn so_far(&self) -> Vec<CellFault> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// The message of a panic, where it has one.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
