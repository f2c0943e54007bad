//! Mutants against correct cells: each mutant changes something that is visible from outside.

#[path = "mutants/ids.rs"]
mod ids;
#[path = "mutants/moves.rs"]
mod moves;
#[path = "mutants/runners.rs"]
mod runners;
#[path = "mutants/sessions.rs"]
mod sessions;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use broken_cells::{CellMutant, cell_mutants};
use cell_fleet::inside::{CorrectParts, MakesParts};
use cell_fleet::{
    CellId, Event, Fleet, FleetPlan, IdStrategy, Listen, Protocol, ReplicationLag, Topology,
    Version,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Requirements of the fleet profile that only permit something: no cell can violate them.
const PERMISSIONS: [&str; 9] =
    ["OR-04", "OR-08", "OR-18", "RG-06", "TD-11", "SE-02", "SE-04", "ID-03", "ID-06"];

const VISITS: &[(&str, &str)] = &[
    ("", "/"),
    ("", "/dashboard"),
    ("", "/users/sign_in"),
    ("", "/users/sign_up"),
    ("", "/gitlab-org/gitlab"),
    ("", "/my-company/handbook"),
    ("", "/not-my-company/not-my-project"),
    ("", "/my-company/my-project.git/info/refs?service=git-upload-pack"),
    ("anna", "/"),
    ("anna", "/dashboard"),
    ("anna", "/organizations/my-organization/-/dashboard"),
    ("anna", "/my-company/my-project"),
    ("anna", "/gitlab-org/gitlab"),
    ("anna", "/not-my-company/not-my-project"),
    ("anna", "/groups/new"),
    ("anna", "/search"),
    ("nina", "/not-my-company/not-my-project"),
    ("gabe", "/"),
    ("gabe", "/dashboard"),
    ("gabe", "/dashboard/projects"),
    ("gabe", "/search"),
    ("gabe", "/-/user_settings"),
    ("gabe", "/my-company/handbook"),
    ("olga", "/admin"),
    ("olga", "/admin/cells/cellus0/settings"),
    ("olga", "/admin/cells/celleu0/settings"),
    ("olga", "/admin/cells/cellus0/routes"),
    ("olga", "/admin/cells/celleu0/routes"),
];

const FORMS: &[(&str, &str, &str)] = &[
    ("", "/users/sign_in?redirect=/gitlab-org", "username=nina&password=nina-password"),
    ("", "/users/sign_in", "username=gabe&password=gabe-password"),
    ("gabe", "/-/user_settings/password", "current_password=gabe-password&password=another"),
    ("nina", "/-/user_settings/personal_access_tokens", ""),
    ("", "/users/sign_up", "username=ada&password=x&membership=join&organization=my-organization"),
    ("", "/users/sign_up", "username=bob&password=x&membership=neither"),
    ("anna", "/organizations/my-organization/groups", "path=acme&visibility=public"),
    ("anna", "/groups", "path=apart"),
    ("gabe", "/-/user_settings", "default_organization=my-organization"),
    ("anna", "/-/user_settings", "default_organization=GitLab.com+Public"),
    ("gabe", "/-/profile", "status=away"),
    ("olga", "/admin/cells/cellus0/settings", "signup_enabled=false"),
    ("nina", "/users/sign_out", ""),
];

const LEARNT: &[(&str, &str)] = &[
    ("GET", "/my-company/my-project"),
    ("GET", "/not-my-company"),
    ("POST", "/not-my-company"),
    ("GET", "/dashboard"),
    ("GET", "/users/sign_in"),
    ("GET", "/-/just-added"),
];

const AFTERWARDS: &[(&str, &str)] = &[
    ("", "/acme"),
    ("", "/api/v4/internal/cells/learn?method=GET&path_info=/acme"),
    ("anna", "/"),
    ("anna", "/apart"),
    ("anna", "/organizations/my-organization/-/dashboard"),
    ("gabe", "/"),
    ("gabe", "/-/profile"),
    ("olga", "/admin/cells/cellus0/settings"),
    ("olga", "/admin/cells/celleu0/settings"),
    ("nina", "/"),
    ("new nina", "/"),
    ("ada", "/"),
    ("bob", "/"),
];

/// A mutant; `None` for correct cells.
type Mutant = Option<&'static CellMutant>;

async fn start(plan: FleetPlan, mutant: Mutant) -> Fleet {
    let correct = || Arc::new(CorrectParts) as _;
    let parts = mutant.map_or_else(correct, |mutant| mutant.parts(plan.protocol));
    Fleet::start_with(plan, Listen::Ephemeral, parts).await.unwrap()
}

/// Visits every page of a fleet, and returns what was visible.
async fn tour(plan: FleetPlan, mutant: Mutant) -> Vec<String> {
    let fleet = start(plan, mutant).await;
    let mut tour = Tour { fleet: &fleet, sessions: Vec::new(), token: None, seen: Vec::new() };
    for person in ["anna", "gabe", "nina", "olga"] {
        let cookie = fleet.sign_in(person).await.unwrap();
        tour.sessions.push((person.to_owned(), cookie.value));
    }
    tour.visit().await;
    for (who, target, form) in FORMS {
        let length = form.len();
        let kind = "Content-Type: application/x-www-form-urlencoded";
        tour.everywhere(
            who,
            &format!("POST {target} HTTP/1.1\r\n{kind}\r\nContent-Length: {length}"),
            form,
        )
        .await;
    }
    // What the forms have changed, for existing users and for new ones.
    for (who, target) in AFTERWARDS {
        tour.everywhere(who, &format!("GET {target} HTTP/1.1"), "").await;
    }
    if let Some(token) = tour.token.take() {
        tour.with_token(&token, 5101).await;
        tour.seen.iter_mut().for_each(|seen| *seen = seen.replace(&token, "..."));
    }
    let mut seen = std::mem::take(&mut tour.seen);
    let journal = fleet.journal().clone();
    fleet.stop().await.unwrap();
    seen.extend(journal.entries().into_iter().filter_map(|entry| match entry.event {
        Event::Database(access) => {
            Some(format!("{} {} {} {}", access.cell, access.server, access.table, access.write))
        }
        Event::Request(request) => Some(format!("{} {}", request.cell, request.request_line)),
        _ => None,
    }));
    seen
}

struct Tour<'a> {
    fleet: &'a Fleet,
    sessions: Vec<(String, String)>,
    /// The first token that a form has created.
    token: Option<String>,
    seen: Vec<String>,
}

impl Tour<'_> {
    async fn visit(&mut self) {
        for (who, target) in VISITS {
            self.everywhere(who, &format!("GET {target} HTTP/1.1"), "").await;
        }
        for (method, path) in LEARNT {
            self.everywhere(
                "",
                &format!(
                    "GET /api/v4/internal/cells/learn?method={method}&path_info={path} HTTP/1.1"
                ),
                "",
            )
            .await;
        }
        for (token, project) in [("glpat-olga", 5001), ("glpat-nina", 5101)] {
            self.with_token(token, project).await;
        }
    }

    async fn with_token(&mut self, token: &str, project: u64) {
        let head = format!("GET /api/v4/projects/{project} HTTP/1.1\r\nPrivate-Token: {token}");
        self.everywhere("", &head, "").await;
    }

    async fn everywhere(&mut self, who: &str, head: &str, body: &str) {
        for cell in self.fleet.cells() {
            let session = self.sessions.iter().find(|(name, _)| name == who);
            let cookie = session
                .map(|(_, session)| format!("Cookie: _gitlab_session={session}\r\n"))
                .unwrap_or_default();
            let request = format!(
                "{head}\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n{cookie}\
                 Connection: close\r\n\r\n{body}"
            );
            let response = ask(cell.address, &request).await;
            let response = self.without_chance(&response, body);
            self.seen.push(format!("{who} {head} {}\n{response}", cell.id));
        }
    }

    /// The response without the random value of a new session, which is kept for later visits.
    fn without_chance(&mut self, response: &str, form: &str) -> String {
        let token = response
            .split_once("<code id=\"token\">")
            .and_then(|(_, rest)| rest.split_once("</code>"));
        if let Some((token, _)) = token {
            self.token.get_or_insert_with(|| token.to_owned());
            return without_date(&response.replace(token, "..."));
        }
        let given = |line: &&str| line.starts_with("Set-Cookie: ") && !line.contains("Max-Age=0");
        let Some(line) = response.lines().find(given) else { return without_date(response) };
        let (name, rest) = line.split_once('=').unwrap();
        let value = rest.split(';').next().unwrap();
        let user = form.split(['=', '&']).nth(1).unwrap_or_default();
        let user = if user == "nina" { "new nina" } else { user };
        if name.ends_with("_gitlab_session") && self.sessions.iter().all(|(known, _)| known != user)
        {
            self.sessions.push((user.to_owned(), value.to_owned()));
        }
        without_date(&response.replace(value, "..."))
    }
}

fn without_date(response: &str) -> String {
    response.lines().filter(|line| !line.starts_with("Date: ")).collect::<Vec<_>>().join("\n")
}

async fn ask(address: SocketAddr, request: &str) -> String {
    let asked = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    };
    tokio::time::timeout(Duration::from_secs(10), asked).await.unwrap()
}

/// How many fleets are visited beside those of the strategies for ids.
const PLAIN_PLANS: usize = 3;

/// The fleets that are visited: that of the documents, one with replicas that replay nothing, with
/// an older cell and with another latest one, and one of a single cell.
fn plans(protocol: Protocol) -> [FleetPlan; PLAIN_PLANS] {
    let documents = FleetPlan { ..FleetPlan::documents(protocol) };
    let older = [(CellId::eu(1), Version::OLDER)].into();
    let topology = Topology { latest: CellId::us(1), ..documents.topology.clone() };
    let lag = ReplicationLag::UntilReleased;
    let late = FleetPlan { lag, older, topology, ..documents.clone() };
    let mut alone = FleetPlan { topology: Topology::single_cell(), ..documents.clone() };
    for organization in &mut alone.population.organizations {
        organization.placement.cell = alone.topology.latest.clone();
    }
    [documents, late, alone]
}

async fn tours(protocol: Protocol) -> Vec<Vec<String>> {
    let mut tours = Vec::new();
    for plan in plans(protocol) {
        tours.push(tour(plan, None).await);
    }
    for plan in ids::plans(protocol) {
        tours.push(ids::tour(plan, None).await);
    }
    for plan in runners::plans(protocol) {
        tours.push(runners::tour(plan, None).await);
    }
    for plan in sessions::plans(protocol) {
        tours.push(sessions::tour(plan, None).await);
    }
    tours.push(moves::tour(moves::plan(protocol), None).await);
    tours
}

/// Whether a tour shows the mutant.
async fn is_visible(
    mutant: &'static CellMutant,
    protocol: Protocol,
    correct: &[Vec<String>],
) -> bool {
    if mutant.requirement.starts_with("ID-") {
        let plans = ids::plans(protocol).into_iter();
        let correct = correct.iter().skip(PLAIN_PLANS);
        for (plan, correct) in plans.zip(correct) {
            if ids::tour(plan, Some(mutant)).await != *correct {
                return true;
            }
        }
        return false;
    }
    if mutant.requirement.starts_with("RU-") || mutant.requirement == "AD-11" {
        let plans = runners::plans(protocol).into_iter();
        let correct = correct.iter().skip(PLAIN_PLANS + IdStrategy::ALL.len());
        for (plan, correct) in plans.zip(correct) {
            if runners::tour(plan, Some(mutant)).await != *correct {
                return true;
            }
        }
        return false;
    }
    if mutant.requirement.starts_with("MV-") {
        let seen = moves::tour(moves::plan(protocol), Some(mutant)).await;
        return correct.last() != Some(&seen);
    }
    if mutant.requirement.starts_with("SE-") {
        let plans = sessions::plans(protocol).into_iter();
        let before = PLAIN_PLANS + IdStrategy::ALL.len() + runners::plans(protocol).len();
        let correct = correct.iter().skip(before);
        for (plan, correct) in plans.zip(correct) {
            if sessions::tour(plan, Some(mutant)).await != *correct {
                return true;
            }
        }
    }
    for (plan, correct) in plans(protocol).into_iter().zip(correct) {
        if tour(plan, Some(mutant)).await != *correct {
            return true;
        }
    }
    false
}

async fn each_mutant_is_visible_as_its_table_says(protocol: Protocol) {
    let (correct, again) = (tours(protocol).await, tours(protocol).await);
    let other =
        correct.iter().flatten().zip(again.iter().flatten()).find(|(one, other)| one != other);
    assert_eq!(other, None, "two tours of correct cells differ");
    let mut wrong = Vec::new();
    for mutant in cell_mutants() {
        let expected = mutant.protocols.contains(&protocol);
        let is_visible = is_visible(mutant, protocol, &correct).await;
        wrong.extend((is_visible != expected).then_some(mutant.name));
    }
    assert!(
        wrong.is_empty(),
        "in {}, these are visible and should not be, or are not visible: {wrong:?}",
        protocol.as_str()
    );
}

#[tokio::test]
async fn each_mutant_is_visible_in_buffering_exactly_if_its_table_says_so() {
    each_mutant_is_visible_as_its_table_says(Protocol::Buffering).await;
}

#[tokio::test]
async fn each_mutant_is_visible_in_learning_exactly_if_its_table_says_so() {
    each_mutant_is_visible_as_its_table_says(Protocol::Learning).await;
}

/// Every row of the fleet profile that can be tested over HTTP and forbids something has a mutant.
#[test]
fn every_fleet_row_of_the_ledger_has_a_mutant() {
    let ledger: toml::Table = include_str!("../fixtures/requirements.toml").parse().unwrap();
    let rows = ledger["requirement"].as_array().unwrap();
    let id = |row: &toml::Value| row["id"].as_str().unwrap().to_owned();
    let all: BTreeSet<_> = rows.iter().map(id).collect();
    let fleet = rows
        .iter()
        .filter(|row| row["profile"].as_str() == Some("fleet") && row.get("untested").is_none());
    let violated: BTreeSet<_> =
        cell_mutants().iter().map(|mutant| mutant.requirement.to_owned()).collect();
    let missing: Vec<_> = fleet
        .map(id)
        .filter(|id| !violated.contains(id) && !PERMISSIONS.contains(&id.as_str()))
        .collect();
    assert!(missing.is_empty(), "no mutant violates {missing:?}");
    let unknown: Vec<_> = violated.difference(&all).collect();
    assert!(unknown.is_empty(), "the ledger does not have {unknown:?}");
}
