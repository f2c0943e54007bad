//! Control of a running fleet from outside, and the responses of its cells.

use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{
    CellId, Fleet, FleetPlan, Listen, Protocol, Region, ReplicationLag, SESSION_COOKIE, Topology,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn get(address: SocketAddr, target: &str, fields: &str) -> String {
    let asked = async {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream
            .write_all(
                format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n")
                    .as_bytes(),
            )
            .await
            .unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    };
    tokio::time::timeout(Duration::from_secs(10), asked).await.unwrap()
}

fn address(fleet: &Fleet, cell: CellId) -> SocketAddr {
    fleet.cell(&cell).unwrap().address
}

#[tokio::test]
async fn a_session_created_on_the_fleet_is_valid_on_its_cells() {
    let fleet =
        Fleet::start(FleetPlan::documents(Protocol::Buffering), Listen::Ephemeral).await.unwrap();
    let cookie = fleet.sign_in("anna").await.unwrap();
    assert_eq!(cookie.name, SESSION_COOKIE);
    let field = format!("Cookie: {}={}\r\n", cookie.name, cookie.value);
    let page = get(address(&fleet, CellId::eu(0)), "/my-company/my-project", &field).await;
    assert!(
        page.starts_with("HTTP/1.1 200 ")
            && page.contains("X-Gitlab-Cell-Cache: {path_prefix:/my-company/}\r\n"),
        "{page}"
    );
    let bounce = get(address(&fleet, CellId::eu(1)), "/my-company/my-project", &field).await;
    assert!(
        bounce.starts_with("HTTP/1.1 302 ")
            && bounce.contains("X-Gitlab-Cell-Redirect: {cell:Cell EU0}\r\n"),
        "{bounce}"
    );
    assert_eq!(
        fleet.sign_in("nobody-at-all").await.unwrap_err().to_string(),
        "there is no user `nobody-at-all`"
    );
    fleet.stop().await.unwrap();
}

#[tokio::test]
async fn a_move_is_visible_where_the_log_has_been_replayed() {
    let plan = FleetPlan {
        lag: ReplicationLag::UntilReleased,
        ..FleetPlan::documents(Protocol::Learning)
    };
    let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
    let asked = address(&fleet, CellId::eu(1));
    let learn = "/api/v4/internal/cells/learn?method=GET&path_info=/my-company/my-project";
    let position = fleet.move_organization("my-organization", &CellId::us(1)).await.unwrap();
    assert_eq!(position, fleet.installation().position().await.unwrap());
    assert!(
        get(asked, learn, "").await.contains("cell_eu0"),
        "a held replica already knows of the move"
    );
    fleet.installation().set_replication_lag(ReplicationLag::None).await.unwrap();
    tokio::time::timeout(
        Duration::from_secs(10),
        fleet.installation().wait_until_replayed(&Region::eu(), position),
    )
    .await
    .unwrap()
    .unwrap();
    assert!(get(asked, learn, "").await.contains("cell_us1"));
    fleet.stop().await.unwrap();
}

#[tokio::test]
async fn a_single_cell_owns_every_path() {
    let plan =
        FleetPlan { topology: Topology::single_cell(), ..FleetPlan::documents(Protocol::Learning) };
    let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
    let learn = "/api/v4/internal/cells/learn?method=GET&path_info=/users/sign_in";
    assert!(get(fleet.cells()[0].address, learn, "").await.contains("cell_us0"));
    fleet.stop().await.unwrap();
}
