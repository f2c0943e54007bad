//! A tour of what cells do with ids, by each strategy.

use std::time::Duration;

use cell_fleet::{
    CellId, Event, Fleet, FleetPlan, IdDisturbance, IdPlan, IdStrategy, IdTable, Protocol,
};
use serde_json::Value;

/// A fleet for each strategy.
pub(crate) fn plans(protocol: Protocol) -> [FleetPlan; IdStrategy::ALL.len()] {
    IdStrategy::ALL.map(|strategy| {
        let cell_numbers = [(CellId::eu(0), 1023)].into();
        let id_plan = IdPlan { range_size: 3, cell_numbers, ..IdPlan::of(strategy) };
        FleetPlan { id_plan, ..FleetPlan::documents(protocol) }
    })
}

/// Inserts, creates, moves and looks up rows, and returns what was visible.
pub(crate) async fn tour(plan: FleetPlan, mutant: crate::Mutant) -> Vec<String> {
    let fleet = crate::start(plan, mutant).await;
    let session = fleet.sign_in("anna").await.unwrap().value;
    let mut tour = Tour { fleet: &fleet, session, seen: Vec::new() };
    let (home, target) = (CellId::eu(0), CellId::us(1));
    for table in [IdTable::Users, IdTable::Namespaces, IdTable::Projects, IdTable::MergeRequests] {
        for cell in fleet.cells() {
            fleet.installation().insert_rows(&cell.id, table, 2).await.unwrap();
        }
    }
    let record = tour.create(&home, "/api/v4/projects/5001/merge_requests").await;
    tour.create(&home, "/api/v4/projects/5001/merge_requests").await;
    tour.create(&home, &format!("/api/v4/projects/5001/merge_requests/{}/notes", record["iid"]))
        .await;
    tour.look_up(&record).await;
    fleet.installation().disturb_ids(IdDisturbance::Slow(Duration::from_millis(1)));
    for _ in 0..3 {
        tour.create(&home, "/api/v4/projects/5001/merge_requests").await;
    }
    fleet.installation().disturb_ids(IdDisturbance::Stop);
    for _ in 0..3 {
        tour.create(&home, "/api/v4/projects/5001/merge_requests").await;
    }
    fleet.installation().disturb_ids(IdDisturbance::Start);
    fleet.move_organization("my-organization", &target).await.unwrap();
    tour.look_up(&record).await;
    for cell in [&home, &target] {
        fleet.installation().insert_rows(cell, IdTable::MergeRequests, 4).await.unwrap();
    }
    let mut seen = std::mem::take(&mut tour.seen);
    let journal = fleet.journal().clone();
    fleet.stop().await.unwrap();
    seen.extend(journal.entries().into_iter().filter_map(|entry| match entry.event {
        Event::IdAllocated(drawn) => {
            Some(format!("{} {} {} {:?}", drawn.cell, drawn.table, drawn.id, drawn.range))
        }
        Event::RowsMoved(moved) => Some(format!("{moved:?}")),
        _ => None,
    }));
    without_chance(&seen)
}

struct Tour<'a> {
    fleet: &'a Fleet,
    session: String,
    seen: Vec<String>,
}

impl Tour<'_> {
    async fn create(&mut self, cell: &CellId, target: &str) -> Value {
        let body = r#"{"title":"A change","body":"A note"}"#;
        let head = format!(
            "POST {target} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {}",
            body.len()
        );
        let response = self.ask(cell, &head, body).await;
        let (_, body) = response.split_once("\r\n\r\n").unwrap_or_default();
        serde_json::from_str(body).unwrap_or_default()
    }

    /// Asks every cell for what a record and its former ids lead to.
    async fn look_up(&mut self, record: &Value) {
        let id = record["uuid"].as_str().map_or_else(|| record["id"].to_string(), str::to_owned);
        let project = "/api/v4/projects/5001";
        for target in [
            project.to_owned(),
            "/api/v4/projects/1".to_owned(),
            "/api/v4/groups/4001".to_owned(),
            format!("/api/v4/merge_requests/{id}"),
            format!("{project}/merge_requests/id/{id}"),
            format!("{project}/merge_requests/{}/notes", record["iid"]),
        ] {
            for cell in self.fleet.cells() {
                self.ask(&cell.id, &format!("GET {target} HTTP/1.1"), "").await;
            }
        }
    }

    async fn ask(&mut self, cell: &CellId, head: &str, body: &str) -> String {
        let request = format!(
            "{head}\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n\
             Cookie: _gitlab_session={}\r\nConnection: close\r\n\r\n{body}",
            self.session
        );
        let address = self.fleet.cell(cell).unwrap().address;
        let response = super::ask(address, &request).await;
        self.seen.push(format!("{head} {cell}\n{}", super::without_date(&response)));
        response
    }
}

/// What was seen, with the random part of each UUID replaced by the place of its first mention. The
/// digit of the version stays.
fn without_chance(seen: &[String]) -> Vec<String> {
    let mut known: Vec<String> = Vec::new();
    let mut plain = |text: &String| {
        let (mut kept, mut rest) = (String::new(), text.as_str());
        while let Some(next) = rest.chars().next() {
            let uuid = rest.get(..36).filter(|text| is_uuid(text));
            if let Some(uuid) = uuid {
                let place = known.iter().position(|other| other == uuid).unwrap_or_else(|| {
                    known.push(uuid.to_owned());
                    known.len() - 1
                });
                kept.push_str(&format!("<UUID {place}, version {}>", &uuid[14..15]));
                rest = &rest[36..];
            } else {
                kept.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        kept
    };
    seen.iter().map(&mut plain).collect()
}

fn is_uuid(text: &str) -> bool {
    text.bytes().enumerate().all(|(place, byte)| match place {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}
