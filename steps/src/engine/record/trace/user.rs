//! The requests of users as the JSON has them.

use serde::{Deserialize, Serialize};

use super::super::Plain;
use super::super::stamp::{StampData, cell};
use super::super::tables::{Filled, Filling};
use super::messages::{body_name, head_of, response_from, response_of};
use crate::trace::{ConformanceId, Gate, Phase, UserRequest, UserResponse};

/// A request of a user.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct UserData {
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
    /// Whether the suite gave up waiting for a response.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hung: bool,
    /// What came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<UserResponseData>,
}

/// How a user's request ended: with a response or with an error.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UserResponseData {
    /// When.
    at: StampData,
    /// The response: an index in the table `responses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<usize>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl UserData {
    pub(super) fn of(user: &UserRequest, tables: &mut Filling<'_>) -> Self {
        Self {
            head: head_of(&user.fields, Some(&user.id.0), tables),
            body: tables.body_reference(&body_name(&user.body)),
            response: user.response.as_ref().map(|UserResponse { at, got }| UserResponseData {
                at: (*at).into(),
                response: got
                    .as_ref()
                    .ok()
                    .map(|got| response_of(got.status, &got.fields, &got.body, tables)),
                error: got.as_ref().err().cloned(),
            }),
            id: user.id.0.clone(),
            person: user.person.clone(),
            to: user.gate.to_string(),
            step: user.phase.step(),
            method: user.method.clone(),
            target: Plain::of(user.target.as_bytes()),
            sent: user.sent.into(),
            last_part: user.last_part.map(Into::into),
            raw: user.raw.as_ref().map(|raw| Plain::of(raw.as_bytes())),
            first_bytes: user.first_bytes.map(Into::into),
            elapsed_ms: user.elapsed_ms,
            taken: user.taken,
            seen_flow: user.seen_flow,
            heard: user.heard.clone(),
            interim: user.interim.clone(),
            hung: user.hung,
        }
    }

    pub(super) fn read(self, tables: &Filled) -> Result<UserRequest, String> {
        let response = self.response.map(|UserResponseData { at, response, error }| {
            let got = match response {
                Some(place) => Ok(response_from(place, tables)?),
                None => Err(error.unwrap_or_default()),
            };
            Ok::<_, String>(UserResponse { at: at.into(), got })
        });
        Ok(UserRequest {
            fields: tables.head(self.head, Some(&self.id))?,
            body: tables.body(self.body.as_deref())?,
            response: response.transpose()?,
            id: ConformanceId(self.id),
            person: self.person,
            gate: match self.to.strip_prefix("router_") {
                Some(region) => Gate::Router(region.parse().map_err(|error| format!("{error}"))?),
                None => Gate::Cell(cell(&self.to)?),
            },
            phase: self.step.map_or(Phase::Setup, Phase::Step),
            method: self.method,
            target: self.target.into_text(),
            sent: self.sent.into(),
            last_part: self.last_part.map(Into::into),
            raw: self.raw.map(Plain::into_text),
            first_bytes: self.first_bytes.map(Into::into),
            elapsed_ms: self.elapsed_ms,
            taken: self.taken,
            seen_flow: self.seen_flow,
            heard: self.heard,
            interim: self.interim,
            hung: self.hung,
        })
    }
}
