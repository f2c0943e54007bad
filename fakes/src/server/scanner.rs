//! Finds the requests in the bytes of one connection.
//!
//! The HTTP library in front of the application returns requests with lower-case header names and
//! parsed targets. The journal needs requests as they were sent. So a scanner reads the same bytes
//! and finds where each head begins. It may accept a head that the library refuses, which is then
//! never claimed. One that it refuses itself is refused, also where the library accepts it: the
//! service asks whether the scanner has seen the request.

use super::chunked::{Chunked, Step};
use super::head::{self, Framing, Head, Parsed};

/// A part of a request that the scanner found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found<'b> {
    Head(Head),
    /// Bytes of the body that belongs to the last head, without their framing.
    Content(&'b [u8]),
    /// The end of the request of the last head.
    End,
    /// The framing of the last head's body is invalid.
    Break,
    /// Bytes that do not belong to a request.
    Foreign(&'b [u8]),
}

/// Scans the bytes of one connection.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    state: ScanState,
    /// The beginning of a head that is not complete yet.
    partial: Vec<u8>,
    /// What broke HTTP/1.1, if anything did.
    fault: Option<&'static str>,
}

#[derive(Debug, Default)]
enum ScanState {
    #[default]
    Head,
    /// Within a body; this many of its bytes are still to come.
    Length(u64),
    Chunks(Chunked),
    Lost,
}

impl Scanner {
    /// Scans the next bytes of the connection and reports the parts in them.
    pub(super) fn feed<'b>(&mut self, mut bytes: &'b [u8], mut report: impl FnMut(Found<'b>)) {
        while !bytes.is_empty() {
            let taken = match &mut self.state {
                ScanState::Head => self.head(bytes, &mut report),
                ScanState::Length(remaining) => {
                    let here = (*remaining).min(bytes.len() as u64) as usize;
                    *remaining -= here as u64;
                    report(Found::Content(&bytes[..here]));
                    if *remaining == 0 {
                        self.state = ScanState::Head;
                        report(Found::End);
                    }
                    here
                }
                ScanState::Chunks(chunks) => match chunks.step(bytes) {
                    Step::Framing(here) => here,
                    Step::Content(here) => {
                        report(Found::Content(&bytes[..here]));
                        here
                    }
                    Step::End(here) => {
                        self.state = ScanState::Head;
                        report(Found::End);
                        here
                    }
                    Step::Broken(why) => {
                        self.fault = why;
                        self.state = ScanState::Lost;
                        report(Found::Break);
                        0
                    }
                },
                ScanState::Lost => {
                    report(Found::Foreign(bytes));
                    bytes.len()
                }
            };
            bytes = &bytes[taken..];
        }
    }

    /// What broke HTTP/1.1, after which nothing is a request.
    pub(super) fn fault(&self) -> Option<&'static str> {
        self.fault
    }

    /// The beginning of a head whose rest has not arrived, without line breaks before it.
    pub(super) fn unfinished(&self) -> &[u8] {
        let from = self.partial.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
        from.map_or(&[], |from| &self.partial[from..])
    }

    /// Returns how many of `bytes` it consumed: all, or up to the end of the head.
    fn head<'b>(&mut self, bytes: &'b [u8], report: &mut impl FnMut(Found<'b>)) -> usize {
        let before = self.partial.len();
        self.partial.extend_from_slice(bytes);
        // Only a line feed can complete a head. Without this check, a long head in small pieces
        // would be parsed again for each piece.
        if !bytes.contains(&b'\n') {
            return bytes.len();
        }
        match head::parse(&self.partial) {
            Parsed::Partial => bytes.len(),
            Parsed::Broken(why) => {
                self.fault = why;
                self.state = ScanState::Lost;
                bytes.len()
            }
            Parsed::Head(head, length, framing) => {
                self.partial.clear();
                report(Found::Head(head));
                match framing {
                    Framing::Length(0) => report(Found::End),
                    Framing::Length(remaining) => self.state = ScanState::Length(remaining),
                    Framing::Chunked => self.state = ScanState::Chunks(Chunked::default()),
                }
                length - before
            }
        }
    }
}
