//! The requests of users as the JSON has them.

use serde::{Deserialize, Serialize};

use super::super::tables::{Filled, Filling};
use super::super::{Plain, StampData, UserData, UserResponseData};
use super::response::{head_from, head_of, response_from, response_of};

/// A request of a user.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "UserData"))]
pub(in super::super) struct WrittenUser {
    /// The mark that it carried.
    id: String,
    /// Who sent it.
    person: String,
    /// To whom: `router_eu`, or a cell's id.
    to: String,
    /// The When step, counted from 0; nothing for a visit before the exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    step: Option<usize>,
    /// The method.
    method: String,
    /// The request target.
    target: Plain,
    /// The fields that the suite set: an index in the table `heads`.
    head: usize,
    /// Its body: the beginning of a name in `bodies` that no other name has; absent if it is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// When it left.
    sent: StampData,
    /// When the last part of its body left, where it was sent in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_part: Option<StampData>,
    /// All bytes of its connection, where a text was sent as it stands; on the first request of the
    /// connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    raw: Option<Plain>,
    /// When the first bytes of the response's body had come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_bytes: Option<StampData>,
    /// How long it took until the response's end, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    elapsed_ms: Option<u64>,
    /// Body bytes that were taken from the user while the cell read nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<u64>,
    /// Body bytes that the cells had sent while the user read nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seen_flow: Option<u64>,
    /// WebSocket messages that the user got, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    heard: Vec<String>,
    /// Interim responses (1xx) that came before the response, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    interim: Vec<u16>,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<WrittenUserResponse>,
}

/// How a user's request ended: with a response or with an error.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "UserResponseData"))]
struct WrittenUserResponse {
    /// When.
    at: StampData,
    /// The response: an index in the table `responses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<usize>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl WrittenUser {
    pub(super) fn of(user: &UserData, tables: &mut Filling) -> Self {
        let user = user.clone();
        Self {
            head: head_of(&user.fields, Some(&user.id), tables),
            body: tables.body(&user.body),
            response: user.response.map(|UserResponseData { at, response, error }| {
                let response = response.map(|response| response_of(&response, tables));
                WrittenUserResponse { at, response, error }
            }),
            id: user.id,
            person: user.person,
            to: user.to,
            step: user.step,
            method: user.method,
            target: user.target,
            sent: user.sent,
            last_part: user.last_part,
            raw: user.raw,
            first_bytes: user.first_bytes,
            elapsed_ms: user.elapsed_ms,
            taken: user.taken,
            seen_flow: user.seen_flow,
            heard: user.heard,
            interim: user.interim,
        }
    }

    pub(super) fn read(self, tables: &Filled) -> Result<UserData, String> {
        let response = self.response.map(|WrittenUserResponse { at, response, error }| {
            let response = response.map(|place| response_from(place, tables)).transpose()?;
            Ok::<_, String>(UserResponseData { at, response, error })
        });
        Ok(UserData {
            fields: head_from(self.head, Some(&self.id), tables)?,
            body: tables.body(self.body.as_deref())?,
            response: response.transpose()?,
            id: self.id,
            person: self.person,
            to: self.to,
            step: self.step,
            method: self.method,
            target: self.target,
            sent: self.sent,
            last_part: self.last_part,
            raw: self.raw,
            first_bytes: self.first_bytes,
            elapsed_ms: self.elapsed_ms,
            taken: self.taken,
            seen_flow: self.seen_flow,
            heard: self.heard,
            interim: self.interim,
        })
    }
}
