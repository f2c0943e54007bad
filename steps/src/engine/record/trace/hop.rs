//! The requests that cells read as the JSON has them.

use cell_fleet::{ConnectionId, HopId, RequestSeen, ResponseSeen, Text};
use serde::{Deserialize, Serialize};

use super::super::Plain;
use super::super::room::take;
use super::super::stamp::{StampData, cell};
use super::super::tables::{Filled, Filling};
use super::messages::{body_name, head_of, response_from, response_of};
use crate::trace::{Hop, Origin, PreFlight, UserRequest};

/// A request that a cell read.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct HopData {
    /// The cell as the documents name it.
    cell: String,
    /// The cell as the topology names it; absent if that is the same name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    /// Why it came.
    origin: OriginData,
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
#[serde(rename_all = "kebab-case")]
enum OriginData {
    /// A user's request: the place in `users`.
    User(usize),
    /// A pre-flight about a user's request: the place in `users`. Its request line says what it
    /// asked.
    PreFlight(usize),
    /// Neither.
    Unsolicited,
}

impl HopData {
    pub(super) fn of(hop: &Hop, users: &[UserRequest], tables: &mut Filling<'_>) -> Self {
        let user = match &hop.origin {
            Origin::User(user) => users.get(*user),
            Origin::PreFlight(..) | Origin::Unsolicited => None,
        };
        let line = hop.request.request_line.as_bytes();
        Self {
            head: head_of(&hop.request.fields, user.map(|user| user.id.0.as_str()), tables),
            node: (hop.node != hop.cell).then(|| hop.node.id()),
            cell: hop.cell.id(),
            request_line: user
                .is_none_or(|user| unchanged_line(user) != line)
                .then(|| Plain::of(line)),
            origin: match hop.origin {
                Origin::User(user) => OriginData::User(user),
                Origin::PreFlight(user, _) => OriginData::PreFlight(user),
                Origin::Unsolicited => OriginData::Unsolicited,
            },
            at: hop.at.into(),
            connection: hop.request.connection.0,
            begun: hop.begun.map(Into::into),
            read: hop.read.as_ref().map(|(at, _)| (*at).into()),
            body: hop.read.as_ref().and_then(|(_, body)| tables.body_reference(&body_name(body))),
            response: hop.response.as_ref().map(|(at, seen)| {
                ((*at).into(), response_of(seen.status, &seen.fields, &seen.body, tables))
            }),
            rest: hop.rest.map(Into::into),
            ended: hop.ended,
        }
    }

    /// The hop with this id in the journal.
    pub(super) fn read(
        self,
        id: HopId,
        users: &[UserRequest],
        tables: &Filled,
    ) -> Result<Hop, String> {
        let known = |place: usize| {
            users
                .get(place)
                .ok_or_else(|| format!("a hop belongs to user request {place}, of {}", users.len()))
        };
        let user = match self.origin {
            OriginData::User(place) => Some(known(place)?),
            OriginData::PreFlight(place) => known(place).map(|_| None)?,
            OriginData::Unsolicited => None,
        };
        let line = match (self.request_line, user) {
            (Some(line), _) => line.into_text().0,
            (None, Some(user)) => {
                take(user.method.len() + user.target.as_bytes().len())?;
                unchanged_line(user).into()
            }
            (None, None) => return Err("a hop has no request line, and no user".to_owned()),
        };
        let (method, target) = method_and_target(&line)?;
        let role = cell(&self.cell)?;
        let node = self.node.map_or_else(|| Ok(role.clone()), |node| cell(&node))?;
        let response = self.response.map(|(at, place)| {
            let got = response_from(place, tables)?;
            let (status, fields, body) = (got.status, got.fields, got.body);
            let seen = ResponseSeen { hop: id, cell: node.clone(), status, fields, body };
            Ok::<_, String>((at.into(), seen))
        });
        let read =
            self.read.map(|at| Ok::<_, String>((at.into(), tables.body(self.body.as_deref())?)));
        Ok(Hop {
            id,
            cell: role,
            origin: match self.origin {
                OriginData::User(place) => Origin::User(place),
                OriginData::PreFlight(place) => {
                    let asked = PreFlight::of_target(target).ok_or("a pre-flight asks nothing")?;
                    Origin::PreFlight(place, asked)
                }
                OriginData::Unsolicited => Origin::Unsolicited,
            },
            at: self.at.into(),
            begun: self.begun.map(Into::into),
            read: read.transpose()?,
            response: response.transpose()?,
            rest: self.rest.map(Into::into),
            ended: self.ended,
            request: RequestSeen {
                hop: id,
                cell: node.clone(),
                connection: ConnectionId(self.connection),
                method: Text(line.slice_ref(method)),
                target: Text(line.slice_ref(target)),
                fields: tables.head(self.head, user.map(|user| user.id.0.as_str()))?,
                request_line: Text(line.clone()),
            },
            node,
        })
    }
}

/// The request line that a router sends if it changes nothing of a user's.
fn unchanged_line(user: &UserRequest) -> Vec<u8> {
    [user.method.as_bytes(), b" ", user.target.as_bytes(), b" HTTP/1.1"].concat()
}

/// As received: whatever stands between the first and the last blank is the target.
fn method_and_target(line: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let is_blank = |byte: &u8| *byte == b' ';
    let first = line.iter().position(is_blank).ok_or("a request line without a blank")?;
    let last = line.iter().rposition(is_blank).filter(|last| *last > first);
    Ok((&line[..first], &line[first + 1..last.unwrap_or(line.len())]))
}
