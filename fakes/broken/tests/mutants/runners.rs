//! A tour of what cells do with runners, jobs, and settings of single cells.

use std::time::Duration;

use cell_fleet::{CellId, Fleet, FleetPlan, Protocol, RunnerModel, RunnerPlan, SettingsModel};
use futures_util::future::join_all;
use serde_json::{Value, json};

/// Shared runners with those of groups and without, runners of each cell, and a table of settings.
pub(crate) fn plans(protocol: Protocol) -> [FleetPlan; 3] {
    let shared = RunnerPlan::of(RunnerModel::Shared);
    let apart = RunnerPlan { group_and_project: false, ..shared.clone() };
    [shared, apart, RunnerPlan::of(RunnerModel::PerCell)].map(|runner_plan| FleetPlan {
        runner_plan,
        settings_model: SettingsModel::Table,
        ..FleetPlan::documents(protocol)
    })
}

/// Registers runners, lets them ask and report, writes settings, and returns what was visible.
pub(crate) async fn tour(plan: FleetPlan, mutant: crate::Mutant) -> Vec<String> {
    let fleet = crate::start(plan, mutant).await;
    let mut tour = Tour { fleet: &fleet, cookie: String::new(), seen: Vec::new() };
    tour.runners().await;
    tour.settings().await;
    let seen = std::mem::take(&mut tour.seen);
    fleet.stop().await.unwrap();
    seen.iter().map(|text| without_chance(text)).collect()
}

struct Tour<'a> {
    fleet: &'a Fleet,
    cookie: String,
    seen: Vec<String>,
}

impl Tour<'_> {
    async fn runners(&mut self) {
        let (us0, eu0, eu1) = (CellId::us(0), CellId::eu(0), CellId::eu(1));
        let installation = self.fleet.installation().clone();
        let hour = || installation.advance_clock(Duration::from_secs(3700));
        let (home, legacy) = ("my-company/my-project", "gitlab-org/gitlab");
        installation.queue_jobs(home, 1).await.unwrap();
        installation.queue_jobs(legacy, 1).await.unwrap();
        let mut tokens = Vec::new();
        for (cell, group) in [(&us0, None), (&eu0, None), (&us0, Some(4001)), (&eu0, Some(4001))] {
            let path = format!("/-/cells/{}/api/v4/runners", cell.slug());
            let mut body = json!({ "token": format!("glrr-{}", cell.slug()) });
            if let Some(group) = group {
                body["group_id"] = json!(group);
            }
            for asked in [cell, &eu1] {
                let told = self.ask(asked, "POST", &path, &body).await;
                tokens.extend(told["token"].as_str().map(str::to_owned));
            }
        }
        let mut first_job = Value::Null;
        for token in &tokens {
            let body = json!({ "token": token });
            for cell in [&us0, &eu0, &eu1] {
                let told = self.ask(cell, "POST", "/api/v4/jobs/request", &body).await;
                if first_job.is_null() && told["job_info"].is_object() {
                    first_job = told;
                }
                let path = format!("/-/cells/{}/api/v4/jobs/request", cell.slug());
                self.ask(cell, "POST", &path, &body).await;
            }
            hour();
        }
        let path =
            format!("{}/api/v4/jobs/{}", first_job["url"].as_str().unwrap(), first_job["id"]);
        let report = json!({ "token": first_job["token"], "state": "success" });
        for cell in [&us0, &eu0] {
            self.ask(cell, "PUT", &path, &report).await;
        }
        hour();
        installation.queue_jobs(home, 3).await.unwrap();
        installation.queue_jobs(legacy, 3).await.unwrap();
        for (cell, token) in tokens.iter().flat_map(|token| [(&us0, token), (&eu0, token)]) {
            let body = json!({ "token": token });
            let asks =
                (0..4).map(|_| exchange(self.fleet, cell, "POST", "/api/v4/jobs/request", &body));
            // Which of them gets which job is chance.
            let mut told: Vec<_> =
                join_all(asks).await.iter().map(|told| without_chance(told)).collect();
            told.sort();
            self.seen.extend(told);
        }
    }

    async fn settings(&mut self) {
        let session = self.fleet.sign_in("olga").await.unwrap().value;
        self.cookie = format!("Cookie: _gitlab_session={session}\r\n");
        let own = json!({ "cell": "celleu1", "elasticsearch_url": "http://own.example" });
        self.ask(&CellId::us(0), "POST", "/admin/cells/cellus0/settings", &own).await;
        for cell in [CellId::us(0), CellId::eu(0), CellId::eu(1)] {
            let path = format!("/admin/cells/{}/settings", cell.slug());
            self.ask(&cell, "GET", &path, &Value::Null).await;
        }
    }

    async fn ask(&mut self, cell: &CellId, method: &str, target: &str, body: &Value) -> Value {
        let text = exchange_as(self.fleet, cell, method, target, body, &self.cookie).await;
        let told =
            text.split_once("\r\n\r\n").and_then(|(_, body)| serde_json::from_str(body).ok());
        self.seen.push(format!("{method} {target} {cell}\n{}", super::without_date(&text)));
        told.unwrap_or_default()
    }
}

async fn exchange(
    fleet: &Fleet,
    cell: &CellId,
    method: &str,
    target: &str,
    body: &Value,
) -> String {
    super::without_date(&exchange_as(fleet, cell, method, target, body, "").await)
}

async fn exchange_as(
    fleet: &Fleet,
    cell: &CellId,
    method: &str,
    target: &str,
    body: &Value,
    cookie: &str,
) -> String {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let request = format!(
        "{method} {target} HTTP/1.1\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n{cookie}\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    super::ask(fleet.cell(cell).unwrap().address, &request).await
}

/// A text with the random part of each token left out.
fn without_chance(text: &str) -> String {
    let mut kept = String::new();
    let mut digits = String::new();
    for next in text.chars().chain(['\n']) {
        if next.is_ascii_hexdigit() {
            digits.push(next);
            continue;
        }
        kept.push_str(if digits.len() >= 32 { "<random>" } else { &digits });
        digits.clear();
        kept.push(next);
    }
    kept
}
