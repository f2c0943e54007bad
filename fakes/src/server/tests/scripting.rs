//! Scripted responses.

use axum::Router;
use axum::routing::any;

use super::Cells;
use crate::server::Scripts;
use crate::{Protocol, Script, ScriptedAction, ScriptedResponse};

fn script(path: &str, action: ScriptedAction) -> Script {
    Script { cell: None, path: path.to_owned(), action }
}

fn scripted(status: u16, body: &str) -> ScriptedResponse {
    let fields = [("X-Two", "a"), ("X-Two", "b")];
    ScriptedResponse {
        status,
        fields: fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        body: body.to_owned(),
    }
}

async fn ask(cells: &Cells, target: &str) -> String {
    let mut peer = cells.connect().await;
    peer.send(format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n")).await;
    peer.finish().await
}

fn cells(protocol: Protocol, scripts: &[Script]) -> Cells {
    let application = Router::new().fallback(any(|| async { ([("x-one", "1")], "rails") }));
    Cells::scripted(application, protocol, scripts)
}

#[tokio::test]
async fn a_scripted_response_is_sent_once_the_body_has_come() {
    let scripts = [script("/", ScriptedAction::Response(scripted(204, "")))];
    let cells = cells(Protocol::Learning, &scripts);
    let mut peer = cells.connect().await;
    peer.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    cells.entries(1).await;
    peer.send("2\r\nhi\r\n0\r\n\r\n").await;
    peer.read_to("\r\n\r\n").await;
    assert_eq!(
        cells.entries(4).await,
        ["1 request POST / HTTP/1.1", "1 begun", "1 read \"hi\"", "1 response 204 \"\""]
    );
}

#[tokio::test]
async fn a_scripted_learn_response_matches_the_decoded_path_on_both_endpoints() {
    let scripts = [script("/a+b%2F", ScriptedAction::LearnResponse(scripted(200, "{}")))];
    let learning = cells(Protocol::Learning, &scripts);
    for target in [
        "/api/v4/internal/cells/learn?method=GET&path_info=/a%2Bb%252F",
        "/api/v4/cells/learn?path_info=%2Fa%2Bb%252F&method=GET",
    ] {
        assert!(ask(&learning, target).await.ends_with("{}"), "{target}");
    }
    for target in [
        "/api/v4/internal/cells/learn?method=GET&path_info=/a+b%252F",
        "/other?path_info=/a%2Bb%252F",
        "/a+b%2F",
    ] {
        assert!(ask(&learning, target).await.ends_with("rails"), "{target}");
    }
    let buffering = cells(Protocol::Buffering, &scripts);
    assert!(
        ask(&buffering, "/api/v4/cells/learn?path_info=%2Fa%2Bb%252F").await.ends_with("rails")
    );
}

#[test]
fn an_invalid_script_is_refused() {
    let fields = |name: &str, line: &str| ScriptedAction::Fields {
        name: name.to_owned(),
        lines: vec![line.to_owned()],
    };
    for (action, problem) in [
        (ScriptedAction::Response(scripted(101, "")), "101 is not the status of a final response"),
        (ScriptedAction::LearnResponse(scripted(1000, "")), "1000 is not the status of"),
        (fields("a b", "c"), "`a b` is not a valid header name"),
        (fields("a", "c\r\nd"), "`c\\r\\nd` is not a valid header value"),
        (fields("Content-Length", "3"), "the server adds `Content-Length` itself"),
    ] {
        let error = Scripts::new(Protocol::Learning, &[script("/", action)]).unwrap_err();
        let start = format!("script 0 (for `/`) is not valid: {problem}");
        assert!(error.to_string().starts_with(&start), "{error}");
    }
}
