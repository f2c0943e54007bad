//! Errors of the cells themselves. A router never causes them, and none is lost.

use std::fmt;
use std::sync::Mutex;

use crate::CellId;
use crate::journal::StoreFailure;

/// An error of a cell, noticed while it served.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellError {
    /// The application panicked while it handled a request.
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
    /// The server read a request that the journal did not see.
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

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked { cell, request, message } => {
                write!(f, "{cell} panicked while it handled `{request}`: {message}")
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

/// All errors of one fleet so far.
#[derive(Debug, Default)]
pub(crate) struct CellErrors(Mutex<Vec<CellError>>);

impl CellErrors {
    pub(crate) fn record(&self, error: CellError) {
        tracing::error!(%error, "the fleet itself failed");
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(error);
    }

    pub(crate) fn so_far(&self) -> Vec<CellError> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// The message of a panic.
pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
