//! What the user gets: a cell's response, or the router's own. Errors become responses here and
//! nowhere else.

mod refusal;

use std::fmt;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response};

use crate::logging::access::Access;
use crate::metrics;
use crate::shed::{Held, Ticket};
use crate::upstream::{CellBody, Link, LinkError};
use crate::wire;
pub(crate) use refusal::Refusal;

/// The body of what the user gets.
#[derive(Debug)]
pub(crate) enum UserBody {
    /// A cell's, streamed. The request is under way until this is dropped.
    Cell { body: CellBody, ticket: Ticket, access: Option<Box<Access>> },
    /// The router's own.
    Own(Bytes),
}

/// The router's own response. Each refusal is counted, logged and noted here, and nowhere else;
/// `why` is what the log says.
pub(crate) fn refuse(
    refusal: Refusal,
    why: &dyn fmt::Display,
    access: Option<&mut Access>,
    id: Option<HeaderValue>,
) -> Response<UserBody> {
    tracing::info!(%why, status = refusal.status().as_u16(), "refused");
    metrics::refused(refusal.into());
    let text = format!("{refusal}\n");
    if let Some(access) = access {
        access.refused(refusal.status(), refusal.into(), text.len() as u64);
    }
    let mut response = Response::new(UserBody::Own(text.into()));
    *response.status_mut() = refusal.status();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // RFC 9110 15.5.6 and 9.3.7.
    if matches!(refusal, Refusal::LastHop | Refusal::NoTrace) {
        headers.insert(ALLOW, HeaderValue::from_static("OPTIONS"));
    }
    // RFC 9110 15.5.14: a 413 that is temporary says so.
    let temporary = [Refusal::Overloaded, Refusal::NoRoom, Refusal::CellFull, Refusal::BodyGone];
    if temporary.contains(&refusal) {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    // Users can say which request it was.
    if let Some(id) = id {
        headers.insert(wire::REQUEST_ID_HEADER, id);
    }
    response
}

impl UserBody {
    /// A cell's.
    pub(crate) fn of_cell(body: CellBody, ticket: Ticket, mut access: Option<Box<Access>>) -> Self {
        if let Some(access) = access.as_mut().filter(|_| body.is_over()) {
            access.ends();
        }
        Self::Cell { body, ticket, access }
    }

    /// What it holds until it is written.
    pub(crate) fn held(&self) -> Option<Held> {
        match self {
            Self::Cell { ticket, .. } => ticket.held(),
            Self::Own(_) => None,
        }
    }

    /// Whether it is the router's own.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self, Self::Own(_))
    }

    /// Whether all of it is here.
    pub(crate) fn is_here(&self) -> bool {
        self.is_own() || self.is_over()
    }

    /// Whether all of it was taken.
    pub(crate) fn is_over(&self) -> bool {
        self.left() == Some(0)
    }

    /// How many bytes are left, where that is known.
    pub(crate) fn left(&self) -> Option<u64> {
        match self {
            Self::Cell { body, .. } => body.left(),
            Self::Own(bytes) => Some(bytes.len() as u64),
        }
    }

    /// The next bytes; none at the end.
    pub(crate) fn poll_data(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, LinkError>>> {
        match self {
            Self::Cell { body, access, .. } => {
                let polled = body.poll_data(cx);
                if let (Some(access), Poll::Ready(outcome)) = (access, &polled) {
                    let data = outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
                    access.sent(data.map_or(0, Bytes::len));
                    if outcome.is_none() || body.is_over() {
                        access.ends();
                    }
                }
                polled
            }
            Self::Own(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Own(bytes) => Poll::Ready(Some(Ok(std::mem::take(bytes)))),
        }
    }

    /// The connection to the cell, on which another protocol is spoken from here on.
    pub(crate) fn into_link(self) -> Option<Box<Link>> {
        match self {
            Self::Cell { body, .. } => body.into_link(),
            Self::Own(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_no_cell_and_are_not_stored() {
        let response = refuse(Refusal::UnknownCell, &"", None, None);
        assert_eq!(response.status(), 502);
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        assert!(!Refusal::UnknownCell.to_string().to_lowercase().contains("cell"));
    }
}
