//! HTTP/1.1 messages read from a socket, byte for byte.

use std::io::{self, BufRead, Read};

/// A request or a response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Message {
    /// The first line, without its line end.
    pub(crate) start: String,
    /// Names in lower case, values as received, in order.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Whether the body was complete under its framing.
    pub(crate) whole: bool,
}

/// What a mock server received. It does not tell versions; cells that are servers of their own do.
impl From<&wiremock::Request> for Message {
    fn from(request: &wiremock::Request) -> Self {
        let target = request.url.as_str().strip_prefix("http://localhost");
        let text = |value: &http::HeaderValue| String::from_utf8(value.as_bytes().to_vec());
        let field = |(name, value): (&http::HeaderName, _)| {
            (name.as_str().to_owned(), text(value).expect("a head is text here"))
        };
        Self {
            start: format!(
                "{} {} HTTP/1.1",
                request.method,
                target.expect("a target in origin form")
            ),
            headers: request.headers.iter().map(field).collect(),
            body: request.body.clone(),
            whole: true,
        }
    }
}

impl Message {
    /// Reads the head; `None` if the connection ends before it.
    pub(crate) fn read_head(from: &mut impl BufRead) -> io::Result<Option<Self>> {
        let mut message = Self::default();
        let Some(start) = line(from)? else { return Ok(None) };
        message.start = start;
        while let Some(field) = line(from)?.filter(|field| !field.is_empty()) {
            let (name, value) = field.split_once(':').expect("a header field has a colon");
            message.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok(Some(message))
    }

    /// Reads the body of the head's framing; up to the end of the connection for a response
    /// without an announcement.
    pub(crate) fn read_body(&mut self, from: &mut impl BufRead) -> io::Result<()> {
        let is_response = self.start.starts_with("HTTP/");
        if self.header("transfer-encoding") == Some("chunked") {
            self.whole = read_chunks(from, &mut self.body)?;
        } else if let Some(length) = self.header("content-length") {
            let length: u64 = length.parse().expect("a length");
            from.take(length).read_to_end(&mut self.body)?;
            self.whole = self.body.len() as u64 == length;
        } else if is_response && !matches!(self.status(), 204 | 304) {
            from.read_to_end(&mut self.body)?;
            self.whole = true;
        } else {
            self.whole = true;
        }
        Ok(())
    }

    /// The value of the first line with this name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.all(name).first().copied()
    }

    /// The values of all lines with this name.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.headers
            .iter()
            .filter(|(have, _)| have == name)
            .map(|(_, value)| value.as_str())
            .collect()
    }

    /// The second word of a request line.
    pub(crate) fn target(&self) -> &str {
        self.start.split(' ').nth(1).expect("a request line has a target")
    }

    /// The second word of a status line.
    pub(crate) fn status(&self) -> u16 {
        self.start
            .split(' ')
            .nth(1)
            .and_then(|word| word.parse().ok())
            .expect("a status line has a status")
    }

    /// The body as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is text")
    }
}

fn read_chunks(from: &mut impl BufRead, into: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let Some(size) = line(from)? else { return Ok(false) };
        let Ok(size) = u64::from_str_radix(&size, 16) else { return Ok(false) };
        if size == 0 {
            while line(from)?.is_some_and(|trailer| !trailer.is_empty()) {}
            return Ok(true);
        }
        let before = into.len() as u64;
        from.take(size).read_to_end(into)?;
        if into.len() as u64 - before < size || line(from)?.is_none() {
            return Ok(false);
        }
    }
}

fn line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    from.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Ok(None);
    }
    line.pop_if(|last| *last == b'\r');
    Ok(Some(String::from_utf8(line).expect("a head is text here")))
}
