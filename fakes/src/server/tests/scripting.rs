//! Scripted responses.

use axum::Router;
use axum::routing::any;

use super::Cells;
use crate::server::Scripts;
use crate::{CellId, Protocol, Script, ScriptProblem, ScriptedAction, ScriptedResponse};

fn script(cell: Option<CellId>, path: &str, action: ScriptedAction) -> Script {
    Script { cell, path: path.to_owned(), action }
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
    Cells::scripted(&[CellId::eu(0), CellId::eu(1)], application, protocol, scripts)
}

#[tokio::test]
async fn a_scripted_response_is_sent_once_the_body_has_come() {
    let scripts = [script(None, "/", ScriptedAction::Response(scripted(204, "")))];
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
    let scripts = [script(None, "/a+b%2F", ScriptedAction::LearnResponse(scripted(200, "{}")))];
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
    let cases = [
        (ScriptedAction::Response(scripted(101, "")), ScriptProblem::Status(101)),
        (ScriptedAction::LearnResponse(scripted(1000, "")), ScriptProblem::Status(1000)),
        (fields("a b", "c"), ScriptProblem::Name("a b".to_owned())),
        (fields("a", "c\r\nd"), ScriptProblem::Value("c\r\nd".to_owned())),
        (fields("Content-Length", "3"), ScriptProblem::Framing("Content-Length".to_owned())),
    ];
    for (action, problem) in cases {
        let error = Scripts::new(Protocol::Learning, &[script(None, "/", action)]).unwrap_err();
        assert_eq!((error.index, error.path.as_str(), &error.problem), (0, "/", &problem));
        assert!(error.to_string().starts_with("script 0 (for `/`)"), "{error}");
    }
}
