//! What the doc string of a step is read as.

use cell_fleet::ScriptedResponse;

use super::argument::{Argument, Source};
use super::parameters::Person;
use crate::exchange::Exchange;
use crate::literal::{LiteralRequest, LiteralResponse, field_lines, shared_requests, wire_bytes};
use crate::request::Request;

/// Field lines, names with values.
pub(super) struct FieldLines(pub(super) Vec<(String, String)>);

impl Argument for FieldLines {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        field_lines(text).map(Self).map_err(|error| error.to_string())
    }
}

/// Bytes as they go over the wire.
pub(super) struct WireBytes(pub(super) Vec<u8>);

impl Argument for WireBytes {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        wire_bytes(text).map(Self).map_err(|error| error.to_string())
    }
}

/// Bytes in the notation of [`wire_bytes`], as they are written.
pub(super) struct WireText(pub(super) String);

impl Argument for WireText {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        wire_bytes(text).map_err(|error| error.to_string())?;
        Ok(Self(text.to_owned()))
    }
}

/// Requests of several people, in the notation of [`shared_requests`], as they are written.
pub(super) struct SharedText(pub(super) String);

impl Argument for SharedText {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        let requests = shared_requests(text).map_err(|error| error.to_string())?;
        match requests.iter().find(|(person, _)| !Person::is_known(person)) {
            Some((person, _)) => Err(format!("`{person}` is nobody whom steps know")),
            None => Ok(Self(text.to_owned())),
        }
    }
}

impl Argument for Request {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        let request = LiteralRequest::parse(text);
        request.map(|LiteralRequest(request)| request).map_err(|error| error.to_string())
    }
}

impl Argument for ScriptedResponse {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        let LiteralResponse { status, fields, body } =
            LiteralResponse::parse(text).map_err(|error| error.to_string())?;
        Ok(Self { status, fields, body })
    }
}

impl Argument for Exchange {
    const SOURCE: Source = Source::DocString;

    fn parse(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.to_string())
    }
}
