//! What is kept of a request for the operator while it is under way: its ticket, its id, and its line
//! in the access log.

use http::{HeaderMap, HeaderValue, Request, Response};

use crate::config::{CellIndex, Topology};
use crate::headers::{Peer, request_id};
use crate::logging::access::{Access, Lookup};
use crate::metrics::{self, Count};
use crate::respond::{Refusal, UserBody, refuse};
use crate::shed::{Load, Ticket};
use crate::upstream::CellBody;
use crate::user::RequestBody;

/// The bookkeeping of one request. Where the user leaves before there is a response, the line of the
/// access log is written before the request stops to count as under way.
#[derive(Debug)]
pub(super) struct Bookkeeping {
    access: Option<Box<Access>>,
    /// Where requests have ids.
    id: Option<HeaderValue>,
    ticket: Ticket,
}

impl Bookkeeping {
    /// A request has come. `has_id` says whether requests have ids.
    pub(super) fn begin(request: &Request<RequestBody>, peer: &Peer, has_id: bool) -> Self {
        let ticket = Ticket::new();
        let mut access = Access::begin(peer.address.clone());
        if let Some(access) = &mut access {
            access.asks(request.method(), request.uri().path());
        }
        let id = has_id.then(|| request_id::of(request.headers(), peer.is_trusted));
        if let (Some(access), Some(id)) = (&mut access, &id) {
            access.has_id(id);
        }
        Self { access, id, ticket }
    }

    /// Adds the id to the fields.
    pub(super) fn mark(&self, headers: &mut HeaderMap) {
        if let Some(id) = &self.id {
            request_id::put(headers, id);
        }
    }

    /// Counts the request from here on; false where there are too many.
    #[must_use]
    pub(super) fn admit(&mut self, load: &Load) -> bool {
        self.ticket.admit(load)
    }

    /// How the cell of the request is found.
    pub(super) fn looked_up(&mut self, lookup: Lookup) {
        self.ticket.lookup = Some(lookup);
    }

    /// This cell is asked.
    pub(super) fn asks(&mut self, cell: CellIndex) {
        self.ticket.asked = Some(cell);
    }

    /// What the user gets; the request is under way until the end of it.
    pub(super) fn respond(
        self,
        outcome: Result<Response<CellBody>, Refusal>,
        topology: &Topology,
    ) -> Response<UserBody> {
        let Self { mut ticket, mut access, id } = self;
        ticket.settle();
        if let Some(access) = &mut access {
            let cell = ticket.asked.map(|cell| &*topology.cell(cell).id);
            access.went(cell, ticket.lookup);
        }
        match outcome {
            Ok(response) => {
                metrics::count(Count::Responded);
                if let Some(access) = &mut access {
                    access.responds(response.status());
                }
                response.map(|body| UserBody::of_cell(body, ticket, access))
            }
            Err(refusal) => refuse(refusal, &refusal, access.as_deref_mut(), id),
        }
    }
}
