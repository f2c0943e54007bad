//! A store that fails: the user sees a 500, the journal has the failure, the fleet is at fault.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::database::memory::{MemoryStores, Outage};
use crate::{
    CellId, ControlError, Event, Fleet, FleetPlan, Listen, Protocol, Region, ReplicationLag,
    StartError, Stores,
};

const ERROR: &str = "the store `memory` failed: connection refused";

fn plan(outage: &Outage, protocol: Protocol) -> FleetPlan {
    let stores = Stores::from_factory(MemoryStores { outage: outage.clone() });
    FleetPlan { stores, ..FleetPlan::documents(protocol) }
}

async fn fleet(outage: &Outage, protocol: Protocol) -> Fleet {
    Fleet::start(plan(outage, protocol), Listen::Ephemeral).await.unwrap()
}

async fn send(address: SocketAddr, line: &str, fields: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

#[tokio::test]
async fn a_failing_store_is_a_500_an_event_and_a_fault_of_the_fleet() {
    for protocol in Protocol::ALL {
        let outage = Outage::default();
        let fleet = fleet(&outage, protocol).await;
        let address = fleet.cell(&CellId::us(0)).unwrap().address;
        let page = "GET /gitlab-org/gitlab";
        assert!(send(address, page, "", "").await.starts_with("HTTP/1.1 200 "));
        assert_eq!(fleet.errors(), []);

        outage.begin();
        let response = send(address, page, "", "").await;
        assert!(response.starts_with("HTTP/1.1 500 "), "{response}");
        assert!(response.contains("500 Internal Server Error: the store"), "{response}");
        let failures = fleet.journal().store_failures();
        let shown: Vec<_> = failures.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [format!("cell_us0, reading gitlab_routes.routes: {ERROR}")]);
        let fault = fleet.stop().await.unwrap_err().to_string();
        assert_eq!(fault, format!("the fleet itself failed: {}", shown[0]));
    }
}

#[tokio::test]
async fn a_failed_access_is_not_entered_as_one_that_was_made() {
    let outage = Outage::default();
    let fleet = fleet(&outage, Protocol::Buffering).await;
    let address = fleet.cell(&CellId::eu(1)).unwrap().address;
    outage.begin();
    let form = "username=anna&password=anna-password";
    let fields = "Content-Type: application/x-www-form-urlencoded\r\n";
    let response = send(address, "POST /users/sign_in", fields, form).await;
    assert!(response.starts_with("HTTP/1.1 500 "), "{response}");
    assert!(!response.to_ascii_lowercase().contains("set-cookie"), "{response}");
    let entries = fleet.journal().entries();
    assert!(!entries.iter().any(|entry| matches!(entry.event, Event::Database(_))));
    assert_eq!(fleet.journal().store_failures().len(), 1);
    fleet.stop().await.unwrap_err();
}

#[tokio::test]
async fn apis_and_pre_flights_tell_the_failure_in_json() {
    for (protocol, target) in [
        (Protocol::Learning, "/api/v4/internal/cells/learn?method=GET&path_info=/gitlab-org"),
        (Protocol::Buffering, "/api/v4/projects/5001"),
    ] {
        let outage = Outage::default();
        let fleet = fleet(&outage, protocol).await;
        let address = fleet.cell(&CellId::us(0)).unwrap().address;
        outage.begin();
        let response = send(address, &format!("GET {target}"), "", "").await;
        assert!(response.starts_with("HTTP/1.1 500 "), "{response}");
        assert!(
            response.contains("{\"message\":\"500 Internal Server Error: the store"),
            "{response}"
        );
        fleet.stop().await.unwrap_err();
    }
}

#[tokio::test]
async fn controls_of_the_fleet_return_the_failure_and_enter_it() {
    let outage = Outage::default();
    let fleet = fleet(&outage, Protocol::Learning).await;
    outage.begin();
    let signed_in = fleet.sign_in("anna").await;
    assert!(matches!(signed_in, Err(ControlError::Store(error)) if error.to_string() == ERROR));
    fleet.move_organization("my-organization", &CellId::us(1)).await.unwrap_err();
    let installation = fleet.installation();
    let released = installation.set_replication_lag(ReplicationLag::None).await;
    assert_eq!(released.unwrap_err().store(), "memory");
    installation.replica_position(&Region::eu()).await.unwrap_err();
    installation.position().await.unwrap_err();
    assert_eq!(fleet.errors().len(), 5);
    fleet.stop().await.unwrap_err();
}

#[tokio::test]
async fn a_fleet_does_not_start_on_a_store_that_fails() {
    let outage = Outage::default();
    outage.begin();
    let plan = plan(&outage, Protocol::Learning);
    let error = Fleet::start(plan, Listen::Ephemeral).await.unwrap_err();
    assert!(matches!(error, StartError::Store(_)));
    assert_eq!(error.to_string(), format!("the fleet did not start: {ERROR}"));
}
