use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{CellId, Text};

use super::*;
use crate::engine::record::{RunRecord, keep_bodies};
use crate::trace::{ConformanceId, UserRequest};

/// A report with this trace, as JSON; it holds the same when it is read again.
fn written(trace: Trace) -> String {
    let mut record = crate::report::sample::report();
    keep_bodies(&trace, &mut record.bodies);
    let trace = Arc::new(trace);
    record.scenarios[0].trace = Some(trace.clone());
    let json = record.to_json();
    let again = RunRecord::from_json(&json).unwrap();
    assert_eq!(again.scenarios[0].trace, Some(trace));
    json
}

#[test]
fn what_a_user_noticed_survives_a_report() {
    let noticed = UserRequest {
        id: ConformanceId("anna.1".to_owned()),
        raw: Some(Text(b"GET /\xff\r\n".to_vec())),
        first_bytes: Some(Stamp { sequence: 7, at: Duration::from_millis(3) }),
        elapsed_ms: Some(12),
        taken: Some(1),
        seen_flow: Some(2),
        heard: vec!["cell_eu0: hello".to_owned()],
        interim: vec![100, 103],
        ..UserRequest::default()
    };
    let trace = Trace { users: vec![noticed, UserRequest::default()], ..Trace::default() };
    let json = written(trace);
    assert_eq!(json.matches("\"raw\"").count() + json.matches("\"heard\"").count(), 2);
}

#[test]
fn the_cells_of_a_fleet_survive_a_report() {
    let address = ([127, 1, 2, 3], 22_001).into();
    let cells = vec![InstalledCell { cell: CellId::us(1), address, own_host: true }];
    let trace = Trace { cells, ..Trace::default() };
    written(trace);
}
