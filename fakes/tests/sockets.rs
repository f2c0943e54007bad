//! WebSockets on the cells.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{CellId, Fleet, FleetPlan, Listen, Protocol};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

const PLACE: &str = "/gitlab-org/gitlab/-/cable";

async fn fleet(protocol: Protocol) -> Fleet {
    Fleet::start(FleetPlan::documents(protocol), Listen::Ephemeral).await.unwrap()
}

fn address(fleet: &Fleet, cell: &CellId) -> SocketAddr {
    fleet.cell(cell).unwrap().address
}

async fn within<F: Future>(what: F) -> F::Output {
    tokio::time::timeout(Duration::from_secs(20), what)
        .await
        .expect("it takes less than twenty seconds")
}

/// A WebSocket, or the status of the response that refuses it.
async fn open(
    address: SocketAddr,
    path: &str,
    fields: &[(&'static str, &str)],
) -> Result<WebSocketStream<TcpStream>, u16> {
    let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
    for (name, value) in fields {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    let stream = TcpStream::connect(address).await.unwrap();
    match within(client_async(request, stream)).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(error) => panic!("{error}"),
    }
}

async fn heard(socket: &mut WebSocketStream<TcpStream>) -> Message {
    within(socket.next()).await.expect("a message").unwrap()
}

#[tokio::test]
async fn the_owner_echoes_until_the_socket_is_closed() {
    for protocol in [Protocol::Buffering, Protocol::Learning] {
        let fleet = fleet(protocol).await;
        let mut socket = open(address(&fleet, &CellId::us(0)), PLACE, &[]).await.unwrap();
        let large = "x".repeat(200_000);
        for text in ["hello", "", "ünïcode", large.as_str()] {
            socket.send(Message::text(text)).await.unwrap();
            assert_eq!(heard(&mut socket).await, Message::text(format!("cell_us0: {text}")));
        }
        socket.send(Message::binary(vec![0, 255])).await.unwrap();
        assert_eq!(heard(&mut socket).await, Message::binary(vec![0, 255]));
        socket.send(Message::Ping(vec![7].into())).await.unwrap();
        assert_eq!(heard(&mut socket).await, Message::Pong(vec![7].into()));
        let end = CloseFrame { code: CloseCode::Normal, reason: "enough".into() };
        socket.close(Some(end.clone())).await.unwrap();
        assert_eq!(heard(&mut socket).await, Message::Close(Some(end)));
        fleet.stop().await.unwrap();
    }
}

#[tokio::test]
async fn any_cell_has_the_global_endpoint() {
    for protocol in [Protocol::Buffering, Protocol::Learning] {
        let fleet = fleet(protocol).await;
        for cell in fleet.cells() {
            let mut socket = open(
                cell.address,
                "/-/cable",
                &[("sec-websocket-protocol", "actioncable-v1-json")],
            )
            .await
            .unwrap();
            socket.send(Message::text("hello")).await.unwrap();
            assert_eq!(heard(&mut socket).await, Message::text(format!("{}: hello", cell.id.id())));
        }
        fleet.stop().await.unwrap();
    }
}

#[tokio::test]
async fn other_cells_and_users_without_access_are_refused_like_for_any_page() {
    let bouncing = fleet(Protocol::Buffering).await;
    assert_eq!(open(address(&bouncing, &CellId::eu(0)), PLACE, &[]).await.err(), Some(302));
    let learning = fleet(Protocol::Learning).await;
    let gabe = learning.sign_in("gabe").await.unwrap();
    let gabe = format!("{}={}", gabe.name, gabe.value);
    let elsewhere = open(address(&learning, &CellId::eu(0)), PLACE, &[("cookie", &gabe)]).await;
    assert_eq!(elsewhere.err(), Some(404));
    for fleet in [bouncing, learning] {
        let owner = address(&fleet, &CellId::eu(0));
        let (anna, gabe) =
            (fleet.sign_in("anna").await.unwrap(), fleet.sign_in("gabe").await.unwrap());
        let private = "/my-company/my-project/-/cable";
        assert_eq!(
            open(owner, private, &[]).await.err(),
            Some(302),
            "visitors are sent to sign in"
        );
        assert_eq!(
            open(owner, private, &[("cookie", &format!("{}={}", gabe.name, gabe.value))])
                .await
                .err(),
            Some(404)
        );
        assert!(
            open(owner, private, &[("cookie", &format!("{}={}", anna.name, anna.value))])
                .await
                .is_ok()
        );
        fleet.stop().await.unwrap();
    }
}

#[tokio::test]
async fn an_invalid_upgrade_is_refused() {
    let fleet = fleet(Protocol::Buffering).await;
    let asked = async |version: &str, fields: &str| {
        let mut stream = TcpStream::connect(address(&fleet, &CellId::us(0))).await.unwrap();
        stream
            .write_all(format!("GET {PLACE} HTTP/{version}\r\nHost: x\r\n{fields}\r\n").as_bytes())
            .await
            .unwrap();
        stream.shutdown().await.unwrap();
        let mut response = String::new();
        within(stream.read_to_string(&mut response)).await.unwrap();
        response
    };
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n";
    let version = "Sec-WebSocket-Version: 13\r\n";
    let whole = asked("1.1", &format!("{upgrade}{version}{key}")).await;
    assert!(
        whole.starts_with("HTTP/1.1 101 ") && !whole.to_lowercase().contains("content-length"),
        "{whole}"
    );
    // The example of RFC 6455 1.3.
    assert!(
        whole.to_lowercase().contains("\r\nsec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo=\r\n"),
        "{whole}"
    );
    for (http, fields, status) in [
        ("1.1", String::new(), "426"),
        ("1.1", format!("Upgrade: websocket\r\n{version}{key}"), "426"),
        ("1.1", format!("{upgrade}Sec-WebSocket-Version: 8\r\n{key}"), "426"),
        ("1.1", format!("{upgrade}{version}"), "400"),
        ("1.0", format!("{upgrade}{version}{key}"), "426"),
    ] {
        let refused = asked(http, &fields).await;
        assert!(refused.starts_with(&format!("HTTP/{http} {status} ")), "{fields:?}: {refused}");
        let says = refused.to_lowercase().contains("\r\nupgrade: websocket\r\n");
        assert_eq!(says, status == "426", "{refused}");
    }
    fleet.stop().await.unwrap();
}

#[tokio::test]
async fn a_cell_that_is_taken_down_resets_its_websockets_and_a_fleet_that_stops_closes_them() {
    let fleet = fleet(Protocol::Learning).await;
    let mut socket = open(address(&fleet, &CellId::us(1)), "/-/cable", &[]).await.unwrap();
    fleet.take_down(&CellId::us(1)).await.unwrap();
    let rest = within(socket.next()).await;
    let is_reset = matches!(&rest, Some(Err(Error::Io(error)))
        if error.kind() == ErrorKind::ConnectionReset);
    assert!(is_reset, "{rest:?}");
    let mut socket = open(address(&fleet, &CellId::us(0)), PLACE, &[]).await.unwrap();
    fleet.stop().await.unwrap();
    let rest = within(socket.next()).await;
    assert!(matches!(rest, None | Some(Err(_))), "{rest:?}");
}
