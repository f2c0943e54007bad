//! A person sends or receives a body at a given pace.

use cucumber::Parameter;
use serde::{Deserialize, Serialize};

/// How a body flows. Lengths are in bytes; bodies are random, the same for the same length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Flow {
    /// A body in chunked coding.
    Chunked {
        /// The method.
        method: String,
        /// The request target.
        target: String,
        /// Length of the body.
        length: u64,
    },
    /// A body that is sent when the router asks for it (`Expect: 100-continue`), or after a while.
    AfterContinue {
        /// The method.
        method: String,
        /// The request target.
        target: String,
        /// Length of the body.
        length: u64,
    },
    /// An upload in two halves, the second when a cell has begun to read the first.
    Halves {
        /// The request target.
        target: String,
        /// Length of the body.
        length: u64,
    },
    /// An upload until the transfer stalls; then cells that hold the body begin to read.
    UploadUntilStalled {
        /// The request target.
        target: String,
        /// Length of the body.
        length: u64,
    },
    /// A visit whose response is not read until the transfer stalls.
    ReadAfterStall {
        /// The request target.
        target: String,
    },
}

/// How a random body is sent: at once with its length, where a step says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter, strum::EnumString, strum::Display)]
#[param(name = "framing", regex = "(?: in chunks| after 100 Continue)?")]
pub(crate) enum Framing {
    #[strum(serialize = "")]
    Plain,
    #[strum(serialize = " in chunks")]
    InChunks,
    #[strum(serialize = " after 100 Continue")]
    AfterContinue,
}
