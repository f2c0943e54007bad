//! The requests that cells read as the JSON has them.

use serde::{Deserialize, Serialize};

use super::super::tables::{Filled, Filling};
use super::super::{HopData, OriginData, Plain, PreFlightData, StampData, UserData};
use super::response::{head_from, head_of, response_from, response_of};
use crate::trace::PreFlight;

/// A request that a cell read.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "HopData"))]
pub(in super::super) struct WrittenHop {
    /// The cell as the documents name it.
    cell: String,
    /// The cell as the topology names it; absent if that is the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// Why it came.
    origin: WrittenOrigin,
    /// When its head had been read.
    at: StampData,
    /// The connection on which it came.
    connection: u64,
    /// The request line, byte for byte; absent where it is the method and the target of the user's
    /// request, with `HTTP/1.1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request_line: Option<Plain>,
    /// The field lines as received: an index in the table `heads`.
    head: usize,
    /// When the first bytes of its body arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    begun: Option<StampData>,
    /// When it had been read to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read: Option<StampData>,
    /// Its body, as the beginning of a name in `bodies`; absent if it is empty, or was not read to
    /// its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The time before the first byte of the cell's response left, and the response, as an index in
    /// the table `responses`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    response: Option<(StampData, usize)>,
    /// When the cell let the second part of its response go, where it sent it in two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<StampData>,
    /// How much of the response's body the cell handed to its system, in bytes, and whether that
    /// was the whole response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<(u64, bool)>,
}

/// Why a request came to a cell.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "OriginData"))]
#[serde(rename_all = "kebab-case")]
enum WrittenOrigin {
    /// A user's request: the place in `users`.
    User(usize),
    /// A pre-flight about a user's request: the place in `users`. Its request line says what it
    /// asked.
    PreFlight(usize),
    /// Neither.
    Unsolicited,
}

impl WrittenHop {
    pub(super) fn of(hop: &HopData, users: &[UserData], tables: &mut Filling) -> Self {
        let hop = hop.clone();
        let user = match &hop.origin {
            OriginData::User(user) => users.get(*user),
            OriginData::PreFlight(..) | OriginData::Unsolicited => None,
        };
        Self {
            head: head_of(&hop.fields, user.map(|user| user.id.as_str()), tables),
            node: (hop.node != hop.cell).then_some(hop.node),
            cell: hop.cell,
            request_line: user
                .is_none_or(|user| unchanged_line(user) != hop.request_line)
                .then_some(hop.request_line),
            origin: match hop.origin {
                OriginData::User(user) => WrittenOrigin::User(user),
                OriginData::PreFlight(user, _) => WrittenOrigin::PreFlight(user),
                OriginData::Unsolicited => WrittenOrigin::Unsolicited,
            },
            at: hop.at,
            connection: hop.connection,
            begun: hop.begun,
            read: hop.read.as_ref().map(|(at, _)| *at),
            body: hop.read.and_then(|(_, body)| tables.body(&body)),
            response: hop.response.map(|(at, response)| (at, response_of(&response, tables))),
            rest: hop.rest,
            ended: hop.ended,
        }
    }

    pub(super) fn read(self, users: &[UserData], tables: &Filled) -> Result<HopData, String> {
        let user = match self.origin {
            WrittenOrigin::User(user) => users.get(user),
            WrittenOrigin::PreFlight(_) | WrittenOrigin::Unsolicited => None,
        };
        let request_line = match (self.request_line, user) {
            (Some(line), _) => line,
            (None, Some(user)) => unchanged_line(user),
            (None, None) => return Err("a hop has no request line, and no user".to_owned()),
        };
        let response = self
            .response
            .map(|(at, response)| Ok::<_, String>((at, response_from(response, tables)?)));
        Ok(HopData {
            fields: head_from(self.head, user.map(|user| user.id.as_str()), tables)?,
            node: self.node.unwrap_or_else(|| self.cell.clone()),
            cell: self.cell,
            origin: match self.origin {
                WrittenOrigin::User(user) => OriginData::User(user),
                WrittenOrigin::PreFlight(user) => {
                    let asked = asked(&request_line).ok_or("a pre-flight asks nothing")?;
                    OriginData::PreFlight(user, asked)
                }
                WrittenOrigin::Unsolicited => OriginData::Unsolicited,
            },
            request_line,
            at: self.at,
            connection: self.connection,
            begun: self.begun,
            read: match self.read {
                Some(at) => Some((at, tables.body(self.body.as_deref())?)),
                None => None,
            },
            response: response.transpose()?,
            rest: self.rest,
            ended: self.ended,
        })
    }
}

/// The request line that a router sends if it changes nothing of a user's.
fn unchanged_line(user: &UserData) -> Plain {
    let target = user.target.bytes();
    Plain::of(&[user.method.as_bytes(), b" ", &target, b" HTTP/1.1"].concat())
}

/// What a pre-flight with this request line asks.
fn asked(request_line: &Plain) -> Option<PreFlightData> {
    let line = request_line.bytes();
    let target = line.split(|byte| *byte == b' ').nth(1)?;
    let PreFlight { path, method, path_info, others } = PreFlight::of_target(target)?;
    Some(PreFlightData { path, method, path_info: path_info.as_deref().map(Plain::of), others })
}
