//! Invalid learn responses from mock cells, which record every other request.

mod support;

use serde_json::json;
use support::router::{Router, topology};
use wiremock::matchers::{method, path, query_param};
use wiremock::{Mock, MockServer, ResponseTemplate};

const LEARN: &str = "/api/v4/internal/cells/learn";

/// Two cells of the region that give this response to pre-flights, and one elsewhere; each serves
/// everything else with 200.
struct Cells([MockServer; 3]);

impl Cells {
    async fn telling(response: ResponseTemplate) -> Self {
        let cells =
            Self([MockServer::start().await, MockServer::start().await, MockServer::start().await]);
        for cell in &cells.0 {
            let preflight =
                Mock::given(method("GET")).and(path(LEARN)).and(query_param("method", "GET"));
            preflight
                .and(query_param("path_info", "/x"))
                .respond_with(response.clone())
                .mount(cell)
                .await;
            Mock::given(path("/x")).respond_with(ResponseTemplate::new(200)).mount(cell).await;
        }
        cells
    }

    fn router(&self) -> Router {
        let [us0, eu0, eu1] = &self.0;
        Router::start(&topology("learning", *us0.address(), *eu0.address(), *eu1.address()))
    }

    /// Requested paths: outside the region, and in it.
    async fn asked(&self) -> [Vec<String>; 2] {
        let mut asked = [Vec::new(), Vec::new()];
        for (number, cell) in self.0.iter().enumerate() {
            let requests = cell.received_requests().await.expect("requests are recorded");
            asked[usize::from(number > 0)]
                .extend(requests.iter().map(|request| request.url.path().to_owned()));
        }
        asked
    }
}

fn json(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(text, "application/json")
}

/// Refused twice, because nothing is cached; in the region only, and with at most one pre-flight
/// for each cell.
async fn is_refused(what: &str, answer: ResponseTemplate, asked_each_time: usize) {
    let cells = Cells::telling(answer).await;
    let router = cells.router();
    for _ in 0..2 {
        let response = router.user().get("/x");
        assert_eq!(response.status(), 502, "{what}");
        assert!(!response.text().to_lowercase().contains("cell"), "{what}: {}", response.text());
    }
    let [elsewhere, region] = cells.asked().await;
    assert_eq!(elsewhere, [""; 0], "{what}");
    assert_eq!(region, vec![LEARN; 2 * asked_each_time], "{what}");
}

#[tokio::test]
async fn an_invalid_learn_response_is_refused_after_a_second_cell() {
    let long = format!(r#"{{"path":"/x","cell":"cell_eu0","more":"{}"}}"#, "x".repeat(100_000));
    for text in [
        "nonsense",
        "",
        "[]",
        r#"{"path":"/x"}"#,
        r#"{"path":"/x","cell":7,"source":"routable"}"#,
        r#"{"path":"/x","cell":"cell_eu0","exact":"yes"}"#,
        r#"{"path":"/x","cell":"cell_eu0","source":"routable""#,
        &long,
    ] {
        is_refused(&text[..text.len().min(60)], json(text), 2).await;
    }
}

#[tokio::test]
async fn an_unexpected_status_is_refused_after_a_second_cell() {
    let good = json!({ "path": "/x", "cell": "cell_eu0", "source": "routable" });
    for status in [201, 204, 302, 400, 403, 500, 503] {
        let response = ResponseTemplate::new(status);
        let response = if status == 204 { response } else { response.set_body_json(&good) };
        is_refused(&status.to_string(), response, 2).await;
    }
}

#[tokio::test]
async fn an_unknown_cell_is_refused_at_once() {
    for cell in ["cell_xx9", "Cell EU0", "celleu0", "cell_0", "127.0.0.1:80", ""] {
        let response = json!({ "path": "/x", "cell": cell, "source": "routable" });
        is_refused(cell, ResponseTemplate::new(200).set_body_json(response), 1).await;
    }
}
