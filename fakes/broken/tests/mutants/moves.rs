//! A tour of moves with all their data, with a Git client and runners.

use std::collections::BTreeMap;

use cell_fleet::git::{self, MAIN, Service};
use cell_fleet::{CellId, Event, Fleet, FleetPlan, MovePhase, Protocol, ReplicationLag};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The repository that the client uses, and the project of the jobs.
const REPOSITORY: &str = "/my-company/my-project.git";
const PROJECT: &str = "my-company/my-project";

/// The fleet whose moves are watched.
pub(crate) fn plan(protocol: Protocol) -> FleetPlan {
    FleetPlan { ..FleetPlan::documents(protocol) }
}

/// Writes and reads in each phase of a move, with a dead mover, lagging replicas and a move back;
/// returns what was visible.
pub(crate) async fn tour(plan: FleetPlan, mutant: crate::Mutant) -> Vec<String> {
    let fleet = crate::start(plan, mutant).await;
    let session = fleet.sign_in("anna").await.unwrap().value;
    let mut tour = Tour {
        fleet: &fleet,
        session,
        seen: Vec::new(),
        written: 0,
        runners: BTreeMap::new(),
        given: Vec::new(),
    };
    tour.register().await;
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
    /// The token of the runner of each cell.
    runners: BTreeMap<CellId, Value>,
    /// The jobs that runners have.
    given: Vec<(CellId, Value)>,
}

impl Tour<'_> {
    async fn write_and_read(&mut self) {
        self.written += 1;
        let project = "/api/v4/projects/5001";
        let title = format!(r#"{{"title":"Change {0}","branch":"branch-{0}"}}"#, self.written);
        let fleet = self.fleet;
        for cell in fleet.cells() {
            for page in ["/merge_requests", "/repository/branches"] {
                self.ask(&cell.id, "POST", &format!("{project}{page}"), &title).await;
            }
            self.push(&cell.id).await;
        }
        self.run_jobs().await;
        for cell in self.fleet.cells() {
            for page in
                ["", "/merge_requests", "/repository/branches", "/search?search=C", "/statistics"]
            {
                self.ask(&cell.id, "GET", &format!("{project}{page}"), "").await;
            }
            self.clone(&cell.id).await;
        }
    }

    async fn register(&mut self) {
        for cell in self.fleet.cells() {
            let slug = cell.id.slug();
            let body = json!({ "token": format!("glrr-{slug}") }).to_string();
            let path = format!("/-/cells/{slug}/api/v4/runners");
            let (_, told) = self.exchange(&cell.id, "POST", &path, body.as_bytes()).await;
            let told: Value = serde_json::from_slice(&told).unwrap();
            self.runners.insert(cell.id.clone(), told["token"].clone());
        }
    }

    /// Runners report the jobs that they have and ask for others, of which more wait than they get.
    async fn run_jobs(&mut self) {
        for (cell, job) in std::mem::take(&mut self.given) {
            let path = format!("/-/cells/{}/api/v4/jobs/{}", cell.slug(), job["id"]);
            let report = json!({ "token": job["token"], "state": "success" }).to_string();
            let (status, _) = self.exchange(&cell, "PUT", &path, report.as_bytes()).await;
            self.seen.push(format!("job {} of {cell} ends: {status}", job["id"]));
        }
        let queued = self.fleet.installation().queue_jobs(PROJECT, 2).await;
        self.seen.push(format!("queued: {queued:?}"));
        for (cell, token) in self.runners.clone() {
            let path = format!("/-/cells/{}/api/v4/jobs/request", cell.slug());
            let body = json!({ "token": token }).to_string();
            let (status, told) = self.exchange(&cell, "POST", &path, body.as_bytes()).await;
            let job: Value = serde_json::from_slice(&told).unwrap_or_default();
            self.seen.push(format!("the runner of {cell} gets: {status}, job {}", job["id"]));
            if !job["id"].is_null() {
                self.given.push((cell, job));
            }
        }
    }

    /// Pushes a commit to a cell.
    async fn push(&mut self, cell: &CellId) {
        let Some(refs) = self.refs(cell, Service::Receive).await else { return };
        let (body, _) = git::push_request(&refs, &format!("Commit {} on {cell}", self.written));
        let path = format!("{REPOSITORY}/git-receive-pack");
        let (status, report) = self.exchange(cell, "POST", &path, &body).await;
        self.seen.push(format!("push to {cell}: {status}, {:?}", git::push_result(&report)));
    }

    /// Clones from a cell.
    async fn clone(&mut self, cell: &CellId) {
        let Some(refs) = self.refs(cell, Service::Upload).await else { return };
        let path = format!("{REPOSITORY}/git-upload-pack");
        let (status, pack) = self.exchange(cell, "POST", &path, &git::clone_request(&refs)).await;
        let titles = match git::cloned(refs, &pack) {
            Ok(repository) => format!("{:?}", repository.titles(MAIN).map_err(|it| it.to_string())),
            Err(error) => error.to_string(),
        };
        self.seen.push(format!("clone from {cell}: {status}, {titles}"));
    }

    async fn refs(&mut self, cell: &CellId, service: Service) -> Option<git::Advertised> {
        let path = format!("{REPOSITORY}/info/refs?service={}", service.as_str());
        let (status, body) = self.exchange(cell, "GET", &path, b"").await;
        self.seen.push(format!("{path} of {cell}: {status}"));
        status.contains("200").then(|| git::advertised(&body))
    }

    /// Sends a request, and returns the status line of the response and its body.
    async fn exchange(
        &self,
        cell: &CellId,
        method: &str,
        target: &str,
        body: &[u8],
    ) -> (String, Vec<u8>) {
        let kind = if body.starts_with(b"{") { "application/json" } else { "application/x-git" };
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n\
             Cookie: _gitlab_session={}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            self.session,
            body.len()
        );
        let mut stream = TcpStream::connect(self.fleet.cell(cell).unwrap().address).await.unwrap();
        stream.write_all(&[head.as_bytes(), body].concat()).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        let end = response.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&response[..end]);
        (status.lines().next().unwrap_or_default().to_owned(), response[end + 4..].to_vec())
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
