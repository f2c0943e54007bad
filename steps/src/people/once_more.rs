//! What a router sent where a user's client could not read it: the client keeps no bytes of it, so the
//! same request is sent once more, byte for byte, when everything else of the scenario is over.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::Stage;
use crate::trace::{Gate, NO_HTTP, UserRequest};

/// The most bytes of a response that are shown.
const SHOWN: usize = 1_000;
/// The most lines of them.
const LINES: usize = 12;

impl Stage {
    /// Whether a user got bytes that are no HTTP response.
    pub(super) fn met_no_http(&self) -> bool {
        self.recorder.requests().iter().any(is_no_http)
    }

    /// Adds to each response that was no HTTP what its router sends to the same request once more.
    pub(super) async fn add_what_came(&self, users: &mut [UserRequest]) {
        for request in users.iter_mut().filter(|request| is_no_http(request)) {
            let Gate::Router(region) = &request.gate else { continue };
            let (at, still) = (self.router_address(region), self.launch.waits.still);
            let came = came(at, &written(request, &at.to_string()), still).await;
            let told = format!("\nasked once more, {} sent:\n{}", request.gate, shown(&came));
            if let Some(Err(why)) = request.response.as_mut().map(|response| &mut response.got) {
                why.push_str(&told);
            }
        }
    }
}

fn is_no_http(request: &UserRequest) -> bool {
    let end = request.response.as_ref();
    matches!(request.gate, Gate::Router(_))
        && end.is_some_and(|end| matches!(&end.got, Err(why) if why.starts_with(NO_HTTP)))
}

/// The request as bytes, with as much of its body as the record keeps.
fn written(request: &UserRequest, host: &str) -> Vec<u8> {
    let mut bytes = format!("{} ", request.method).into_bytes();
    bytes.extend_from_slice(request.target.as_bytes());
    bytes.extend_from_slice(format!(" HTTP/1.1\r\nHost: {host}\r\n").as_bytes());
    let framing = ["Host", "Content-Length", "Transfer-Encoding", "Connection"];
    for field in request.fields.iter().filter(|field| !framing.iter().any(|own| field.is(own))) {
        let line = [field.name.as_bytes(), b": ", field.value.as_bytes(), b"\r\n"].concat();
        bytes.extend_from_slice(&line);
    }
    let body = &request.body.beginning;
    if !body.is_empty() {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"Connection: close\r\n\r\n");
    bytes.extend_from_slice(body);
    bytes
}

/// What comes until the connection ends, or nothing comes for so long.
async fn came(at: std::net::SocketAddr, bytes: &[u8], still: Duration) -> Vec<u8> {
    let mut read = Vec::new();
    let asked = async {
        let mut stream = TcpStream::connect(at).await?;
        stream.write_all(bytes).await?;
        let mut piece = [0; SHOWN];
        while read.len() < SHOWN {
            match tokio::time::timeout(still, stream.read(&mut piece)).await {
                Ok(Ok(length)) if length > 0 => read.extend_from_slice(&piece[..length]),
                _ => break,
            }
        }
        std::io::Result::Ok(())
    };
    // What did come is shown, however it ended.
    let _ = asked.await;
    read
}

/// The bytes in the notation of the scenarios, a line for each of theirs.
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
    use tokio::net::TcpListener;

    use super::*;
    use crate::trace::UserResponse;

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
        let request = UserRequest { target: "/a".into(), ..UserRequest::default() };
        let bytes = came(at, &written(&request, "h"), Duration::from_secs(5)).await;
        assert_eq!(shown(&bytes), "  HTTP/1.1 200 OK\n  X-Field: a\\0b\n  \n  hello\\");
        let asked = answers.await.unwrap();
        assert_eq!(asked, "GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    }

    #[test]
    fn only_what_is_no_http_is_asked_again() {
        let ended = |why: &str| {
            let at = cell_fleet::Stamp { sequence: 1, at: Duration::ZERO };
            let response = Some(UserResponse { at, got: Err(why.to_owned()) });
            is_no_http(&UserRequest { response, ..UserRequest::default() })
        };
        assert!(ended("bytes came that are no HTTP response: invalid HTTP header parsed"));
        assert!(!ended("connection reset"));
        assert!(!is_no_http(&UserRequest::default()));
    }
}
