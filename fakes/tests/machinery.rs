//! A complete fleet from outside: started, used over TCP, stopped.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use cell_fleet::{
    CellId, Event, Fleet, FleetPlan, Listen, Protocol, Script, ScriptedAction, ScriptedResponse,
    StartError, Topology, Version,
};
use futures_util::FutureExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn documents() -> FleetPlan {
    FleetPlan::documents(Protocol::Buffering)
}

async fn ask(address: SocketAddr, request: &str) -> String {
    let asked = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    };
    tokio::time::timeout(Duration::from_secs(10), asked).await.unwrap()
}

#[tokio::test]
async fn all_cells_of_the_documents_write_one_journal() {
    let fleet = Fleet::start(documents(), Listen::Ephemeral).await.unwrap();
    let ids: Vec<_> = fleet.cells().iter().map(|cell| cell.id.clone()).collect();
    assert_eq!(ids, Topology::documents().cells);
    for cell in fleet.cells() {
        assert_eq!(cell.url(), format!("http://127.0.0.1:{}", cell.address.port()));
        let response = ask(
            cell.address,
            "GET /gitlab-org/gitlab?tab=1 HTTP/1.1\r\nHOST: gitlab.example\r\n\r\n",
        )
        .await;
        assert!(response.starts_with("HTTP/1.1 "), "{response}");
    }
    let journal = fleet.journal().clone();
    fleet.stop().await.unwrap();
    let entries = journal.entries();
    let requests: Vec<_> = entries
        .iter()
        .filter_map(|entry| if let Event::Request(seen) = &entry.event { Some(seen) } else { None })
        .collect();
    assert_eq!(requests.iter().map(|seen| seen.cell.clone()).collect::<Vec<_>>(), ids);
    for seen in requests {
        assert_eq!(seen.request_line, "GET /gitlab-org/gitlab?tab=1 HTTP/1.1");
        assert_eq!(
            (&seen.fields[0].name, &seen.fields[0].value),
            (&"HOST".into(), &"gitlab.example".into())
        );
        // The response, and everything that the cell did for it, is entered after the request.
        let responded = entries.iter().position(
            |entry| matches!(&entry.event, Event::Response(response) if response.hop == seen.hop),
        );
        let asked = entries.iter().position(
            |entry| matches!(&entry.event, Event::Request(request) if request.hop == seen.hop),
        );
        assert!(asked < responded);
    }
}

#[tokio::test]
async fn an_address_belongs_to_one_fleet_at_a_time() {
    // No other process has this address: a process id has 22 bits.
    let [_, a, b, c] = std::process::id().to_be_bytes();
    let (ip, first_port) = (Ipv4Addr::new(127, a | 0x80, b, c), 21_000);
    let listen = Listen::At { ip, first_port };
    let fleet = Fleet::start(documents(), listen.clone()).await.unwrap();
    let addresses: Vec<_> = fleet.cells().iter().map(|cell| cell.address).collect();
    assert_eq!(
        addresses,
        (0..4).map(|index| SocketAddr::from((ip, first_port + index))).collect::<Vec<_>>()
    );
    match Fleet::start(documents(), listen.clone()).await {
        Err(StartError::AddressInUse { cell, address }) => {
            assert_eq!((cell, address), (CellId::us(0), addresses[0]))
        }
        other => panic!("{other:?}"),
    }
    let last = SocketAddr::from((ip, first_port + 3));
    ask(last, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
    fleet.stop().await.unwrap();
    Fleet::start(documents(), listen).await.unwrap().stop().await.unwrap();
}

#[tokio::test]
async fn an_invalid_plan_is_refused_before_a_cell_listens() {
    let fixed = Listen::Fixed(vec!["127.0.0.1:0".parse().unwrap()]);
    let message = async |plan, listen| Fleet::start(plan, listen).await.unwrap_err().to_string();
    assert!(message(documents(), fixed).await.contains("there are 4 cells but 1 addresses"));
    assert!(
        message(documents(), Listen::At { ip: Ipv4Addr::LOCALHOST, first_port: 65533 })
            .await
            .contains("fewer than 4 ports from 65533 up")
    );
    let elsewhere = FleetPlan { older: [(CellId::eu(7), Version::OLDER)].into(), ..documents() };
    assert!(message(elsewhere, Listen::Ephemeral).await.contains("`older` names cell_eu7"));
    let action = ScriptedAction::Response(ScriptedResponse {
        status: 200,
        fields: Vec::new(),
        body: String::new(),
    });
    let script = Script { cell: Some(CellId::eu(7)), path: "/x".to_owned(), action };
    assert!(
        message(FleetPlan { scripts: vec![script], ..documents() }, Listen::Ephemeral)
            .await
            .contains("it is for cell_eu7")
    );
}

#[test]
fn a_start_without_a_runtime_is_an_error() {
    let started = Fleet::start(documents(), Listen::Ephemeral).now_or_never();
    assert!(matches!(started, Some(Err(StartError::NoRuntime))));
}
