//! Given steps about faults of responses and of connections. Those of responses name a cell by its
//! role, and a path or the subject of a pre-flight. With `, once`, only the first response has the
//! fault. Those of connections name a cell as the topology does: a router meets them before the cell
//! has a role.

use std::time::Duration;

use cell_fleet::fault::ResponseFault::{
    self, AheadOfBody, BodyInPieces, BodyUnread, BreaksOffInBody, BreaksOffInHead, EarlyHints,
    HangsUp, HeadInPieces, Late, LongField, ManyBytes, NeverResponds, OwnAddress, Padded, RawBytes,
    RedirectsToItself, RedirectsToReceivedHost, StrayBytes, TwoEvents,
};
use cell_fleet::fault::{At, Fault};

use super::doc_strings::{FieldLines, WireBytes};
use super::parameters::{
    About, Breaks, Cells, Delivery, Moment, Number, OnConnections, Once, Part, Redirected,
    RegionName,
};
use crate::plan::ScenarioPlan;

given!(
    "{cells} never responds to {about}{string}{once}",
    |plan, cells: Cells, about: About, path: String, once: Once| {
        Faulty::about(cells, about, path, once).by(plan, NeverResponds)
    }
);
given!(
    "{cells} {ending} the connection {moment} {about}{string}{once}",
    |plan, cells: Cells, ending: Breaks, moment: Moment, about: About, path: String, once: Once| {
        let ending = ending.0;
        let fault = match moment {
            Moment::BeforeResponse => HangsUp { ending },
            Moment::WithinHead => BreaksOffInHead { ending },
            Moment::WithinBody => BreaksOffInBody { chunked: false, ending },
            Moment::WithinChunkedBody => BreaksOffInBody { chunked: true, ending },
        };
        Faulty::about(cells, about, path, once).by(plan, fault)
    }
);
given!(
    "{cells} sends the {part} of its response to {about}{string} in pieces, {number} ms apart{once}",
    |plan, cells: Cells, part: Part, about: About, path: String, apart: Number, once: Once| {
        let apart = Duration::from_millis(apart.0);
        let fault = match part {
            Part::Head => HeadInPieces { apart },
            Part::Body => BodyInPieces { apart },
        };
        Faulty::about(cells, about, path, once).by(plan, fault)
    }
);
given!(
    "{cells} responds to {about}{string} with raw bytes{once}:" with bytes: WireBytes,
    |plan, cells: Cells, about: About, path: String, once: Once| {
        Faulty::about(cells, about, path, once).by(plan, RawBytes { bytes: bytes.0 })
    }
);
given!(
    "{cells} sends bytes {number} ms after its response to {string}{once}:" with bytes: WireBytes,
    |plan, cells: Cells, after: Number, path: String, once: Once| {
        let after = Duration::from_millis(after.0);
        Faulty::path(cells, path, once).by(plan, StrayBytes { bytes: bytes.0, after })
    }
);
given!(
    "{cells} names its own address in its response to {string}{once}:" with fields: FieldLines,
    |plan, cells: Cells, path: String, once: Once| {
        Faulty::path(cells, path, once).by(plan, OwnAddress { fields: fields.0 })
    }
);
given!(
    "{cells} responds to {string} with a field of {number} bytes{once}",
    |plan, cells: Cells, path: String, length: Number, once: Once| {
        Faulty::path(cells, path, once).by(plan, LongField { length: length.size() })
    }
);
given!(
    "{cells} responds to {about}{string} after {number} ms{once}",
    |plan, cells: Cells, about: About, path: String, by: Number, once: Once| {
        Faulty::about(cells, about, path, once).by(plan, Late { by: Duration::from_millis(by.0) })
    }
);
given!(
    "{cells} responds to {string} with {number} bytes{delivery}{once}",
    |plan, cells: Cells, path: String, length: Number, delivery: Delivery, once: Once| {
        let fault = ManyBytes {
            length: length.0,
            chunked: delivery == Delivery::InChunks,
            second_half_waits: delivery == Delivery::InHalves,
        };
        Faulty::path(cells, path, once).by(plan, fault)
    }
);
given!(
    "{cells} responds to {string} with two events, the second when released{once}",
    |plan, cells: Cells, path: String, once: Once| {
        Faulty::path(cells, path, once).by(plan, TwoEvents)
    }
);
given!(
    "{cells} reads nothing of the body of {string} until released{once}",
    |plan, cells: Cells, path: String, once: Once| {
        Faulty::path(cells, path, once).by(plan, BodyUnread)
    }
);
given!(
    "{cells} responds to {string} ahead of the body{once}",
    |plan, cells: Cells, path: String, once: Once| {
        Faulty::path(cells, path, once).by(plan, AheadOfBody)
    }
);
given!(
    "{cells} sends 103 before its response to {string}{once}",
    |plan, cells: Cells, path: String, once: Once| {
        Faulty::path(cells, path, once).by(plan, EarlyHints)
    }
);
given!(
    "{cells} redirects {string} to {redirected}{once}",
    |plan, cells: Cells, path: String, to: Redirected, once: Once| {
        let fault = match to {
            Redirected::OwnAddress => RedirectsToItself,
            Redirected::ReceivedHost => RedirectsToReceivedHost,
        };
        Faulty::path(cells, path, once).by(plan, fault)
    }
);
given!(
    "{cells} responds to a pre-flight about {string} with a body of {number} bytes{once}",
    |plan, cells: Cells, path: String, length: Number, once: Once| {
        Faulty(cells, At::PreFlight(path), once).by(plan, Padded { length: length.size() })
    }
);

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

given!("{cells} {connections}", |plan, cells: Cells, connections: OnConnections| {
    let of_cells = cells.of(plan)?.into_iter();
    let faults = of_cells.map(|cell| Fault::of_connections(cell, connections.0));
    plan.fleet.faults.extend(faults);
    Ok(())
});
given!(
    "the cells of the {region} region respond after {number} ms",
    |plan, region: RegionName, by: Number| {
        plan.fleet.latency.insert(region.0, Duration::from_millis(by.0));
    }
);
