//! Probes: each makes a few requests and returns in a few words what it saw.

mod bodies;
mod cells;
mod heads;
mod hidden;

pub(crate) use bodies::*;
pub(crate) use cells::*;
pub(crate) use heads::*;
pub(crate) use hidden::*;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::raw_cells::RawFleet;
use crate::support::Router;

/// How long a probe waits for bytes that arrive at once or not at all.
const SHORT: Duration = Duration::from_millis(2_500);

/// A router in front of its cells.
pub(crate) struct Scene {
    pub(crate) cells: RawFleet,
    pub(crate) router: Router,
}

impl Scene {
    fn connect(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.router.listen).unwrap();
        stream.set_read_timeout(Some(SHORT)).unwrap();
        // An error means that there is no response.
        let _ = stream.write_all(bytes);
        stream
    }

    /// All bytes until the end of the connection, or until no more arrive.
    fn talk(&self, bytes: &str) -> String {
        rest(&mut self.connect(bytes.as_bytes()))
    }

    fn get(&self, target: &str) -> String {
        self.ask(&format!("GET {target}"), "", "")
    }

    fn ask(&self, start: &str, fields: &str, body: &str) -> String {
        self.talk(&format!(
            "{start} HTTP/1.1\r\nHost: public.example:8080\r\nConnection: close\r\n\
             {fields}\r\n{body}"
        ))
    }

    fn seen(&self) -> &'static str {
        if self.cells.hops().is_empty() { "unseen" } else { "seen" }
    }

    /// Status, and whether a cell got anything.
    fn refused(&self, bytes: &str) -> String {
        let response = self.talk(bytes);
        format!("{} {}", status(&response), self.seen())
    }

    fn last(&self) -> String {
        self.cells.hops().pop().unwrap_or_default()
    }

    /// The values of a field in the last request that a cell got.
    fn values(&self, name: &str) -> String {
        values(&self.last(), '|', name)
    }

    fn asked(&self) -> usize {
        self.cells.requests().len() - self.cells.hops().len()
    }
}

/// All bytes until the end of the connection, or until no more arrive.
fn rest(stream: &mut TcpStream) -> String {
    while_read(stream, |_| true)
}

/// All bytes until this is among them; where it never is, as [`rest`].
fn until(stream: &mut TcpStream, part: &str) -> String {
    while_read(stream, |read| !read.windows(part.len()).any(|window| window == part.as_bytes()))
}

fn while_read(stream: &mut TcpStream, goes_on: impl Fn(&[u8]) -> bool) -> String {
    let mut response = Vec::new();
    let mut block = [0; 65_536];
    while goes_on(&response)
        && let Ok(size @ 1..) = stream.read(&mut block)
    {
        response.extend_from_slice(&block[..size]);
    }
    String::from_utf8_lossy(&response).into_owned()
}

fn status(response: &str) -> &str {
    response.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).unwrap_or("none")
}

fn values(head: &str, end: char, name: &str) -> String {
    let lines = head.split("\r\n\r\n").next().unwrap_or_default().split(end);
    let found = lines.filter_map(|line| {
        line.split_once(": ").filter(|(known, _)| known.eq_ignore_ascii_case(name))
    });
    found.map(|(_, value)| value.trim()).collect::<Vec<_>>().join(",")
}

fn field(response: &str, name: &str) -> String {
    values(&response.replace('\r', "").replace("\n\n", "\r\n\r\n"), '\n', name)
}

fn body(response: &str) -> &str {
    response.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}
