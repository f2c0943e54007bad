//! Reads `fixtures/wire`. Its README describes the format.

use std::fs;
use std::path::{Path, PathBuf};

/// A request of a user or a router, and a cell's response.
pub(crate) struct Exchange {
    /// `buffering/root`: the protocol and the file.
    pub(crate) name: String,
    /// The id of the cell that receives the request.
    pub(crate) cell: String,
    /// The signed-in user, if any.
    pub(crate) user: Option<String>,
    /// Names of headers that the response does not have.
    pub(crate) without: Vec<String>,
    pub(crate) request: Message,
    pub(crate) response: Message,
}

/// A request or a response, as in the file.
pub(crate) struct Message {
    /// The request line or status line.
    pub(crate) start: String,
    /// The complete header lines.
    pub(crate) fields: Vec<String>,
    pub(crate) body: String,
}

/// All literal exchanges.
pub(crate) fn all() -> Vec<Exchange> {
    let folder = folder();
    let mut found = Vec::new();
    for protocol in ["buffering", "learning"] {
        for entry in fs::read_dir(folder.join(protocol)).expect("each protocol has a folder") {
            let path = entry.expect("the folder can be read").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a plain name");
            let text = fs::read_to_string(&path).expect("it is text");
            found.push(Exchange::parse(format!("{protocol}/{stem}"), &text));
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    found
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/wire")
}

impl Exchange {
    fn parse(name: String, text: &str) -> Self {
        let text = text
            .strip_suffix('\n')
            .unwrap_or_else(|| panic!("{name}: the last line has no line break"));
        let parts: Vec<_> = text.split("\n---\n").collect();
        let [about, request, response] = parts[..] else {
            panic!("{name}: {} parts, expected three", parts.len())
        };
        let (mut cell, mut user, mut without) = (None, None, Vec::new());
        for line in about.lines().filter(|line| !line.starts_with('#')) {
            match line.split_once(": ") {
                Some(("cell", value)) => cell = Some(value.to_owned()),
                Some(("user", value)) => user = Some(value.to_owned()),
                Some(("without", value)) => {
                    without = value.split(", ").map(str::to_owned).collect()
                }
                _ => panic!("{name}: {line:?} is unknown; write `cell: `, `user: ` or `without: `"),
            }
        }
        let cell = cell.unwrap_or_else(|| panic!("{name}: no cell"));
        Self {
            cell,
            user,
            without,
            request: Message::parse(request),
            response: Message::parse(response),
            name,
        }
    }

    /// The protocol, which is the folder.
    pub(crate) fn protocol(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

impl Message {
    fn parse(text: &str) -> Self {
        let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
        let mut lines = head.lines().map(str::to_owned);
        let start = lines.next().expect("a message has a first line");
        Self { start, fields: lines.collect(), body: body.to_owned() }
    }

    /// The value of a header, with the name as in the file.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The bytes on the wire, with more header lines.
    pub(crate) fn bytes(&self, more: &[String]) -> Vec<u8> {
        let mut lines = vec![self.start.as_str()];
        lines.extend(self.fields.iter().chain(more).map(String::as_str));
        format!("{}\r\n\r\n{}", lines.join("\r\n"), self.body).into_bytes()
    }
}

#[test]
fn the_format_is_read() {
    let text = "# Why.\ncell: cell_eu0\nwithout: A, B\n---\nGET / HTTP/1.1\nHost: x\n---\n\
                HTTP/1.1 200 OK\nContent-Length: 4\n\na\n\nb\n";
    let exchange = Exchange::parse("buffering/x".to_owned(), text);
    assert_eq!(
        (exchange.protocol(), exchange.cell.as_str(), exchange.user.as_deref()),
        ("buffering", "cell_eu0", None)
    );
    assert_eq!(exchange.without, ["A", "B"]);
    assert_eq!(
        exchange.request.bytes(&["C: d".to_owned()]),
        b"GET / HTTP/1.1\r\nHost: x\r\nC: d\r\n\r\n"
    );
    assert_eq!(exchange.response.bytes(&[]), b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\n\nb");
    assert_eq!(exchange.response.field("Content-Length"), Some("4"));
}

/// The literal messages can be sent unchanged.
#[test]
fn every_literal_is_complete() {
    for exchange in all() {
        let name = &exchange.name;
        for message in [&exchange.request, &exchange.response] {
            let is_response = message.start.starts_with("HTTP/1.1 ");
            assert!(
                is_response || message.start.ends_with(" HTTP/1.1"),
                "{name}: {}",
                message.start
            );
            let length =
                message.field("Content-Length").map(|length| length.parse().expect("a number"));
            assert_eq!(length.unwrap_or(0), message.body.len(), "{name}: {}", message.start);
            assert!(length.is_some() || !is_response, "{name}: a response without a length");
        }
        assert!(exchange.request.field("Host").is_some(), "{name}: no Host");
        for absent in &exchange.without {
            assert_eq!(exchange.response.field(absent), None, "{name}: with and without {absent}");
        }
    }
}
