//! Errors of the cells themselves. A router never causes them, and none is lost.

use crate::CellId;
use crate::journal::StoreFailure;
use crate::lock::Lock;

/// An error of a cell, noticed while it served.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CellError {
    /// The application panicked while it handled a request.
    #[error("{cell} panicked while it handled `{request}`: {message}")]
    Panicked {
        /// The cell, as the topology names it.
        cell: CellId,
        /// Method and target of the request.
        request: String,
        /// The panic's message.
        message: String,
    },
    /// The application could not produce the body of its response.
    #[error("{cell} could not finish its response to `{request}`: {message}")]
    BodyFailed {
        /// The cell, as the topology names it.
        cell: CellId,
        /// Method and target of the request.
        request: String,
        message: String,
    },
    /// The cell could not accept a connection, or a task of its server panicked.
    #[error("the server of {cell} failed: {message}")]
    Server {
        /// The cell, as the topology names it.
        cell: CellId,
        /// The error, or the panic's message.
        message: String,
    },
    /// A database behind the cells failed.
    #[error("{0}")]
    Store(StoreFailure),
}

/// All errors of one fleet so far.
#[derive(Debug, Default)]
pub(crate) struct CellErrors(Lock<Vec<CellError>>);

impl CellErrors {
    pub(crate) fn record(&self, error: CellError) {
        tracing::error!(%error, "the fleet itself failed");
        self.0.lock().push(error);
    }

    pub(crate) fn so_far(&self) -> Vec<CellError> {
        self.0.lock().clone()
    }
}

pub(crate) fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}
