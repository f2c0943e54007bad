//! Given steps about faults of responses. They name a cell as the documents do, and a path or what
//! a pre-flight is about; `, once` spoils only the first response.

use std::time::Duration;

use cell_fleet::fault::{
    At, BodyInPieces, BodyUnread, BreaksOffInBody, BreaksOffInHead, EarlyHints, Ending, Fault,
    HangsUp, HeadInPieces, Late, LongField, ManyBytes, NeverResponses, Padded, RawBytes,
    RedirectsAsTold, RedirectsToItself, ResponseFault, TwoEvents,
};
use cucumber::gherkin::Step;
use cucumber::given;

use super::doc_string;
use super::parameters::{About, Cells, Number, Once};
use crate::people::wire_bytes;
use crate::world::World;

/// Whose responses to what are spoilt, and how often.
struct Spoilt(Cells, At, Once);

impl Spoilt {
    fn path(cells: Cells, path: String, once: Once) -> Self {
        Self(cells, At::Path(path), once)
    }

    fn about(cells: Cells, about: About, path: String, once: Once) -> Self {
        Self(cells, if about.preflight { At::PreFlight(path) } else { At::Path(path) }, once)
    }

    fn by(self, world: &mut World, fault: impl Into<ResponseFault>) {
        let Self(cells, at, once) = self;
        world.plan().fleet.faults.push(Fault::of_responses(
            cells.0,
            at,
            once.0.then_some(1),
            fault,
        ));
    }
}

#[given(expr = "{cells} never responds to {about}{string}{once}")]
fn never_responds(world: &mut World, cells: Cells, about: About, path: String, once: Once) {
    Spoilt::about(cells, about, path, once).by(world, NeverResponses);
}

#[given(expr = "{cells} closes the connection instead of responding to {about}{string}{once}")]
fn closes_instead(world: &mut World, cells: Cells, about: About, path: String, once: Once) {
    Spoilt::about(cells, about, path, once).by(world, HangsUp { ending: Ending::Close });
}

#[given(expr = "{cells} resets the connection instead of responding to {about}{string}{once}")]
fn resets_instead(world: &mut World, cells: Cells, about: About, path: String, once: Once) {
    Spoilt::about(cells, about, path, once).by(world, HangsUp { ending: Ending::Reset });
}

#[given(expr = "{cells} resets the connection within the head of its response to {string}{once}")]
fn resets_in_head(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, BreaksOffInHead { ending: Ending::Reset });
}

#[given(expr = "{cells} resets the connection within the body of its response to {string}{once}")]
fn resets_in_body(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, BreaksOffInBody { chunked: false, ending: Ending::Reset });
}

#[given(expr = "{cells} closes the connection within the body of its response to {string}{once}")]
fn closes_in_body(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, BreaksOffInBody { chunked: false, ending: Ending::Close });
}

#[given(
    expr = "{cells} closes the connection within the chunked body of its response to {string}{once}"
)]
fn closes_in_chunks(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, BreaksOffInBody { chunked: true, ending: Ending::Close });
}

#[given(
    expr = "{cells} sends the head of its response to {about}{string} in pieces, {number} ms apart{once}"
)]
fn head_in_pieces(
    world: &mut World,
    cells: Cells,
    about: About,
    path: String,
    apart: Number,
    once: Once,
) {
    Spoilt::about(cells, about, path, once)
        .by(world, HeadInPieces { apart: Duration::from_millis(apart.0) });
}

#[given(
    expr = "{cells} sends the body of its response to {string} in pieces, {number} ms apart{once}"
)]
fn body_in_pieces(world: &mut World, cells: Cells, path: String, apart: Number, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, BodyInPieces { apart: Duration::from_millis(apart.0) });
}

#[given(expr = "{cells} responds to {about}{string} with the bytes{once}:")]
fn raw_bytes(world: &mut World, cells: Cells, about: About, path: String, once: Once, step: &Step) {
    match doc_string(step).and_then(|text| wire_bytes(text).map_err(|error| error.to_string())) {
        Ok(bytes) => Spoilt::about(cells, about, path, once).by(world, RawBytes { bytes }),
        Err(why) => world.refuse(why),
    }
}

#[given(expr = "{cells} responds to {string} with a field of {number} bytes{once}")]
fn long_field(world: &mut World, cells: Cells, path: String, length: Number, once: Once) {
    Spoilt::path(cells, path, once).by(world, LongField { length: length.size() });
}

#[given(expr = "{cells} responds to {about}{string} after {number} ms{once}")]
fn late(world: &mut World, cells: Cells, about: About, path: String, by: Number, once: Once) {
    Spoilt::about(cells, about, path, once).by(world, Late { by: Duration::from_millis(by.0) });
}

#[given(expr = "{cells} responds to {string} with {number} bytes{once}")]
fn many_bytes(world: &mut World, cells: Cells, path: String, length: Number, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, ManyBytes { length: length.0, chunked: false, second_half_waits: false });
}

#[given(expr = "{cells} responds to {string} with {number} bytes in chunks{once}")]
fn many_bytes_in_chunks(world: &mut World, cells: Cells, path: String, length: Number, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, ManyBytes { length: length.0, chunked: true, second_half_waits: false });
}

#[given(
    expr = "{cells} responds to {string} with {number} bytes, the second half when released{once}"
)]
fn bytes_in_halves(world: &mut World, cells: Cells, path: String, length: Number, once: Once) {
    Spoilt::path(cells, path, once)
        .by(world, ManyBytes { length: length.0, chunked: false, second_half_waits: true });
}

#[given(expr = "{cells} responds to {string} with two events, the second when released{once}")]
fn two_events(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, TwoEvents);
}

#[given(expr = "{cells} reads nothing of the body of {string} until released{once}")]
fn body_unread(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, BodyUnread);
}

#[given(expr = "{cells} sends 103 before its response to {string}{once}")]
fn early_hints(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, EarlyHints);
}

#[given(expr = "{cells} redirects {string} to its own address{once}")]
fn redirects_to_itself(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, RedirectsToItself);
}

#[given(expr = "{cells} redirects {string} under the host that it is told{once}")]
fn redirects_as_told(world: &mut World, cells: Cells, path: String, once: Once) {
    Spoilt::path(cells, path, once).by(world, RedirectsAsTold);
}

#[given(
    expr = "{cells} responds to a pre-flight about {string} with a body of {number} bytes{once}"
)]
fn padded(world: &mut World, cells: Cells, path: String, length: Number, once: Once) {
    Spoilt(cells, At::PreFlight(path), once).by(world, Padded { length: length.size() });
}
