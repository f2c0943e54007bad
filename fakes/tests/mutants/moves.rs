//! A tour of moves with all their data.

use cell_fleet::{
    CellId, CellMutant, Event, Fleet, FleetPlan, Listen, MovePhase, Protocol, ReplicationLag,
};

/// The fleet whose moves are watched.
pub(crate) fn plan(protocol: Protocol, mutant: Option<&'static CellMutant>) -> FleetPlan {
    FleetPlan { mutant, ..FleetPlan::documents(protocol) }
}

/// Writes and reads in each phase of a move, with a dead mover, lagging replicas and a move back;
/// returns what was visible.
pub(crate) async fn tour(plan: FleetPlan) -> Vec<String> {
    let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
    let session = fleet.sign_in("anna").await.unwrap().value;
    let mut tour = Tour { fleet: &fleet, session, seen: Vec::new(), written: 0 };
    let (slug, to) = ("my-organization", CellId::us(1));
    let installation = fleet.installation();
    tour.write_and_read().await;
    for phase in [MovePhase::Freeze, MovePhase::CopyRest, MovePhase::Switch] {
        installation.kill_mover_in(slug, &to, phase).await.unwrap();
        tour.write_and_read().await;
        installation.take_move_back(slug).await.unwrap();
        tour.write_and_read().await;
    }
    installation.kill_mover_in(slug, &to, MovePhase::CopyRest).await.unwrap();
    for phase in MovePhase::ALL {
        if phase == MovePhase::Switch {
            fleet.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
        }
        tour.seen.push(format!("{:?}", installation.run_move(slug, &to, phase).await));
        tour.write_and_read().await;
    }
    fleet.release_replicas().await.unwrap();
    tour.seen.push(format!("{:?}", installation.run_move(slug, &to, MovePhase::CleanUp).await));
    tour.write_and_read().await;
    let mut seen = std::mem::take(&mut tour.seen);
    let journal = fleet.journal().clone();
    fleet.stop().await.unwrap();
    seen.extend(journal.entries().into_iter().filter_map(|entry| match entry.event {
        Event::MoveStep(step) => Some(format!("{step:?}")),
        _ => None,
    }));
    seen
}

struct Tour<'a> {
    fleet: &'a Fleet,
    session: String,
    seen: Vec<String>,
    written: usize,
}

impl Tour<'_> {
    async fn write_and_read(&mut self) {
        self.written += 1;
        let project = "/api/v4/projects/5001";
        let title = format!(r#"{{"title":"Change {0}","branch":"branch-{0}"}}"#, self.written);
        for cell in self.fleet.cells() {
            for page in ["/merge_requests", "/repository/branches"] {
                self.ask(&cell.id, "POST", &format!("{project}{page}"), &title).await;
            }
        }
        for cell in self.fleet.cells() {
            for page in
                ["", "/merge_requests", "/repository/branches", "/search?search=C", "/statistics"]
            {
                self.ask(&cell.id, "GET", &format!("{project}{page}"), "").await;
            }
        }
    }

    async fn ask(&mut self, cell: &CellId, method: &str, target: &str, body: &str) {
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n\
             Cookie: _gitlab_session={}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.session,
            body.len()
        );
        let response = super::ask(self.fleet.cell(cell).unwrap().address, &request).await;
        self.seen.push(format!("{method} {target} {cell}\n{}", super::without_date(&response)));
    }
}
