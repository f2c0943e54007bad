//! What a router sends to a cell of its own accord. A correct one sends nothing; only mutations do
//! (Z-75).

use std::sync::Arc;

use http::Method;
use http::header::{IF_MODIFIED_SINCE, RANGE};
use http::uri::Authority;
use http_body_util::BodyExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::base::body::full;
use crate::base::http1::cell;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::kind::Mutation;

/// The field that tells a user's request from others.
const MARK: &str = "x-conformance-id";

/// Sends what the mutation sends ahead of this request of a user.
pub(crate) async fn ahead(router: &Arc<Router>, host: &Authority, ask: &Ask) {
    let (tempting, target) = match router.mutation() {
        Some(Mutation::AsksForTheLengthAheadOfRanges | Mutation::PingsCellsAheadOfRanges) => {
            (ask.headers.contains_key(RANGE), None)
        }
        Some(Mutation::ChecksConditionsAhead) => {
            (ask.headers.contains_key(IF_MODIFIED_SINCE), None)
        }
        Some(Mutation::PrefetchesTheIcon) => {
            (ask.headers.contains_key("sec-purpose"), Some("/favicon.ico"))
        }
        _ => return,
    };
    if !tempting {
        return;
    }
    if router.has(Mutation::PingsCellsAheadOfRanges) {
        ping(host).await;
        return;
    }
    let mut own = ask.clone();
    own.method = Method::HEAD;
    own.headers.remove(MARK);
    if let Some(target) = target {
        own.target = target.into();
    }
    if let Ok(response) = cell::exchange(router, host, &own, full("")).await {
        let _ = response.into_body().collect().await;
    }
}

/// Sends a line, and reads what the cell says to it.
async fn ping(host: &Authority) {
    let Ok(mut stream) = TcpStream::connect(host.as_str()).await else { return };
    if stream.write_all(b"PING\r\n\r\n").await.is_ok() {
        let _ = stream.read_to_end(&mut Vec::new()).await;
    }
}
