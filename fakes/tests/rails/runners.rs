//! Runners: where they are known, which jobs they get, and what the journal has of it.

use std::time::Duration;

use cell_fleet::{
    CellId, Event, FleetPlan, JobStep, Protocol, RunnerModel, RunnerPlan, SettingsModel,
};
use serde_json::{Value, json};

use crate::support::{Ask, CACHE, LEARN, PROTOCOLS, REDIRECT, Response, Site, cell};

const ASK: &str = "/api/v4/jobs/request";

async fn site(protocol: Protocol, runner_plan: RunnerPlan) -> Site {
    Site::planned(FleetPlan { runner_plan, ..FleetPlan::documents(protocol) }).await
}

async fn post(site: &Site, to: &str, target: &str, body: &Value) -> Response {
    site.ask(&cell(to), &Ask::json(target, body)).await
}

async fn put(site: &Site, to: &str, target: &str, body: &Value) -> Response {
    let ask = Ask { method: axum::http::Method::PUT, ..Ask::json(target, body) };
    site.ask(&cell(to), &ask).await
}

fn told(response: &Response) -> Value {
    serde_json::from_str(&response.body).unwrap()
}

/// The token of a runner that registers at a cell, below the cell's prefix.
async fn registered(site: &Site, at: &str) -> Value {
    let body = json!({ "token": format!("glrr-{at}") });
    let response = post(site, at, &format!("/-/cells/{at}/api/v4/runners"), &body).await;
    assert_eq!(response.status, 201);
    told(&response)
}

/// The steps of all jobs so far.
fn steps(site: &Site) -> Vec<(CellId, u64, JobStep)> {
    let entries = site.journal.entries().into_iter();
    entries
        .filter_map(|entry| match entry.event {
            Event::Job(event) => Some((event.cell, event.job, event.step)),
            _ => None,
        })
        .collect()
}

#[tokio::test]
async fn a_shared_runner_gets_jobs_of_any_cell() {
    for protocol in PROTOCOLS {
        let site = site(protocol, RunnerPlan::of(RunnerModel::Shared)).await;
        let runner = registered(&site, "celleu0").await;
        assert_eq!(runner["url"], "");
        site.installation.queue_jobs("gitlab-org/gitlab", 1).await.unwrap();
        let body = json!({ "token": runner["token"] });
        let job = told(&post(&site, "cellus0", ASK, &body).await);
        assert_eq!(job["job_info"]["project_name"], "gitlab-org/gitlab");
        assert_eq!(post(&site, "cellus0", ASK, &body).await.status, 204);
        let accesses = site.accesses();
        let (queue, known): (Vec<_>, Vec<_>) = accesses
            .iter()
            .filter(|access| access.schema == "gitlab_runners")
            .partition(|access| access.table == "ci_pending_builds");
        assert!(queue.iter().all(|access| access.write && access.server == "primary us"));
        assert!(known.iter().any(|access| !access.write) && queue.len() == 3);
        let unknown = post(&site, "cellus0", ASK, &json!({ "token": "glrt-1" })).await;
        assert_eq!(unknown.status, 403);
    }
}

#[tokio::test]
async fn a_cell_announces_how_its_runners_reach_it() {
    for protocol in PROTOCOLS {
        let site = site(protocol, RunnerPlan::default()).await;
        let runner = registered(&site, "celleu0").await;
        assert_eq!(runner["url"], "/-/cells/celleu0");
        site.installation.queue_jobs("my-company/my-project", 1).await.unwrap();
        let target = format!("/-/cells/celleu0{ASK}");
        let body = json!({ "token": runner["token"] });
        // Another cell leads there, as its protocol says.
        let elsewhere = post(&site, "cellus1", &target, &body).await;
        match protocol {
            Protocol::Buffering => assert_eq!(elsewhere.field(REDIRECT), Some("{cell:Cell EU0}")),
            Protocol::Learning => {
                let learn = format!("{LEARN}?method=POST&path_info={target}");
                let learnt = told(&site.get(&cell("cellus1"), &learn, None).await);
                let expected = json!({
                    "path": "/-/cells/celleu0", "cell": "cell_eu0", "source": "fixed"
                });
                assert_eq!((elsewhere.status.as_u16(), learnt), (404, expected));
            }
        }
        let given = post(&site, "celleu0", &target, &body).await;
        assert_eq!(given.status, 201);
        let taught = (protocol == Protocol::Buffering).then_some("{path_prefix:/-/cells/celleu0/}");
        assert_eq!(given.field(CACHE), taught);
        let job = told(&given);
        let report = json!({ "token": job["token"], "state": "success" });
        let path = format!("/-/cells/celleu0/api/v4/jobs/{}", job["id"]);
        assert_eq!(put(&site, "celleu0", &path, &report).await.status, 200);
        assert_eq!(put(&site, "celleu0", &path, &report).await.status, 403);
        let strange = json!({ "token": job["token"], "state": "lost" });
        assert_eq!(put(&site, "celleu0", &path, &strange).await.status, 422);
        // The plain path is anybody's in buffering, where the token leads on, and US0's in learning.
        let plain = post(&site, "cellus0", ASK, &body).await;
        match protocol {
            Protocol::Buffering => assert_eq!(plain.field(REDIRECT), Some("{cell:Cell EU0}")),
            Protocol::Learning => {
                assert!(plain.status == 403 && plain.shows("below /-/cells/celleu0"))
            }
        }
    }
}

#[tokio::test]
async fn the_journal_has_the_life_of_a_job() {
    let site = site(Protocol::Learning, RunnerPlan::default()).await;
    let (first, second) = (registered(&site, "celleu0").await, registered(&site, "celleu0").await);
    site.installation.queue_jobs("my-company/my-project", 1).await.unwrap();
    let target = format!("/-/cells/celleu0{ASK}");
    let ask = async |runner: &Value| {
        post(&site, "celleu0", &target, &json!({ "token": runner["token"] })).await
    };
    assert_eq!(ask(&first).await.status, 201);
    assert_eq!(ask(&second).await.status, 204);
    site.installation.advance_clock(Duration::from_secs(3601));
    let job = told(&ask(&second).await);
    let path = format!("/-/cells/celleu0/api/v4/jobs/{}", job["id"]);
    for state in ["running", "failed"] {
        let report = json!({ "token": job["token"], "state": state });
        assert_eq!(put(&site, "celleu0", &path, &report).await.status, 200);
    }
    let steps = steps(&site);
    assert!(steps.iter().all(|(at, job, _)| *at == cell("celleu0") && *job == 1));
    let names: Vec<_> = steps
        .iter()
        .map(|(_, _, step)| match step {
            JobStep::Queued => "queued".to_owned(),
            JobStep::Given { runner, .. } => format!("given {runner}"),
            JobStep::Returned { runner } => format!("returned {runner}"),
            JobStep::Renewed { .. } => "renewed".to_owned(),
            JobStep::Done => "done".to_owned(),
        })
        .collect();
    assert_eq!(names, ["queued", "given 1", "returned 1", "given 2", "renewed", "done"]);
}

#[tokio::test]
async fn a_runner_of_a_group_registers_at_the_cell_of_the_group() {
    let site = site(Protocol::Buffering, RunnerPlan::default()).await;
    let body = |at: &str, group: &str| json!({ "token": format!("glrr-{at}"), "group_id": group });
    let refused = |response: &Response, why: &str| {
        assert!(response.status == 422 && response.shows(why), "{}", response.body);
    };
    let elsewhere = "/-/cells/cellus0/api/v4/runners";
    let response = post(&site, "cellus0", elsewhere, &body("cellus0", "4001")).await;
    refused(&response, "Register this runner at /-/cells/celleu0.");
    let response = post(&site, "cellus0", elsewhere, &body("cellus0", "nobody")).await;
    refused(&response, "There is no such group or project.");
    // By the plain path the group leads to its cell.
    let plain = post(&site, "cellus0", "/api/v4/runners", &body("cellus0", "my-company")).await;
    assert_eq!(plain.field(REDIRECT), Some("{cell:Cell EU0}"));
    let at_home = post(&site, "celleu0", "/api/v4/runners", &body("celleu0", "my-company")).await;
    assert_eq!(at_home.status, 201);
    let without_token = post(&site, "celleu0", "/api/v4/runners", &json!({})).await;
    assert_eq!(without_token.status, 403);
}

#[tokio::test]
async fn a_pipeline_by_the_api_is_a_job() {
    let site = site(Protocol::Learning, RunnerPlan::default()).await;
    let pipeline = "/api/v4/projects/5001/pipeline";
    let refused = site.post(&cell("celleu0"), pipeline, &[], None).await;
    assert_eq!(refused.status, 404);
    let made = site.post(&cell("celleu0"), pipeline, &[], Some("anna")).await;
    assert_eq!(made.status, 201);
    let runner = registered(&site, "celleu0").await;
    let target = format!("/-/cells/celleu0{ASK}");
    let job = told(&post(&site, "celleu0", &target, &json!({ "token": runner["token"] })).await);
    assert_eq!(job["job_info"]["project_id"], 5001);
}

#[tokio::test]
async fn a_row_of_settings_reaches_another_region_when_its_replica_replays_it() {
    let plan = FleetPlan {
        settings_model: SettingsModel::Table,
        ..FleetPlan::documents(Protocol::Learning)
    };
    let site = Site::planned(plan).await;
    let lag = cell_fleet::ReplicationLag::UntilReleased;
    site.installation.set_replication_lag(lag).await.unwrap();
    let path = "/admin/cells/cellus0/settings";
    let form = |cell| [("cell", cell), ("elasticsearch_url", "http://own.example")];
    let saved = site.post(&cell("cellus0"), path, &form("celleu1"), Some("olga")).await;
    assert_eq!(saved.location(), path);
    let writes = site.writes();
    assert_eq!((writes.len(), &*writes[0].table), (1, "per_cell_application_settings"));
    let shown = async |at: &str| {
        let path = format!("/admin/cells/{at}/settings");
        let page = site.get(&cell(at), &path, Some("olga")).await;
        page.shows("celleu1 elasticsearch_url=http://own.example")
    };
    assert!(!shown("celleu1").await);
    site.installation.set_replication_lag(cell_fleet::ReplicationLag::None).await.unwrap();
    assert!(shown("celleu1").await && shown("cellus0").await);
    let refused = site.post(&cell("cellus0"), path, &form("nowhere"), Some("olga")).await;
    assert_eq!(refused.status, 422);
    // Without the table there are no settings of single cells.
    let site = Site::of_the_documents(Protocol::Learning).await;
    let refused = site.post(&cell("cellus0"), path, &form("celleu1"), Some("olga")).await;
    assert!(refused.status == 422 && site.writes().is_empty());
}
