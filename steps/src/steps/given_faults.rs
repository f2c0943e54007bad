//! Given steps about faults of responses. They name a cell by its role, and a path or the subject
//! of a pre-flight. With `, once`, only the first response has the fault.

use std::time::Duration;

use cell_fleet::fault::{
    At, BodyInPieces, BodyUnread, BreaksOffInBody, BreaksOffInHead, EarlyHints, Ending, Fault,
    HangsUp, HeadInPieces, Late, LongField, ManyBytes, NeverResponds, OwnAddress, Padded, RawBytes,
    RedirectsToItself, RedirectsToReceivedHost, ResponseFault, StrayBytes, TwoEvents,
};

use super::definition::{Definition, given};
use super::doc_strings::{FieldLines, WireBytes};
use super::parameters::{About, Cells, Number, Once};
use crate::plan::ScenarioPlan;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        given(
            "{cells} never responds to {about}{string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, about: About, path: String, once: Once| {
                Faulty::about(cells, about, path, once).by(plan, NeverResponds);
            },
        ),
        given(
            "{cells} closes the connection instead of responding to {about}{string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, about: About, path: String, once: Once| {
                Faulty::about(cells, about, path, once).by(plan, HangsUp { ending: Ending::Close });
            },
        ),
        given(
            "{cells} resets the connection instead of responding to {about}{string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, about: About, path: String, once: Once| {
                Faulty::about(cells, about, path, once).by(plan, HangsUp { ending: Ending::Reset });
            },
        ),
        given(
            "{cells} resets the connection within the head of its response to {string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, BreaksOffInHead { ending: Ending::Reset });
            },
        ),
        given(
            "{cells} resets the connection within the body of its response to {string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once)
                    .by(plan, BreaksOffInBody { chunked: false, ending: Ending::Reset });
            },
        ),
        given(
            "{cells} closes the connection within the body of its response to {string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once)
                    .by(plan, BreaksOffInBody { chunked: false, ending: Ending::Close });
            },
        ),
        given(
            "{cells} closes the connection within the chunked body of its response to \
             {string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once)
                    .by(plan, BreaksOffInBody { chunked: true, ending: Ending::Close });
            },
        ),
        given(
            "{cells} sends the head of its response to {about}{string} in pieces, {number} ms \
             apart{once}",
            |plan: &mut ScenarioPlan,
             cells: Cells,
             about: About,
             path: String,
             apart: Number,
             once: Once| {
                Faulty::about(cells, about, path, once)
                    .by(plan, HeadInPieces { apart: Duration::from_millis(apart.0) });
            },
        ),
        given(
            "{cells} sends the body of its response to {string} in pieces, {number} ms apart{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, apart: Number, once: Once| {
                Faulty::path(cells, path, once)
                    .by(plan, BodyInPieces { apart: Duration::from_millis(apart.0) });
            },
        ),
        given(
            "{cells} responds to {about}{string} with raw bytes{once}:",
            |plan: &mut ScenarioPlan,
             cells: Cells,
             about: About,
             path: String,
             once: Once,
             bytes: WireBytes| {
                Faulty::about(cells, about, path, once).by(plan, RawBytes { bytes: bytes.0 });
            },
        ),
        given(
            "{cells} sends bytes {number} ms after its response to {string}{once}:",
            |plan: &mut ScenarioPlan,
             cells: Cells,
             after: Number,
             path: String,
             once: Once,
             bytes: WireBytes| {
                let after = Duration::from_millis(after.0);
                Faulty::path(cells, path, once).by(plan, StrayBytes { bytes: bytes.0, after });
            },
        ),
        given(
            "{cells} names its own address in its response to {string}{once}:",
            |plan: &mut ScenarioPlan,
             cells: Cells,
             path: String,
             once: Once,
             fields: FieldLines| {
                Faulty::path(cells, path, once).by(plan, OwnAddress { fields: fields.0 });
            },
        ),
        given(
            "{cells} responds to {string} with a field of {number} bytes{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, length: Number, once: Once| {
                Faulty::path(cells, path, once).by(plan, LongField { length: length.size() });
            },
        ),
        given(
            "{cells} responds to {about}{string} after {number} ms{once}",
            |plan: &mut ScenarioPlan,
             cells: Cells,
             about: About,
             path: String,
             by: Number,
             once: Once| {
                Faulty::about(cells, about, path, once)
                    .by(plan, Late { by: Duration::from_millis(by.0) });
            },
        ),
        given(
            "{cells} responds to {string} with {number} bytes{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, length: Number, once: Once| {
                Faulty::path(cells, path, once).by(
                    plan,
                    ManyBytes { length: length.0, chunked: false, second_half_waits: false },
                );
            },
        ),
        given(
            "{cells} responds to {string} with {number} bytes in chunks{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, length: Number, once: Once| {
                Faulty::path(cells, path, once).by(
                    plan,
                    ManyBytes { length: length.0, chunked: true, second_half_waits: false },
                );
            },
        ),
        given(
            "{cells} responds to {string} with {number} bytes, the second half when released{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, length: Number, once: Once| {
                Faulty::path(cells, path, once).by(
                    plan,
                    ManyBytes { length: length.0, chunked: false, second_half_waits: true },
                );
            },
        ),
        given(
            "{cells} responds to {string} with two events, the second when released{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, TwoEvents);
            },
        ),
        given(
            "{cells} reads nothing of the body of {string} until released{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, BodyUnread);
            },
        ),
        given(
            "{cells} sends 103 before its response to {string}{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, EarlyHints);
            },
        ),
        given(
            "{cells} redirects {string} to its own address{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, RedirectsToItself);
            },
        ),
        given(
            "{cells} redirects {string} to the host it received{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, once: Once| {
                Faulty::path(cells, path, once).by(plan, RedirectsToReceivedHost);
            },
        ),
        given(
            "{cells} responds to a pre-flight about {string} with a body of {number} bytes{once}",
            |plan: &mut ScenarioPlan, cells: Cells, path: String, length: Number, once: Once| {
                Faulty(cells, At::PreFlight(path), once).by(plan, Padded { length: length.size() });
            },
        ),
    ]
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

    fn by(self, plan: &mut ScenarioPlan, fault: impl Into<ResponseFault>) {
        let Self(cells, at, once) = self;
        plan.fleet.faults.push(Fault::of_responses(cells.0, at, once.0.then_some(1), fault));
    }
}
