//! Given steps about faults of responses and of connections. Those of responses name a cell by its
//! role, and a path or the subject of a pre-flight. With `, once`, only the first response has the
//! fault. Those of connections name a cell as the topology does: a router meets them before the cell
//! has a role.

use std::time::Duration;

use cell_fleet::fault::ResponseFault::{
    self, BodyInPieces, BodyUnread, BreaksOffInBody, BreaksOffInHead, EarlyHints, HangsUp,
    HeadInPieces, Late, LongField, ManyBytes, NeverResponds, OwnAddress, Padded, RawBytes,
    RedirectsToItself, RedirectsToReceivedHost, StrayBytes, TwoEvents,
};
use cell_fleet::fault::{At, Fault};
use cucumber::given;

use super::doc_strings::{FieldLines, WireBytes};
use super::meaning::Meaning;
use super::parameters::{
    About, Breaks, Cells, Delivery, Moment, Number, OnConnections, Once, Part, Redirected,
    RegionName,
};
use crate::plan::ScenarioPlan;

#[given(expr = "{cells} never responds to {about}{string}{once}")]
fn never_responds_to(step: &mut Meaning, cells: Cells, about: About, path: String, once: Once) {
    step.condition(move |plan| Faulty::about(cells, about, path, once).by(plan, NeverResponds));
}

#[given(expr = "{cells} {ending} the connection {moment} {about}{string}{once}")]
fn breaks_off(
    step: &mut Meaning,
    cells: Cells,
    ending: Breaks,
    moment: Moment,
    about: About,
    path: String,
    once: Once,
) {
    let ending = ending.0;
    let fault = match moment {
        Moment::BeforeResponse => HangsUp { ending },
        Moment::WithinHead => BreaksOffInHead { ending },
        Moment::WithinBody => BreaksOffInBody { chunked: false, ending },
        Moment::WithinChunkedBody => BreaksOffInBody { chunked: true, ending },
    };
    step.condition(move |plan| Faulty::about(cells, about, path, once).by(plan, fault));
}

#[given(expr = "{cells} sends the {part} of its response to {about}{string} in pieces, \
             {number} ms apart{once}")]
fn in_pieces(
    step: &mut Meaning,
    cells: Cells,
    part: Part,
    about: About,
    path: String,
    apart: Number,
    once: Once,
) {
    let apart = Duration::from_millis(apart.0);
    let fault = match part {
        Part::Head => HeadInPieces { apart },
        Part::Body => BodyInPieces { apart },
    };
    step.condition(move |plan| Faulty::about(cells, about, path, once).by(plan, fault));
}

#[given(expr = "{cells} responds to {about}{string} with raw bytes{once}:")]
fn responds_raw(step: &mut Meaning, cells: Cells, about: About, path: String, once: Once) {
    let Some(bytes) = step.doc_string::<WireBytes>() else { return };
    step.condition(move |plan| {
        Faulty::about(cells, about, path, once).by(plan, RawBytes { bytes: bytes.0 })
    });
}

#[given(expr = "{cells} sends bytes {number} ms after its response to {string}{once}:")]
fn sends_bytes_after(step: &mut Meaning, cells: Cells, after: Number, path: String, once: Once) {
    let Some(bytes) = step.doc_string::<WireBytes>() else { return };
    step.condition(move |plan| {
        let after = Duration::from_millis(after.0);
        Faulty::path(cells, path, once).by(plan, StrayBytes { bytes: bytes.0, after })
    });
}

#[given(expr = "{cells} names its own address in its response to {string}{once}:")]
fn names_its_own_address(step: &mut Meaning, cells: Cells, path: String, once: Once) {
    let Some(fields) = step.doc_string::<FieldLines>() else { return };
    step.condition(move |plan| {
        Faulty::path(cells, path, once).by(plan, OwnAddress { fields: fields.0 })
    });
}

#[given(expr = "{cells} responds to {string} with a field of {number} bytes{once}")]
fn responds_with_field(step: &mut Meaning, cells: Cells, path: String, length: Number, once: Once) {
    step.condition(move |plan| {
        Faulty::path(cells, path, once).by(plan, LongField { length: length.size() })
    });
}

#[given(expr = "{cells} responds to {about}{string} after {number} ms{once}")]
fn late(step: &mut Meaning, cells: Cells, about: About, path: String, by: Number, once: Once) {
    step.condition(move |plan| {
        Faulty::about(cells, about, path, once).by(plan, Late { by: Duration::from_millis(by.0) })
    });
}

#[given(expr = "{cells} responds to {string} with {number} bytes{delivery}{once}")]
fn responds_with_bytes(
    step: &mut Meaning,
    cells: Cells,
    path: String,
    length: Number,
    delivery: Delivery,
    once: Once,
) {
    let fault = ManyBytes {
        length: length.0,
        chunked: delivery == Delivery::InChunks,
        second_half_waits: delivery == Delivery::InHalves,
    };
    step.condition(move |plan| Faulty::path(cells, path, once).by(plan, fault));
}

#[given(expr = "{cells} responds to {string} with two events, the second when released{once}")]
fn responds_with_two_events(step: &mut Meaning, cells: Cells, path: String, once: Once) {
    step.condition(move |plan| Faulty::path(cells, path, once).by(plan, TwoEvents));
}

#[given(expr = "{cells} reads nothing of the body of {string} until released{once}")]
fn reads_nothing_body_until_released(step: &mut Meaning, cells: Cells, path: String, once: Once) {
    step.condition(move |plan| Faulty::path(cells, path, once).by(plan, BodyUnread));
}

#[given(expr = "{cells} sends 103 before its response to {string}{once}")]
fn sends_103_before_its_response_to(step: &mut Meaning, cells: Cells, path: String, once: Once) {
    step.condition(move |plan| Faulty::path(cells, path, once).by(plan, EarlyHints));
}

#[given(expr = "{cells} redirects {string} to {redirected}{once}")]
fn redirects_to(step: &mut Meaning, cells: Cells, path: String, to: Redirected, once: Once) {
    let fault = match to {
        Redirected::OwnAddress => RedirectsToItself,
        Redirected::ReceivedHost => RedirectsToReceivedHost,
    };
    step.condition(move |plan| Faulty::path(cells, path, once).by(plan, fault));
}

#[given(
    expr = "{cells} responds to a pre-flight about {string} with a body of {number} bytes{once}"
)]
fn long_pre_flight(step: &mut Meaning, cells: Cells, path: String, length: Number, once: Once) {
    step.condition(move |plan| {
        Faulty(cells, At::PreFlight(path), once).by(plan, Padded { length: length.size() })
    });
}

/// Which responses have a fault, and how often.
struct Faulty(Cells, At, Once);

impl Faulty {
    fn path(cells: Cells, path: String, once: Once) -> Self {
        Self(cells, At::Path(path), once)
    }

    fn about(cells: Cells, about: About, path: String, once: Once) -> Self {
        Self(cells, if about.preflight { At::PreFlight(path) } else { At::Path(path) }, once)
    }

    fn by(self, plan: &mut ScenarioPlan, fault: ResponseFault) -> Result<(), String> {
        let Self(cells, at, once) = self;
        let times = once.0.then_some(1);
        for cell in cells.of(plan)? {
            plan.fleet.faults.push(Fault::of_responses(cell, at.clone(), times, fault.clone()));
        }
        Ok(())
    }
}

#[given(expr = "{cells} {connections}")]
fn fault_of_connections(step: &mut Meaning, cells: Cells, connections: OnConnections) {
    step.condition(move |plan| {
        let of_cells = cells.of(plan)?.into_iter();
        let faults = of_cells.map(|cell| Fault::of_connections(cell, connections.0));
        plan.fleet.faults.extend(faults);
        Ok(())
    });
}

#[given(expr = "the cells of the {region} region respond after {number} ms")]
fn the_cells_of_the_region_respond_after_ms(step: &mut Meaning, region: RegionName, by: Number) {
    step.condition(move |plan| {
        plan.fleet.latency.insert(region.0, Duration::from_millis(by.0));
    });
}
