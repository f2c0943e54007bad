//! The WebSocket endpoint, which echoes (RFC 6455).
//!
//! The application first decides who owns the path and who may see it, as for any page. Only the
//! owner upgrades the connection (Z-23).

use axum::body::Body;
use axum::http::{HeaderValue, Method, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use tokio::io::DuplexStream;
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

use crate::rails::call::Call;
use crate::streamed::Upgraded;
use crate::wire::lists;

/// Whether a path is that of a WebSocket endpoint: the global one, or one of a place.
pub(in crate::rails) fn is_cable(path: &str) -> bool {
    path.ends_with("/-/cable")
}

/// The only version of the protocol (RFC 6455 4.1).
const VERSION: &str = "13";

/// Opens a WebSocket, or responds that this endpoint requires an upgrade.
pub(in crate::rails) async fn open(call: Call) -> Response {
    let fields = &call.visit.headers;
    // HTTP/1.0 has no upgrade (RFC 9110 7.8).
    let asked = call.visit.method == Method::GET
        && call.visit.version == Version::HTTP_11
        && lists(fields, header::UPGRADE, "websocket")
        && lists(fields, header::CONNECTION, "upgrade");
    if !asked || call.visit.field(header::SEC_WEBSOCKET_VERSION.as_str()) != Some(VERSION) {
        return upgrade_required();
    }
    let Some(key) = fields.get(header::SEC_WEBSOCKET_KEY).filter(|key| is_key(key.as_bytes()))
    else {
        return (StatusCode::BAD_REQUEST, "the key of the WebSocket is not 16 bytes in base64\n")
            .into_response();
    };
    let installation = &call.cell.installation;
    let (upgraded, stream) = Upgraded::new();
    tokio::spawn(serve(stream, call.cell.node.id(), installation.life.subscribe()));
    let mut response = Response::new(Body::empty());
    response.extensions_mut().insert(upgraded);
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    say_upgrade(&mut response);
    if let Ok(accepted) = HeaderValue::from_str(&derive_accept_key(key.as_bytes())) {
        response.headers_mut().insert(header::SEC_WEBSOCKET_ACCEPT, accepted);
    }
    // A browser closes the connection unless one of its subprotocols is accepted (RFC 6455 4.1).
    let offered = call
        .visit
        .field(header::SEC_WEBSOCKET_PROTOCOL.as_str())
        .and_then(|offered| offered.split(',').next());
    if let Some(Ok(first)) = offered.map(|first| HeaderValue::from_str(first.trim())) {
        response.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, first);
    }
    response
}

/// RFC 9110 15.5.22, and RFC 6455 4.4 for the version.
fn upgrade_required() -> Response {
    let mut response =
        (StatusCode::UPGRADE_REQUIRED, "this endpoint is for WebSockets\n").into_response();
    say_upgrade(&mut response);
    response.headers_mut().insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static(VERSION));
    response
}

fn say_upgrade(response: &mut Response) {
    response.headers_mut().insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
}

/// 16 bytes in base64 are 22 digits and two characters of padding.
fn is_key(key: &[u8]) -> bool {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    key.len() == 24 && key.ends_with(b"==") && key[..22].iter().all(digit)
}

/// Serves the connection until either side closes it, or the installation is gone.
async fn serve(stream: DuplexStream, node: String, mut life: watch::Receiver<()>) {
    tokio::select! {
        () = echo(stream, &node) => {}
        // The channel carries no value; it closes with the installation.
        _ = life.changed() => {}
    }
}

/// Echoes each text after the name of the cell, so that a user can tell which cell is connected,
/// and other messages unchanged. The library responds to pings and close frames.
async fn echo(stream: DuplexStream, node: &str) {
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, None).await;
    while let Some(Ok(message)) = socket.next().await {
        let response = match message {
            Message::Text(text) => Message::text(format!("{node}: {text}")),
            Message::Binary(bytes) => Message::Binary(bytes),
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_) => continue,
        };
        if socket.send(response).await.is_err() {
            break;
        }
    }
}
