//! Every literal request, sent to a real fleet over TCP, gets its literal response.

use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{CellId, Event, Field, Fleet, FleetPlan, Journal, Listen, Protocol};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{self, Exchange};

/// The timeout of one exchange. Each response comes at once.
const TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn buffering_cells_send_the_literal_responses() {
    compare_all(Protocol::Buffering).await;
}

#[tokio::test]
async fn learning_cells_send_the_literal_responses() {
    compare_all(Protocol::Learning).await;
}

async fn compare_all(protocol: Protocol) {
    let fleet = Fleet::start(FleetPlan::documents(protocol), Listen::Ephemeral).await.unwrap();
    let exchanges = fixture::all();
    let mut different = Vec::new();
    for exchange in exchanges.iter().filter(|exchange| exchange.protocol() == protocol.as_str()) {
        let id: CellId = exchange.cell.parse().unwrap();
        assert_eq!(id.id(), exchange.cell, "{}: the cell is named by its id", exchange.name);
        let cell = fleet
            .cell(&id)
            .unwrap_or_else(|| panic!("{}: the documents have no {id}", exchange.name));
        let mut more = Vec::new();
        if let Some(user) = &exchange.user {
            let cookie = fleet.sign_in(user).await.unwrap();
            more.push(format!("Cookie: {}={}", cookie.name, cookie.value));
        }
        let bytes = exchange.request.bytes(&more);
        let response = tokio::time::timeout(TIMEOUT, ask(cell.address, &bytes))
            .await
            .expect("the cell responds");
        different.extend(compare(exchange, &response));
        assert_eq!(
            last_request(fleet.journal()),
            (exchange.request.start.clone(), fields(exchange, &more)),
            "{}",
            exchange.name
        );
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    fleet.stop().await.unwrap();
}

async fn ask(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

/// The differences between a response and the literal one.
fn compare(exchange: &Exchange, response: &str) -> Vec<String> {
    let name = &exchange.name;
    let Some((head, body)) = response.split_once("\r\n\r\n") else {
        return vec![format!("{name}: no response: {response:?}")];
    };
    let mut lines = head.split("\r\n");
    let mut different = Vec::new();
    let start = lines.next().unwrap_or_default();
    if start != exchange.response.start {
        different.push(format!("{name}: {start}, not {}", exchange.response.start));
    }
    let lines: Vec<_> = lines.collect();
    // The number of lines matters too: a second redirect header is malformed.
    let of =
        |wanted: &str| lines.iter().filter(|line| is(line, wanted)).copied().collect::<Vec<_>>();
    for field in exchange.response.fields.iter().filter(|field| !is(field, "Content-Length")) {
        let wanted = field.split(':').next().unwrap_or_default();
        if of(wanted) != [field] {
            different.push(format!("{name}: {:?}, not {field:?}", of(wanted)));
        }
    }
    for absent in &exchange.without {
        if !of(absent).is_empty() {
            different.push(format!("{name}: with {:?}", of(absent)));
        }
    }
    if exchange.response.field("Content-Type") == Some("application/json") {
        let [got, wanted] =
            [body, &exchange.response.body].map(|body| serde_json::from_str::<Value>(body).ok());
        assert!(wanted.is_some(), "{name}: the literal body is not valid JSON");
        if got != wanted {
            different.push(format!("{name}: {body}, not {}", exchange.response.body));
        }
    }
    different
}

fn is(line: &str, name: &str) -> bool {
    line.split(':').next().is_some_and(|have| have.eq_ignore_ascii_case(name))
}

/// The request line and the header lines of the last request in the journal.
fn last_request(journal: &Journal) -> (String, Vec<String>) {
    let entries = journal.entries();
    let mut seen = entries.iter().rev().filter_map(|entry| {
        if let Event::Request(seen) = &entry.event { Some(seen) } else { None }
    });
    let seen = seen.next().expect("the request was read");
    let line = |Field { name, value }: &Field| format!("{name}: {value}");
    (seen.request_line.to_string(), seen.fields.iter().map(line).collect())
}

fn fields(exchange: &Exchange, more: &[String]) -> Vec<String> {
    exchange.request.fields.iter().chain(more).cloned().collect()
}

#[test]
fn differences_are_found() {
    let exchange = fixture::all()
        .into_iter()
        .find(|exchange| exchange.name == "buffering/project-redirect")
        .unwrap();
    let literal = String::from_utf8(exchange.response.bytes(&[])).unwrap();
    assert_eq!(compare(&exchange, &literal), [""; 0]);
    let line = "X-Gitlab-Cell-Redirect: {cell:Cell EU0}\r\n";
    for other in [
        literal.replace("302", "307"),
        literal.replace(line, ""),
        literal.replace(line, &line.repeat(2)),
        literal.replace(line, &line.to_lowercase()),
        literal.replace("EU0", "EU1"),
        literal.replace(line, &format!("{line}x-gitlab-cell-cache: {{path_prefix:/x/}}\r\n")),
        "HTTP/1.1 302".to_owned(),
    ] {
        assert_eq!(compare(&exchange, &other).len(), 1, "{other}");
    }
    let exchange = fixture::all()
        .into_iter()
        .find(|exchange| exchange.name == "learning/learn-exact")
        .unwrap();
    let response =
        |body: &str| format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{body}");
    let same = response(
        r#" {"exact": true, "source": "fixed", "cell": "cell_us0", "path": "/-/profile"}"#,
    );
    assert_eq!(compare(&exchange, &same), [""; 0]);
    for other in [
        same.replace("true", "false"),
        same.replace("{", ""),
        same.replace("\"exact\"", "\"exakt\""),
    ] {
        assert_eq!(compare(&exchange, &other).len(), 1, "{other}");
    }
}
