//! Bodies in a record: their bytes stand once, and traces name them.

use std::collections::BTreeMap;

use cell_fleet::{BodySeen, Text};
use serde::{Deserialize, Serialize};

use crate::trace::{Trace, held};

/// A body: its length, and its bytes up to 64 KiB; of a longer one, its first KiB. Its name is the
/// SHA-256 of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Body {
    /// Bytes in all.
    pub length: u64,
    /// The first bytes.
    pub beginning: Text,
}

/// Whether the record has the bytes of a body: it was seen, and is not empty.
fn is_kept(body: &BodySeen) -> bool {
    body.is_known() && !body.is_empty()
}

/// Adds the bodies of a trace to those of a record, the longer ones by their beginning.
pub(crate) fn keep_bodies(trace: &Trace, bodies: &mut BTreeMap<String, Body>) {
    for body in trace.bodies().filter(|body| is_kept(body)) {
        bodies.entry(body.name()).or_insert_with(|| Body {
            length: body.length,
            beginning: Text(body.beginning.slice_ref(held(body))),
        });
    }
}

/// Gives the bodies of a trace that was read their lengths and bytes.
pub(super) fn find_bodies(
    trace: &mut Trace,
    bodies: &BTreeMap<String, Body>,
) -> Result<(), String> {
    for body in trace.bodies_mut().filter(|body| is_kept(body)) {
        let name = body.name();
        let found = bodies.get(&name).ok_or_else(|| format!("the report has no body {name}"))?;
        (body.length, body.beginning) = (found.length, found.beginning.0.clone());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use bytes::Bytes;
    use cell_fleet::{CellId, Stamp};

    use super::*;
    use crate::engine::record::RunRecord;
    use crate::trace::made::TIMED_OUT;
    use crate::trace::{ConformanceId, Hop, InstalledCell, Origin, UserRequest, UserResponse};

    /// A report with this trace, and its JSON.
    fn report(trace: Trace) -> (RunRecord, String) {
        let mut record = crate::report::sample::report();
        keep_bodies(&trace, &mut record.bodies);
        record.scenarios[0].trace = Some(Arc::new(trace));
        let json = record.to_json();
        (record, json)
    }

    #[test]
    fn what_happened_survives_a_report() {
        let stamp = |sequence| Stamp { sequence, at: Duration::from_millis(sequence) };
        let noticed = UserRequest {
            id: ConformanceId("anna.1".to_owned()),
            raw: Some(Text::from(&b"GET /\xff\r\n"[..])),
            body: BodySeen::of(&Bytes::from_static(b"\xff\x00")),
            first_bytes: Some(stamp(7)),
            elapsed_ms: Some(12),
            heard: vec!["cell_eu0: hello".to_owned()],
            interim: vec![100, 103],
            response: Some(UserResponse { at: stamp(8), got: Err(TIMED_OUT) }),
            ..UserRequest::default()
        };
        let cell = CellId::us(1);
        let address = ([127, 1, 2, 3], 22_001).into();
        let mut hop = Hop::made(cell.clone(), Origin::User(0), stamp(2), "PUT", "/a".into());
        hop.read = Some((stamp(3), BodySeen::unknown(9)));
        let trace = Trace {
            users: vec![noticed, UserRequest::default()],
            hops: vec![hop],
            cells: vec![InstalledCell { cell, address, own_host: true }],
            waited_ms: Some(20_000),
            ..Trace::default()
        };
        let (record, json) = report(trace);
        assert_eq!(RunRecord::from_json(&json), Ok(record));
        // What a user did not notice takes no place.
        assert_eq!(json.matches("\"heard\"").count(), 1);
    }

    #[test]
    fn a_long_body_is_held_by_its_beginning() {
        let long = Bytes::from(vec![b'x'; 64 * 1024 + 1]);
        let body = BodySeen::of(&long);
        let user = UserRequest { body: body.clone(), ..UserRequest::default() };
        let (_, json) = report(Trace { users: vec![user], ..Trace::default() });
        let again = RunRecord::from_json(&json).unwrap();
        let read = &again.scenarios[0].trace.as_ref().unwrap().users[0].body;
        assert_eq!((read.length, read.digest), (body.length, body.digest));
        assert_eq!(read.beginning, long.slice(..1024));
    }
}
