//! What the doc string of a step is read as.

use cell_fleet::ScriptedResponse;

use crate::action::Person;
use crate::exchange::Exchange;
use crate::literal::{Request, field_lines, scripted_response, shared_requests, wire_bytes};

pub(super) trait DocString: Sized {
    /// Reads it; the error says what is wrong with the text.
    fn read(text: &str) -> Result<Self, String>;
}

/// Field lines, names with values.
pub(super) struct FieldLines(pub(super) Vec<(String, String)>);

impl DocString for FieldLines {
    fn read(text: &str) -> Result<Self, String> {
        field_lines(text).map(Self)
    }
}

/// Bytes as they go over the wire.
pub(super) struct WireBytes(pub(super) Vec<u8>);

impl DocString for WireBytes {
    fn read(text: &str) -> Result<Self, String> {
        wire_bytes(text).map(Self)
    }
}

/// Bytes in the notation of [`wire_bytes`], as they are written.
pub(super) struct WireText(pub(super) String);

impl DocString for WireText {
    fn read(text: &str) -> Result<Self, String> {
        wire_bytes(text)?;
        Ok(Self(text.to_owned()))
    }
}

/// Requests of several people, in the notation of [`shared_requests`], as they are written.
pub(super) struct SharedText(pub(super) String);

impl DocString for SharedText {
    fn read(text: &str) -> Result<Self, String> {
        let requests = shared_requests(text)?;
        match requests.iter().find(|(person, _)| !Person::is_known(person)) {
            Some((person, _)) => Err(format!("`{person}` is nobody whom steps know")),
            None => Ok(Self(text.to_owned())),
        }
    }
}

impl DocString for Request {
    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}

impl DocString for ScriptedResponse {
    fn read(text: &str) -> Result<Self, String> {
        scripted_response(text)
    }
}

impl DocString for Exchange {
    fn read(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}
