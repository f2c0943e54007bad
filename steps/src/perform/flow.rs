//! Sends or receives a body at a given pace.

use super::ActionError;
use crate::action::{Flow, Person, random};
use crate::literal::Request;
use crate::people::{Framed, Upload};
use crate::stage::Stage;

impl Flow {
    /// Lets the body flow, and waits for the end of the response.
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let person = &person.0;
        let to = |method: &str, target: &str| Request {
            method: method.to_owned(),
            ..Request::get(target)
        };
        let sent = match self {
            Self::Chunked { method, target, length } => {
                let body = Upload::Bytes(random(*length));
                stage.upload(person, to(method, target), body, Framed::Chunks).await
            }
            Self::AfterContinue { method, target, length } => {
                let body = Upload::Bytes(random(*length));
                stage.upload(person, to(method, target), body, Framed::WhenAsked).await
            }
            Self::Generated { method, target, length } => {
                let body = Upload::Made(*length);
                stage.upload(person, to(method, target), body, Framed::Length).await
            }
            Self::Halves { target, length } => {
                let request = Request { body: random(*length), ..to("PUT", target) };
                stage.send_in_halves(person, request).await
            }
            Self::UploadUntilStalled { target, length } => {
                stage.upload_without_reading(person, *length, target).await
            }
            Self::ReadAfterStall { target } => stage.visit_without_reading(person, target).await,
        };
        sent.map_err(ActionError::Invalid)
    }
}
