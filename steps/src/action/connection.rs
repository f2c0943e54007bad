//! What a person does below a request: raw bytes, a WebSocket, cookies.

use serde::{Deserialize, Serialize};

use super::request::gate;
use super::{ActionError, Person, Route};
use crate::people::wire_bytes;
use crate::stage::Stage;

/// What a person does with a WebSocket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SocketAction {
    /// Opens one.
    Open {
        /// The request target.
        target: String,
        /// Where the request goes.
        #[serde(default)]
        route: Route,
    },
    /// Sends a message on the open one, and waits for the message in return.
    Say {
        /// The message.
        text: String,
    },
    /// Closes the open one.
    Close,
}

impl SocketAction {
    pub(super) async fn run(
        &self,
        person: &Person,
        stage: &mut Stage,
        step: usize,
    ) -> Result<(), ActionError> {
        match self {
            Self::Open { target, route } => {
                let gate = gate(route, stage)?;
                stage
                    .open_socket(&person.0, gate, step, target)
                    .await
                    .map_err(ActionError::Invalid)?;
            }
            Self::Say { text } => stage.people_mut().say(&person.0, text).await,
            Self::Close => stage.people_mut().hang_up(&person.0).await,
        }
        Ok(())
    }
}

/// How a person's cookies become others. Cookies of cells stay as they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CookieChange {
    /// The router's cookies get another value.
    Forge {
        /// The value.
        value: String,
    },
    /// The person gets the router's cookies of another.
    TakeOver {
        /// The other.
        from: Person,
    },
}

impl CookieChange {
    pub(super) fn run(&self, person: &Person, stage: &mut Stage) {
        let of_cells = stage.cookies_of_cells();
        let people = stage.people_mut();
        match self {
            Self::Forge { value } => people.forge_cookies(&person.0, &of_cells, value),
            Self::TakeOver { from } => people.take_over_cookies(&person.0, &from.0, &of_cells),
        }
    }
}

/// Lets a person send raw bytes through the default router.
pub(super) async fn send_bytes(
    person: &Person,
    text: &str,
    half_close: bool,
    stage: &mut Stage,
    step: usize,
) -> Result<(), ActionError> {
    let bytes = wire_bytes(text).map_err(ActionError::invalid)?;
    stage.send_bytes(&person.0, step, &bytes, half_close).await.map_err(ActionError::Invalid)
}
