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
        raw: Some(Text::from(&b"GET /\xff\r\n"[..])),
        first_bytes: Some(Stamp { sequence: 7, at: Duration::from_millis(3) }),
        elapsed_ms: Some(12),
        taken: Some(1),
        seen_flow: Some(2),
        heard: vec!["cell_eu0: hello".to_owned()],
        interim: vec![100, 103],
        hung: true,
        ..UserRequest::default()
    };
    let waited = Some(Duration::from_secs(20));
    let users = vec![noticed, UserRequest::default()];
    let trace = Trace { users, waited, ..Trace::default() };
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

/// A small text that would take gigabytes of memory.
#[test]
fn a_report_that_repeats_its_rows_too_often_is_refused() {
    let report = |change: fn(&mut serde_json::Value)| {
        let json = crate::report::sample::report().to_json();
        let mut json = serde_json::from_str(&json).unwrap();
        change(&mut json);
        let text = json.to_string();
        assert!(text.len() < 1_000_000, "{}", text.len());
        RunRecord::from_json(&text).map(drop)
    };
    let heads: fn(&mut serde_json::Value) = |json| {
        let hop = serde_json::json!({
            "cell": "cell_eu0", "origin": "unsolicited", "at": [1, 1], "connection": 1,
            "request_line": "GET / HTTP/1.1", "head": 0,
        });
        json["tables"]["fields"] = serde_json::json!([["a", "b".repeat(1_000)]]);
        json["tables"]["heads"] = serde_json::json!([vec![0; 10_000]]);
        json["scenarios"][0]["trace"] = serde_json::json!({"users": [], "hops": vec![hop; 4_000]});
    };
    let runs: fn(&mut serde_json::Value) = |json| {
        let row = serde_json::json!(["a", {"pieces": [["b", 60_000_000]]}]);
        json["tables"]["fields"] = serde_json::json!(vec![row; 1_000]);
    };
    let routers: fn(&mut serde_json::Value) = |json| {
        let name = "r".repeat(100_000);
        json["tables"]["routers"] = serde_json::json!([
            {"name": name, "ready": true, "stopped": true, "address_freed": true}
        ]);
        json["scenarios"][0]["trace"] =
            serde_json::json!({"users": [], "hops": [], "routers": vec![0; 100_000]});
    };
    assert_eq!(report(|_| ()), Ok(()));
    for change in [heads, runs, routers] {
        let why = report(change).unwrap_err();
        assert!(why.contains("it repeats rows or characters so often"), "{why}");
    }
}
