//! Lets runners register, ask and report, and queues jobs.

use cell_fleet::CellId;
use serde_json::{Value, json};

use super::ActionError;
use super::request::send;
use crate::action::{Person, Route, RunnerAction, Scope};
use crate::literal::Request;
use crate::stage::Stage;

const REGISTER: &str = "/api/v4/runners";
const ASK: &str = "/api/v4/jobs/request";

impl RunnerAction {
    pub(super) async fn perform(
        &self,
        person: &Person,
        route: &Route,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let requests = self.requests(person, stage).map_err(ActionError::Interrupted)?;
        for request in requests {
            send(person, request, route, stage).await?;
        }
        Ok(())
    }

    fn requests(&self, person: &Person, stage: &Stage) -> Result<Vec<Request>, String> {
        let told = stage.people.all_created(&person.0)?;
        Ok(match self {
            Self::Register { cell, scope } => {
                vec![registration(&format!("/-/cells/{}", cell.slug()), cell, scope)]
            }
            Self::RegisterByToken { cell } => vec![registration("", cell, &Scope::Instance)],
            Self::Ask => registrations(&told, person)?
                .into_iter()
                .map(|told| asking(text(told, "url"), text(told, "token")))
                .collect(),
            Self::AskByToken => registrations(&told, person)?
                .into_iter()
                .map(|told| asking("", text(told, "token")))
                .collect(),
            Self::Running => vec![report(&told, person, "running")?],
            Self::Done => vec![report(&told, person, "success")?],
        })
    }
}

/// Lets this many runners register at a cell, and then ask for jobs at once, `times` times.
pub(super) async fn poll(
    runners: u64,
    cell: &CellId,
    times: u64,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let prefix = format!("/-/cells/{}", cell.slug());
    let names: Vec<_> = (1..=runners).map(|number| format!("runner_{number}")).collect();
    for name in &names {
        let request = registration(&prefix, cell, &Scope::Instance);
        send(&Person(name.clone()), request, &Route::Default, stage).await?;
    }
    for _ in 0..times {
        for name in &names {
            let person = Person(name.clone());
            let asks = RunnerAction::Ask.requests(&person, stage);
            for request in asks.map_err(ActionError::Interrupted)? {
                stage.begin(name, request)?;
            }
        }
        stage.release().await;
    }
    Ok(())
}

fn registration(prefix: &str, cell: &CellId, scope: &Scope) -> Request {
    let token = format!("glrr-{}", cell.slug());
    let body = match scope {
        Scope::Instance => json!({ "token": token }),
        Scope::Group(path) => json!({ "token": token, "group_id": path }),
        Scope::Project(path) => json!({ "token": token, "project_id": path }),
    };
    sending("POST", format!("{prefix}{REGISTER}"), &body)
}

fn asking(prefix: &str, token: &str) -> Request {
    sending("POST", format!("{prefix}{ASK}"), &json!({ "token": token }))
}

/// The report about the last job that a person got.
fn report(told: &[Value], person: &Person, state: &str) -> Result<Request, String> {
    let job = told.iter().rev().find(|told| told["job_info"].is_object());
    let job = job.ok_or_else(|| format!("{person} has got no job"))?;
    let target = format!("{}/api/v4/jobs/{}", text(job, "url"), job["id"]);
    Ok(sending("PUT", target, &json!({ "token": text(job, "token"), "state": state })))
}

/// The responses by which a person was registered.
fn registrations<'t>(told: &'t [Value], person: &Person) -> Result<Vec<&'t Value>, String> {
    let of_runner = |told: &&Value| text(told, "token").starts_with("glrt-");
    let found: Vec<_> = told.iter().filter(of_runner).collect();
    if found.is_empty() { Err(format!("{person} is not registered")) } else { Ok(found) }
}

fn text<'t>(told: &'t Value, member: &str) -> &'t str {
    told[member].as_str().unwrap_or_default()
}

fn sending(method: &str, target: String, body: &Value) -> Request {
    let fields = vec![("Content-Type".to_owned(), "application/json".to_owned())];
    Request { method: method.to_owned(), target, fields, body: body.to_string().into() }
}
