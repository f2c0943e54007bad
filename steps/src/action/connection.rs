//! What a person does below a request: raw bytes, a WebSocket, cookies.

use serde::{Deserialize, Serialize};

use super::{Person, Route};

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

/// How a person's cookies become others. Cookies of cells stay as they are, but for a session that
/// is forged or copied.
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
    /// The person gets a copy of all cookies of another.
    Copy {
        /// The other.
        from: Person,
    },
    /// The session, which is a JWT, is forged.
    ForgeSession {
        /// What makes it another one: `alg none`.
        with: String,
    },
}
