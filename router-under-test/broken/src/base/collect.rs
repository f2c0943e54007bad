//! A user's body as a whole, up to the limit.

use bytes::{Bytes, BytesMut};
use http::StatusCode;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::base::body::Body;
use crate::base::outcome::{HALF_ASKED, Refusal};
use crate::base::router::Router;
use crate::kind::Mutation;

/// Reads the whole body; beyond the limit the response is 413, at once if Content-Length exceeds
/// it.
pub(crate) async fn read(router: &Router, body: Body) -> Result<Bytes, Refusal> {
    let limit = match router.mutation() {
        Some(Mutation::RefusesBodiesAtTheLimit) => router.config.max_body - 1,
        Some(Mutation::HasALimitOfItsOwn) => router.config.max_body.min(32 * 1024),
        Some(Mutation::CutsBodiesAtTheLimit) => {
            return Ok(start_of(body, router.config.max_body).await);
        }
        _ => router.config.max_body,
    };
    let too_large = || match router.has(Mutation::FailsAboveTheLimit) {
        true => Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "no memory for this"),
        false => Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"),
    };
    if body.size_hint().lower() > limit as u64 {
        return Err(too_large());
    }
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large()),
        Err(_) => Err(Refusal::new(StatusCode::BAD_REQUEST, HALF_ASKED)),
    }
}

/// The mutation of truncating a body at the limit.
pub(crate) async fn start_of(mut body: Body, limit: usize) -> Bytes {
    let mut bytes = BytesMut::new();
    while let Some(Ok(frame)) = body.frame().await {
        bytes.extend_from_slice(frame.data_ref().unwrap_or(&Bytes::new()));
        bytes.truncate(limit);
    }
    bytes.freeze()
}
