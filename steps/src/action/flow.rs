//! A person sends or receives a body at a pace of its own.

use serde::{Deserialize, Serialize};

use super::request::random;
use super::{ActionError, Person};
use crate::people::{Framed, Request, Upload};
use crate::stage::Stage;

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
    /// A body that is made while it is sent: it may be larger than memory.
    Generated {
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

impl Flow {
    /// Lets the body flow, and waits for the end of the response.
    pub(super) async fn run(
        &self,
        person: &Person,
        stage: &mut Stage,
        step: usize,
    ) -> Result<(), ActionError> {
        let person = &person.0;
        let to = |method: &str, target: &str| Request {
            method: method.to_owned(),
            ..Request::get(target)
        };
        let sent = match self {
            Self::Chunked { method, target, length } => {
                let body = Upload::Bytes(random(*length));
                stage.upload(person, step, to(method, target), body, Framed::Chunks).await
            }
            Self::AfterContinue { method, target, length } => {
                let body = Upload::Bytes(random(*length));
                let framed = Framed::WhenAsked(stage.waits().asked);
                stage.upload(person, step, to(method, target), body, framed).await
            }
            Self::Generated { method, target, length } => {
                let body = Upload::Made(*length);
                stage.upload(person, step, to(method, target), body, Framed::Length).await
            }
            Self::Halves { target, length } => match stage.gate(None) {
                Ok(gate) => {
                    let request = Request { body: random(*length), ..to("PUT", target) };
                    stage.send_in_halves(person, gate, step, request).await
                }
                Err(why) => Err(why),
            },
            Self::UploadUntilStalled { target, length } => {
                stage.upload_without_reading(person, step, *length, target).await
            }
            Self::ReadAfterStall { target } => {
                stage.visit_without_reading(person, step, target).await
            }
        };
        sent.map_err(ActionError::Invalid)
    }
}
