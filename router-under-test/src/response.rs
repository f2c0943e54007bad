//! A cell's response: checked to be one that can be passed on, and made one for the user.

mod location;

use std::io;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, UPGRADE};
use http::{HeaderValue, Response, StatusCode, Version};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Either, Full};
use rand::RngExt as _;

use crate::cells::CellBody;
use crate::request::{
    ask_for_websocket, asks_for_websocket, is_chunked, one_length, remove_all, remove_listed,
};
use crate::topology::Topology;
use crate::wire;

/// Says what is wrong with a response that nobody may get. It is what hyper leaves to others (Z-48,
/// Z-49): it would take chunks together with a length, and an unknown coding would reach the user
/// undecoded, because `Transfer-Encoding` ends here.
pub(crate) fn check<B>(response: &Response<B>, websocket: bool) -> Result<(), &'static str> {
    let headers = response.headers();
    let in_chunks = is_chunked(headers).ok_or("unknown transfer coding")?;
    // Before HTTP/1.1 there were none (RFC 9112 6.1).
    if in_chunks && response.version() != Version::HTTP_11 {
        return Err("chunks before HTTP/1.1");
    }
    if in_chunks && headers.contains_key(CONTENT_LENGTH) {
        return Err("a length beside chunks");
    }
    let switches = response.status() == StatusCode::SWITCHING_PROTOCOLS;
    if switches && !(websocket && asks_for_websocket(headers)) {
        return Err("change of protocol that nobody asked for");
    }
    Ok(())
}

/// The body of what the user gets: a cell's, or another one.
pub type UserBody = Either<CellBody, UnsyncBoxBody<Bytes, io::Error>>;

/// A body that is here as a whole.
#[must_use]
pub fn whole(bytes: impl Into<Bytes>) -> UserBody {
    Either::Right(Full::from(bytes.into()).map_err(|never| match never {}).boxed_unsync())
}

/// Makes a cell's response the user's.
pub async fn to_user(mut response: Response<UserBody>, topology: &Topology) -> Response<UserBody> {
    fields(&mut response, topology);
    delay(response.status(), topology.capabilities.not_found_delay).await;
    response
}

/// Waits, before a cell's 404 is given: a private page and one that does not exist should take the
/// same time (PR-05). Other responses are given at once.
async fn delay(status: StatusCode, most: Duration) {
    if status == StatusCode::NOT_FOUND && !most.is_zero() {
        let delay = rand::rng().random_range(Duration::ZERO..=most);
        tokio::time::sleep(delay).await;
    }
}

/// Makes the fields of a cell's response those of the response to the user: its internal fields
/// (Z-03), those of one connection and the addresses of cells go.
fn fields<B>(response: &mut Response<B>, topology: &Topology) {
    let status = response.status();
    // The version is that of the connection, which is the user's from here on.
    *response.version_mut() = Version::HTTP_11;
    let headers = response.headers_mut();
    location::hide_cells(headers, topology);
    // What a 426 is about (RFC 9110 15.5.22).
    let required: Vec<HeaderValue> = match status {
        StatusCode::UPGRADE_REQUIRED => headers.get_all(UPGRADE).iter().cloned().collect(),
        _ => Vec::new(),
    };
    remove_listed(headers);
    remove_all(headers, |name| wire::ONE_HOP.contains(&name) || wire::is_internal(name));
    if status == StatusCode::SWITCHING_PROTOCOLS {
        // It is WebSocket; others were refused.
        ask_for_websocket(headers);
    } else if !required.is_empty() {
        headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
        for protocol in required {
            headers.append(UPGRADE, protocol);
        }
    }
    one_length(headers);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::{document, topology_of};

    fn response(status: u16, lines: &[(&str, &str)]) -> Response<()> {
        let mut response = Response::builder().status(status);
        for (name, value) in lines {
            response = response.header(*name, *value);
        }
        response.body(()).unwrap()
    }

    /// The fields of a response as the user gets them, sorted.
    fn given(status: u16, lines: &[(&str, &str)]) -> Vec<String> {
        let mut response = response(status, lines);
        fields(&mut response, &topology_of(&document("buffering")));
        assert_eq!(response.version(), Version::HTTP_11);
        let line =
            |(name, value): (_, &HeaderValue)| format!("{name}: {}", value.to_str().unwrap());
        let mut lines: Vec<_> = response.headers().iter().map(line).collect();
        lines.sort_unstable();
        lines
    }

    #[test]
    fn a_response_has_one_framing_or_nobody_gets_it() {
        const LENGTH: &str = "content-length";
        const CODING: &str = "transfer-encoding";
        const CODINGS: Result<(), &str> = Err("unknown transfer coding");
        const BOTH: Result<(), &str> = Err("a length beside chunks");
        for (lines, outcome) in [
            (&[][..], Ok(())),
            (&[(LENGTH, "3")], Ok(())),
            (&[(LENGTH, "3"), (LENGTH, "3")], Ok(())),
            (&[(CODING, "Chunked")], Ok(())),
            (&[(LENGTH, "3"), (CODING, "chunked")], BOTH),
            (&[(CODING, "gzip, chunked")], CODINGS),
            (&[(CODING, "chunked"), (CODING, "chunked")], CODINGS),
        ] {
            assert_eq!(check(&response(200, lines), false), outcome, "{lines:?}");
        }
        let mut old = response(200, &[(CODING, "chunked")]);
        *old.version_mut() = Version::HTTP_10;
        assert_eq!(check(&old, false), Err("chunks before HTTP/1.1"));
    }

    #[test]
    fn internal_fields_and_those_of_one_connection_are_not_for_users() {
        let lines = [
            ("set-cookie", "a=1"),
            ("set-cookie", "b=2"),
            ("x-gitlab-cell-cache", "{path_prefix:/x}"),
            ("x-gitlab-cell-redirect", "{cell:x}"),
            ("connection", "close, X-Hop"),
            ("x-hop", "1"),
            ("keep-alive", "timeout=5"),
            ("content-length", "3"),
            ("location", "http://127.0.0.1:22000/x"),
        ];
        let left = ["content-length: 3", "location: /x", "set-cookie: a=1", "set-cookie: b=2"];
        assert_eq!(given(200, &lines), left);
    }

    #[test]
    fn a_status_decides_about_lengths_and_protocols() {
        let lines = [("content-length", "3, 3"), ("upgrade", "HTTP/2.0"), ("upgrade", "h2c")];
        for (status, left) in [
            (200, &["content-length: 3"][..]),
            (304, &["content-length: 3"]),
            (
                426,
                &["connection: upgrade", "content-length: 3", "upgrade: HTTP/2.0", "upgrade: h2c"],
            ),
        ] {
            assert_eq!(given(status, &lines), left, "{status}");
        }
        let agreed = [("connection", "Upgrade, X"), ("upgrade", "WebSocket"), ("x", "1")];
        assert_eq!(given(101, &agreed), ["connection: upgrade", "upgrade: websocket"]);
    }
}
