//! What most tables use.

pub(crate) use std::time::{Duration, Instant};

pub(crate) use bytes::Bytes;
pub(crate) use http::header::*;
pub(crate) use http::response::Parts as ResponseHead;
pub(crate) use http::{Method, Request, Response, StatusCode, Uri};
pub(crate) use http_body::Body;
pub(crate) use http_body_util::BodyExt as _;
pub(crate) use reference_router::body::Outgoing;
pub(crate) use reference_router::cache::{Entry, Rule};
pub(crate) use reference_router::cells::{CellBody, Cells, SendError};
pub(crate) use reference_router::config::Config;
pub(crate) use reference_router::learning::{Destination, Said};
pub(crate) use reference_router::parts::{self, Purpose, Question, Step, Told, Why};
pub(crate) use reference_router::pick::ColdPick;
pub(crate) use reference_router::refusal::Refusal;
pub(crate) use reference_router::response::{UserBody, whole};
pub(crate) use reference_router::topology::{CellIndex, Protocol};
pub(crate) use reference_router::{buffering, learning, members, preflight, wire};
pub(crate) use serde_json::Value;

pub(crate) use super::tools::*;
pub(crate) use super::wrong::Seam::{self, *};
pub(crate) use super::wrong::{Again, At, Named, Outcome};
