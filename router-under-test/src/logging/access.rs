//! The access log: a line of JSON for each request, written once the response is over.

use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use http::{HeaderValue, Method, StatusCode};
use serde::Serialize;

use super::lines::Lines;

static LINES: OnceLock<Lines> = OnceLock::new();

/// Where lines go from here on. Those of the first router of a process stay.
pub(crate) fn start(lines: Lines) {
    // A second router of the process writes to the same stream.
    let _ = LINES.set(lines);
}

/// Writes what waits to be written.
pub(crate) fn finish() {
    if let Some(lines) = LINES.get() {
        lines.finish();
    }
}

/// How the cell of a request was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lookup {
    /// The cache knew it.
    Hit,
    /// The user's cookie named it.
    Hint,
    /// Cells were asked.
    Miss,
}

/// One request, of which a line is written when this is dropped.
#[derive(Debug)]
pub(crate) struct Access {
    lines: &'static Lines,
    time: SystemTime,
    begun: Instant,
    client: Option<HeaderValue>,
    line: Line,
}

/// What a line says, in this order.
#[derive(Debug, Default, Serialize)]
struct Line {
    /// Seconds since 1970, when the head was there.
    time: f64,
    client: String,
    method: Option<String>,
    /// Without the query, which may hold secrets.
    path: Option<String>,
    status: Option<u16>,
    /// Of the body, as far as it was sent.
    bytes: u64,
    duration_ms: f64,
    /// The cell that was asked last.
    cell: Option<String>,
    cache: Option<Lookup>,
    request_id: Option<String>,
    outcome: &'static str,
}

impl Access {
    /// A request has come; none where there is no log.
    pub(crate) fn begin(client: Option<HeaderValue>) -> Option<Box<Self>> {
        let lines = LINES.get()?;
        let line = Line { outcome: "abandoned", ..Line::default() };
        let (time, begun) = (SystemTime::now(), Instant::now());
        Some(Box::new(Self { lines, time, begun, client, line }))
    }

    /// What is asked for.
    pub(crate) fn asks(&mut self, method: &Method, path: &str) {
        self.line.method = Some(method.as_str().to_owned());
        self.line.path = Some(path.to_owned());
    }

    /// The id that the request has from here on.
    pub(crate) fn has_id(&mut self, id: &HeaderValue) {
        self.line.request_id = id.to_str().ok().map(str::to_owned);
    }

    /// Which cell was asked last, and how it was found.
    pub(crate) fn went(&mut self, cell: Option<&str>, cache: Option<Lookup>) {
        (self.line.cell, self.line.cache) = (cell.map(str::to_owned), cache);
    }

    /// There is a response of a cell, whose body is to come.
    pub(crate) fn responds(&mut self, status: StatusCode) {
        (self.line.status, self.line.outcome) = (Some(status.as_u16()), "broken");
    }

    /// So many bytes of it were sent.
    pub(crate) fn sent(&mut self, bytes: usize) {
        self.line.bytes += bytes as u64;
    }

    /// All of it was sent.
    pub(crate) fn ends(&mut self) {
        self.line.outcome = "responded";
    }

    /// The router itself responded.
    pub(crate) fn refused(&mut self, status: StatusCode, reason: &'static str, bytes: u64) {
        (self.line.status, self.line.outcome) = (Some(status.as_u16()), reason);
        self.line.bytes = bytes;
    }
}

impl Drop for Access {
    fn drop(&mut self) {
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
        let line = &mut self.line;
        // To the millisecond, and the duration to the microsecond.
        line.time = since(self.time).as_millis() as f64 / 1e3;
        line.duration_ms = self.begun.elapsed().as_micros() as f64 / 1e3;
        let client = self.client.as_ref().and_then(|client| client.to_str().ok());
        client.unwrap_or_default().clone_into(&mut line.client);
        // Text and numbers are always valid JSON.
        if let Ok(text) = serde_json::to_string(line) {
            self.lines.say(&without_controls(text));
        }
    }
}

/// JSON leaves some control characters as they are, and a terminal would obey them.
fn without_controls(json: String) -> String {
    if !json.contains(char::is_control) {
        return json;
    }
    let mut text = String::with_capacity(json.len() + 8);
    for character in json.chars() {
        match character.is_control() {
            true => text.push_str(&format!("\\u{:04x}", u32::from(character))),
            false => text.push(character),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_users_send_stays_one_line_of_json() {
        let line =
            Line { path: Some("/a\"\n\u{1b}[2J\u{9b}\u{7f}ü".to_owned()), ..Line::default() };
        let text = without_controls(serde_json::to_string(&line).unwrap());
        assert!(text.contains(r#""path":"/a\"\n\u001b[2J\u009b\u007fü""#), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["path"], "/a\"\n\u{1b}[2J\u{9b}\u{7f}ü");
    }
}
