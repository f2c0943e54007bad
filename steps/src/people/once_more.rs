//! What a router sent where a user's client could not read it: the client keeps no bytes of it, so
//! the same request is sent once more, byte for byte, when everything else of the scenario is over.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::{People, raw};
use crate::trace::{NoResponse, UserRequest};

/// The most bytes of a response that are shown.
const SHOWN: usize = 1_000;
/// The most lines of them.
const LINES: usize = 12;
/// The fields that the repeated request sets itself.
const FRAMING: [&str; 4] = ["Host", "Content-Length", "Transfer-Encoding", "Connection"];

/// Whether a router sent bytes that are no HTTP response.
pub(crate) fn is_no_http(request: &UserRequest) -> bool {
    request.is_routed() && matches!(request.no_response(), Some(NoResponse::NoHttp { .. }))
}

impl People {
    /// Sends the request with this index in the record once more, with as much of its body as the
    /// record keeps. What comes until nothing more comes for `still` is added to the end of the
    /// record.
    pub(crate) async fn ask_once_more(
        &mut self,
        index: usize,
        request: &UserRequest,
        at: SocketAddr,
        still: Duration,
    ) {
        let is_kept = |name: &str| !FRAMING.iter().any(|own| own.eq_ignore_ascii_case(name));
        let lines = request.fields.iter().map(|it| (it.name.to_string(), it.value.to_string()));
        let mut lines: Vec<_> = lines.filter(|(name, _)| is_kept(name)).collect();
        let body = &request.body.beginning;
        if !body.is_empty() {
            lines.push(("Content-Length".to_owned(), body.len().to_string()));
        }
        lines.push(("Connection".to_owned(), "close".to_owned()));
        let target = request.target.to_string();
        let head = self.head(&request.person, at, &request.method, &target, lines);
        let came = shown(&came(at, &[&head, &body[..]].concat(), still).await);
        let told = format!("\nasked once more, {} sent:\n{came}", request.gate);
        self.recorder.note(index, |entry| {
            let got = entry.response.as_mut().map(|response| &mut response.got);
            if let Some(Err(NoResponse::NoHttp { again, .. })) = got {
                *again = told;
            }
        });
    }
}

/// What comes until the connection ends, or nothing more comes for `still`.
async fn came(at: SocketAddr, bytes: &[u8], still: Duration) -> Vec<u8> {
    let mut read = Vec::new();
    // What did come is shown, however it ended.
    let Ok(mut stream) = raw::connect(at, false).await else { return read };
    if stream.write_all(bytes).await.is_err() {
        return read;
    }
    let mut piece = [0; SHOWN];
    while read.len() < SHOWN {
        match tokio::time::timeout(still, stream.read(&mut piece)).await {
            Ok(Ok(length)) if length > 0 => read.extend_from_slice(&piece[..length]),
            _ => break,
        }
    }
    read
}

/// The bytes in the notation of the scenarios, one line of text for each line that they have.
fn shown(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "  nothing".to_owned();
    }
    let mut lines: Vec<_> = bytes[..bytes.len().min(SHOWN)]
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r\n").map_or_else(|| escaped(line) + "\\", escaped))
        .collect();
    if bytes.len() >= SHOWN || lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("\u{2026}".to_owned());
    }
    lines.iter().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

fn escaped(line: &[u8]) -> String {
    let text = |byte: &u8| match byte {
        b'"' | b'\'' => char::from(*byte).to_string(),
        0 => "\\0".to_owned(),
        other => other.escape_ascii().to_string(),
    };
    line.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use cell_fleet::{Journal, Stamp};
    use tokio::net::TcpListener;

    use super::*;
    use crate::trace::made::CLOSED;
    use crate::trace::{Recorder, UserResponse};

    /// A request that ended without a response.
    fn ended(why: NoResponse) -> UserRequest {
        let at = Stamp { sequence: 1, at: Duration::ZERO };
        let response = Some(UserResponse { at, got: Err(why) });
        UserRequest { target: "/a".into(), response, ..UserRequest::default() }
    }

    #[tokio::test]
    async fn what_came_is_shown_as_a_scenario_writes_it() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let answers = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut asked = vec![0; 1024];
            let length = stream.read(&mut asked).await.unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\nX-Field: a\0b\r\n\r\nhello").await.unwrap();
            String::from_utf8_lossy(&asked[..length]).into_owned()
        });
        let recorder = Arc::new(Recorder::default());
        let still = Duration::from_secs(5);
        let mut people = People::new(Arc::<Journal>::default(), recorder.clone(), still);
        let (why, again) = ("why".to_owned(), String::new());
        let request = ended(NoResponse::NoHttp { why, again });
        assert!(is_no_http(&request));
        let index = recorder.sent(request.clone());
        people.jar("").give("a", "1");
        people.ask_once_more(index, &request, at, still).await;
        let told = "\nasked once more, router_eu sent:\n  HTTP/1.1 200 OK\n  X-Field: a\\0b\n  \n  hello\\";
        let end = recorder.requests().remove(index).response.unwrap();
        let (why, again) = ("why".to_owned(), told.to_owned());
        assert_eq!(end.got, Err(NoResponse::NoHttp { why, again }));
        let host = format!("gitlab.test:{}", at.port());
        let asked =
            format!("GET /a HTTP/1.1\r\nHost: {host}\r\nCookie: a=1\r\nConnection: close\r\n\r\n");
        assert_eq!(answers.await.unwrap(), asked);
    }

    #[test]
    fn only_what_is_no_http_is_asked_again() {
        assert!(!is_no_http(&ended(CLOSED)));
        assert!(!is_no_http(&UserRequest::default()));
    }
}
