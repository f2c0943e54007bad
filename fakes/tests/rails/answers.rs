//! What cells say about every path of the contract: in every spelling, by every method, to everyone
//! who may ask. The folder `answers` holds it, so that a change of the routes shows what it
//! changes for users.
//!
//! Below a path are its spellings with their methods, and below these who asked (`out` is nobody),
//! the cells, the status, the fields in their order, and the heading. `*` is everyone or every
//! cell; what is equal is one row.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use cell_fleet::{CellId, FleetPlan, Protocol, Version};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::support::{Ask, LEARN, Response, Site};

/// The paths of the contract, and similar ones.
const PATHS: &[&str] = &[
    "/",
    "*",
    "/dashboard",
    "/dashboard/projects",
    "/dashboard/other",
    "/users",
    "/users/sign_in",
    "/users/sign_out",
    "/users/sign_up",
    "/users/other",
    "/groups",
    "/groups/new",
    "/groups/other",
    "/admin",
    "/admin/cells",
    "/admin/cells/celleu0",
    "/admin/cells/celleu0/projects",
    "/admin/cells/cell_eu1/routes",
    "/admin/cells/cell_0/settings",
    "/admin/cells/celleu0/other/page",
    "/admin/cells/nowhere/projects",
    "/organizations/my-organization",
    "/organizations/my-organization/-/dashboard",
    "/organizations/my-organization/groups",
    "/organizations/my-organization/groups/new",
    "/organizations/my-organization/other",
    "/organizations/nobody/-/dashboard",
    "/api",
    "/api/graphql",
    "/api/organizations/my-organization/graphql",
    "/api/organizations/my-organization/other",
    "/api/organizations/nobody/graphql",
    "/api/v4/projects",
    "/api/v4/projects/5001",
    "/api/v4/projects/my-company%2Fmy-project",
    "/api/v4/projects/my-company%2Fmy-project/issues",
    "/api/v4/projects/5001/merge_requests",
    "/api/v4/projects/5001/merge_requests/1/notes",
    "/api/v4/projects/5001/pipeline",
    "/api/v4/projects/5001/repository/branches",
    "/api/v4/projects/5001/search",
    "/api/v4/projects/5001/statistics",
    "/api/v4/projects/5001/other",
    "/api/v4/projects/5001.git/info/refs",
    "/api/v4/projects/nobody",
    "/api/v4/groups/4001",
    "/api/v4/groups/4001/projects",
    "/api/v4/groups/4001/other",
    "/api/v4/groups/my-company",
    "/api/v4/merge_requests/1",
    "/api/v4/merge_requests/nobody",
    "/api/v4/runners",
    "/api/v4/jobs",
    "/api/v4/jobs/request",
    "/api/v4/jobs/7",
    "/api/v4/jobs/other",
    "/api/v4/jobs/7/trace",
    "/-/cells/celleu0",
    "/-/cells/celleu0/api/v4/runners",
    "/-/cells/celleu0/api/v4/jobs/request",
    "/-/cells/celleu0/api/v4/jobs/7",
    "/-/cells/celleu0/a/b.git/info/refs",
    "/-/cells/nowhere/api/v4/runners",
    "/-/user_settings",
    "/-/user_settings/password",
    "/-/user_settings/personal_access_tokens",
    "/-/user_settings/active_sessions",
    "/-/user_settings/other",
    "/-/profile",
    "/-/cable",
    "/-/just-added",
    "/-/nothing",
    "/search",
    "/search/autocomplete",
    "/my-company",
    "/my-company/my-project",
    "/my-company/my-project/-/issues",
    "/my-company/my-project/-/cable",
    "/my-company/my-project.git/info/refs",
    "/my-company/my-project.git/git-upload-pack",
    "/my-company/my-project.git/git-receive-pack",
    "/my-company/my-project.git/HEAD",
    "/my-company/nothing",
    "/gitlab-org/gitlab",
    "/gitlab-org/gitlab.git/info/refs",
    "/nobody/nothing",
    LEARN,
    "/api/v4/cells/learn",
];

const METHODS: [&str; 9] =
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "TRACE"];

/// Nobody, members of an organization and of none, an admin, and what programs send.
const ASKING: [&str; 7] = ["out", "gabe", "olga", "git", "runner", "registrar", "anna"];

/// A path in other spellings, as Z-10 has them for one of them, with a name for each: `P` is the
/// path.
fn spellings(path: &str) -> Vec<(&'static str, String)> {
    let Some(rest) = path.strip_prefix('/') else { return Vec::new() };
    let (parent, name) = path.rsplit_once('/').unwrap_or_default();
    let (letter, after) = name.split_at(name.len().min(1));
    let code = letter.bytes().next().map_or("2F".to_owned(), |byte| format!("{byte:02X}"));
    let around = ["P/", "P//", "P/.", "P/x/..", "P;x=1", "P%00", "P%09", "P%20", "P%FF", "P%"];
    let around = around.into_iter().chain(["P?a=/b", "P.json", "/P", "/.P", "/x/..P"]);
    let around = around.chain(["/%2e%2EP", "/%FF/..P", "http://gitlab.exampleP"]);
    let mut spelled: Vec<_> = around.map(|name| (name, name.replace('P', path))).collect();
    spelled.extend([
        ("upper", path.to_uppercase()),
        ("doubled", format!("/{}", rest.replace('/', "//"))),
        ("%2F", format!("/{}", rest.replace('/', "%2F"))),
        ("backslash", format!("/{}", rest.replace('/', "\\"))),
        ("escaped", format!("{parent}/%{code}{after}")),
        ("twice", format!("{parent}/%25{code}{after}")),
    ]);
    spelled.retain(|(_, one)| one != path);
    spelled
}

/// The fleet of the documents, with one older cell and what that one does not know.
async fn site(protocol: Protocol) -> Site {
    let mut plan = FleetPlan::documents(protocol);
    plan.population.add_endpoint("/-/just-added", Version::LATEST);
    plan.older.insert(CellId::eu(1), Version::OLDER);
    Site::planned(plan).await
}

/// A request of one who asks.
async fn asked(site: &Site, method: &str, target: &str, who: &str) -> Ask {
    let ask = Ask { method: method.parse().unwrap(), ..Ask::get(target) };
    let form =
        |body: &str| Ask { method: ask.method.clone(), body: body.to_owned(), ..Ask::get(target) };
    match who {
        "out" => ask,
        // `nina:no-token`, in base64.
        "git" => ask.field("authorization", "Basic bmluYTpuby10b2tlbg=="),
        "runner" => form("token=glrt-celleu0-1&state=running"),
        "registrar" => form("token=glrr-celleu0-1"),
        name => site.as_user(ask, Some(name)).await,
    }
}

/// A response, without what differs from run to run.
fn shown(response: &Response, target: &str) -> String {
    let mut shown = response.status.as_u16().to_string();
    for (name, value) in &response.fields {
        let value = match name.as_str() {
            "location" => {
                let carried = target.strip_prefix("http://gitlab.example").unwrap_or(target);
                match value.strip_prefix("/users/sign_in?redirect=") {
                    Some(value) if decoded(value) == carried => "SIGN-IN".to_owned(),
                    None if value == carried => "TARGET".to_owned(),
                    _ => value.clone(),
                }
            }
            "set-cookie" => value.split_once('=').unwrap().0.to_owned(),
            // The heading tells pages apart.
            "content-length" => if value == "0" { "0" } else { "n" }.to_owned(),
            _ => value.clone(),
        };
        write!(shown, " {name}={value}").unwrap();
    }
    if !response.heading().is_empty() {
        write!(shown, " <{}>", response.heading()).unwrap();
    }
    shown
}

fn decoded(value: &str) -> String {
    percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned()
}

/// Equal values together: their names, and the value.
fn grouped(rows: impl IntoIterator<Item = (String, String)>) -> Vec<(Vec<String>, String)> {
    let (mut order, mut names) = (Vec::new(), BTreeMap::<String, Vec<String>>::new());
    for (name, value) in rows {
        let of_value = names.entry(value.clone()).or_default();
        if of_value.is_empty() {
            order.push(value);
        }
        of_value.push(name);
    }
    order.into_iter().map(|value| (names.remove(&value).unwrap(), value)).collect()
}

fn joined(names: &[String], all: usize) -> String {
    if names.len() == all { "*".to_owned() } else { names.join(",") }
}

async fn answers(site: &Site, method: &str, target: &str, asking: &[&str]) -> String {
    let mut rows = Vec::new();
    for who in asking {
        let mut of_cells = Vec::new();
        for cell in &site.cells {
            let response = site.ask(cell, &asked(site, method, target, who).await).await;
            of_cells.push((cell.slug()[4..].to_owned(), shown(&response, target)));
        }
        for (names, answer) in grouped(of_cells) {
            rows.push((
                (*who).to_owned(),
                format!("{} {answer}", joined(&names, site.cells.len())),
            ));
        }
    }
    let rows = grouped(rows).into_iter();
    rows.map(|(who, answer)| format!("    {} {answer}\n", joined(&who, asking.len()))).collect()
}

/// The blocks of one path: equal ones are one, below the spellings and methods that have it.
fn blocks(path: &str, rows: Vec<((&str, &str), String)>) -> String {
    let rows =
        rows.into_iter().map(|((spelling, method), block)| (format!("{spelling} {method}"), block));
    let mut text = format!("{path}\n");
    for (names, block) in grouped(rows) {
        let names = names.iter().filter_map(|name| name.split_once(' '));
        let of_spellings =
            grouped(names.map(|(spelling, method)| (method.to_owned(), spelling.to_owned())));
        let of_methods =
            of_spellings.into_iter().map(|(methods, spelling)| (spelling, methods.join(",")));
        for (spellings, methods) in grouped(of_methods) {
            writeln!(text, "  {methods} {}", spellings.join(" ")).unwrap();
        }
        text.push_str(&block);
    }
    text
}

async fn all_answers(protocol: Protocol) -> String {
    let mut text = String::new();
    for path in PATHS {
        let paths = METHODS.map(|method| ("P", method, (*path).to_owned(), &ASKING[..]));
        let spelled = spellings(path).into_iter().flat_map(|(spelling, target)| {
            ["GET", "POST"].map(|method| (spelling, method, target.clone(), &["out", "anna"][..]))
        });
        let (mut unchanged, mut rows) = (site(protocol).await, Vec::new());
        for (spelling, method, target, asking) in paths.into_iter().chain(spelled) {
            rows.push(((spelling, method), answers(&unchanged, method, &target, asking).await));
            if !unchanged.writes().is_empty() {
                unchanged = site(protocol).await;
            }
        }
        text.push_str(&blocks(path, rows));
    }
    text
}

/// What cells say before a visit: about every path and spelling, and about what is no target.
async fn learned() -> String {
    let (site, mut text) = (site(Protocol::Learning).await, String::new());
    let others = [
        "",
        "my-company",
        "/users/a b",
        "/admin/cells/celleu0/é",
        "/a?b",
        "/users/<#>",
        "/groups#new",
    ];
    for path in PATHS.iter().chain(&others) {
        let spellings = if others.contains(path) { Vec::new() } else { spellings(path) };
        let mut rows = Vec::new();
        for (spelling, target) in std::iter::once(("P", (*path).to_owned())).chain(spellings) {
            let path_info = utf8_percent_encode(&target, NON_ALPHANUMERIC);
            let ask = Ask::get(&format!("{LEARN}?method=GET&path_info={path_info}"));
            let mut of_cells = Vec::new();
            for cell in &site.cells {
                let response = site.ask(cell, &ask).await;
                let answer = format!("{} {}", shown(&response, ""), response.body);
                let answer = answer.replace(&format!("\"{target}\""), "TARGET");
                of_cells.push((cell.slug()[4..].to_owned(), answer));
            }
            let answers = grouped(of_cells).into_iter();
            let answers =
                answers.map(|(cells, answer)| format!("    {} {answer}\n", joined(&cells, 4)));
            rows.push(((spelling, "GET"), answers.collect()));
        }
        text.push_str(&blocks(path, rows));
    }
    text
}

/// `UPDATE_ANSWERS=1` writes the file again.
fn holds(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rails/answers").join(name);
    if std::env::var_os("UPDATE_ANSWERS").is_some() {
        std::fs::write(&file, text).unwrap();
    }
    let held = std::fs::read_to_string(&file).unwrap();
    for (number, (held, now)) in held.lines().zip(text.lines()).enumerate() {
        assert_eq!(held, now, "{}:{}", file.display(), number + 1);
    }
    assert_eq!(held.lines().count(), text.lines().count(), "{}", file.display());
}

#[tokio::test]
async fn in_buffering_cells_say_what_they_said() {
    holds("buffering.txt", &all_answers(Protocol::Buffering).await);
}

#[tokio::test]
async fn in_learning_cells_say_what_they_said() {
    holds("learning.txt", &all_answers(Protocol::Learning).await);
}

#[tokio::test]
async fn before_a_visit_cells_say_what_they_said() {
    holds("learned.txt", &learned().await);
}
