//! Writes a response to its user.

use std::future::poll_fn;
use std::task::Poll;

use http::{HeaderMap, Method, Request, Response, StatusCode, Version};

use crate::headers;
use crate::http1::{self, Encoding, Pieces, Reason};
use crate::respond::UserBody;
use crate::upstream::{Link, LinkError};
use crate::user::{RequestBody, User};
use crate::wire;

/// What a request asks of its response and of the connection after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) version: Version,
    pub(super) head_alone: bool,
    pub(super) stays: bool,
}

/// What becomes of a connection after a response.
pub(super) enum Then {
    /// The next request.
    Stay,
    End(End),
}

/// How a connection ends.
pub(super) enum End {
    /// After all of the response was written.
    Close,
    /// At once: there is nobody, or the response is not whole.
    Drop,
    /// Another protocol is spoken, with this cell.
    Tunnel(Box<Link>),
}

/// Why a response was not written as a whole.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unwritten {
    /// The user cannot get it.
    #[error("to the user: {0}")]
    User(std::io::Error),
    /// The cell did not send all of it.
    #[error("from the cell: {0}")]
    Cell(LinkError),
}

impl Asked {
    pub(super) fn by(request: &Request<RequestBody>) -> Self {
        let version = request.version();
        let stays = match version {
            Version::HTTP_10 => headers::asks_to_stay(request.headers()),
            _ => !headers::announces_end(request.headers()),
        };
        Self { version, head_alone: request.method() == Method::HEAD, stays }
    }
}

/// Writes a response; gives what becomes of the connection. `ends` says whether the connection is
/// to end.
pub(super) async fn write(
    user: &User,
    response: Response<UserBody>,
    asked: Asked,
    ends: impl Fn() -> bool,
) -> Result<Then, Unwritten> {
    let (head, mut body) = response.into_parts();
    let plan = Plan::new(head.status, &head.headers, &body, asked);
    user.responds(body.held());
    if body.is_own() {
        user.pass_over_body();
    }
    // The rest of a body that nobody reads is not read, so the next request could not be found. A
    // cell that has begun to respond may still read it.
    let stays = asked.stays
        && !plan.ends_with_connection
        && !ends()
        && (user.has_sent_all() || !body.is_here());
    let mut pieces = Pieces::new();
    let (version, status) = (asked.version, head.status);
    let option = match (status, stays, version) {
        (StatusCode::SWITCHING_PROTOCOLS, ..) => None,
        (_, false, _) => Some(wire::CLOSE),
        (_, true, Version::HTTP_10) => Some(wire::KEEP_ALIVE),
        (_, true, _) => None,
    };
    let reason = head.extensions.get::<Reason>();
    http1::response_head(
        pieces.head(),
        (version, status),
        reason,
        &head.headers,
        plan.encoding,
        option,
    );
    // It holds what was read from the cell, which can be used again.
    drop(head);
    if status == StatusCode::SWITCHING_PROTOCOLS {
        user.send(&mut pieces).await.map_err(Unwritten::User)?;
        return Ok(Then::End(body.into_link().map_or(End::Drop, End::Tunnel)));
    }
    let mut ended = plan.head_alone;
    while !ended {
        // What is here goes with the head.
        let data = poll_fn(|cx| match body.poll_data(cx) {
            Poll::Pending if !pieces.is_empty() => Poll::Ready(None),
            data => data.map(Some),
        });
        match data.await {
            None => {}
            Some(Some(data)) => {
                let data = data.map_err(Unwritten::Cell)?;
                if !data.is_empty() {
                    pieces.add(data, plan.encoding);
                }
                ended = body.is_over();
            }
            Some(None) => ended = true,
        }
        if ended {
            pieces.add_end(plan.encoding);
        }
        user.send(&mut pieces).await.map_err(Unwritten::User)?;
    }
    user.send(&mut pieces).await.map_err(Unwritten::User)?;
    drop(body);
    user.has_response();
    user.pass_over_body();
    Ok(if stays && user.has_sent_all() { Then::Stay } else { Then::End(End::Close) })
}

/// How a response is written (RFC 9112 6.3).
struct Plan {
    encoding: Encoding,
    /// No body follows.
    head_alone: bool,
    /// Only the end of the connection tells where the body ends.
    ends_with_connection: bool,
}

impl Plan {
    fn new(status: StatusCode, headers: &HeaderMap, body: &UserBody, asked: Asked) -> Self {
        let has_none = asked.head_alone
            || status.is_informational()
            || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
        let length = body.left();
        let encoding = match length {
            // A cell may say how long a body would be that does not follow.
            _ if has_none && !body.is_own() => Encoding::Plain,
            Some(length) => Encoding::Length(length),
            None if asked.version == Version::HTTP_10 => Encoding::Plain,
            None => Encoding::Chunked,
        };
        let ends_with_connection = !has_none && encoding == Encoding::Plain;
        // A body whose end is not known has no length in its fields.
        debug_assert!(length.is_some() || !headers.contains_key(http::header::CONTENT_LENGTH));
        Self { encoding, head_alone: has_none, ends_with_connection }
    }
}
