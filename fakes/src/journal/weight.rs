//! What an entry takes of memory, for journals with a limit.

use super::{Entry, Event, Field};

impl Entry {
    /// About how many bytes of memory the entry takes: its own size and its texts and bodies.
    pub(super) fn weight(&self) -> usize {
        size_of::<Self>() + self.event.texts()
    }
}

impl Event {
    /// The bytes that the event keeps outside itself.
    fn texts(&self) -> usize {
        match self {
            Self::Request(request) => {
                let line = &request.request_line.0;
                line.len()
                    + request.method.0.len()
                    + request.target.0.len()
                    + weigh_fields(&request.fields)
            }
            Self::RequestRead { body, .. } | Self::RequestCut { body, .. } => body.beginning.len(),
            Self::Response(response) => {
                weigh_fields(&response.fields) + response.body.beginning.len()
            }
            Self::ResponseEnded { body, .. } => {
                body.as_ref().map_or(0, |body| body.beginning.len())
            }
            Self::NotHttp { bytes, .. } => bytes.0.len(),
            Self::Database(access) => access.server.len(),
            Self::StoreFailed(failure) => failure.access.len(),
            Self::RequestBodyBegun { .. }
            | Self::ResponseRest { .. }
            | Self::IdAllocated(_)
            | Self::RowsMoved(_)
            | Self::Job(_)
            | Self::MoveStep(_) => 0,
        }
    }
}

fn weigh_fields(fields: &[Field]) -> usize {
    let of_field = |field: &Field| size_of::<Field>() + field.name.0.len() + field.value.0.len();
    fields.iter().map(of_field).sum()
}
