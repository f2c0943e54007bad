//! REST and GraphQL.

pub mod projects;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::call::Call;
use super::response::{self, PageResult};
use crate::database::{Project, Stored, may_see};
use crate::ids::Id;

/// The project that the path names, on its cell (ID-02), and the request.
pub(super) struct ProjectStores(pub(super) Project, pub(super) Call);

impl FromRequestParts<Call> for ProjectStores {
    type Rejection = Response;

    async fn from_request_parts(_: &mut Parts, call: &Call) -> Result<Self, Response> {
        if let Some(closed) = call.closed() {
            return Err(closed);
        }
        match call.project().await.map_err(IntoResponse::into_response)? {
            Some(project) => Ok(Self(project, call.clone())),
            None => Err(call.not_found()),
        }
    }
}

/// `/api/v4/projects/<id or encoded path>`
pub(super) async fn project(ProjectStores(project, _): ProjectStores) -> Response {
    response::json(StatusCode::OK, &projects::shown_project(&project))
}

/// `/api/v4/projects/<id>/issues`
pub(super) async fn issues(_: ProjectStores) -> Response {
    response::json(StatusCode::OK, &json!([]))
}

/// What a project does not have.
pub(super) async fn nothing(ProjectStores(_, call): ProjectStores) -> Response {
    call.not_found()
}

/// A record with its id. Where a UUID identifies the row, the number next to it stays `id`.
pub(super) fn identified(id: Id, number: Option<u64>, mut record: Value) -> Value {
    record["id"] = match (id, number) {
        (Id::Uuid(_), Some(number)) => {
            record["uuid"] = json!(id);
            json!(number)
        }
        _ => json!(id),
    };
    record
}

/// `/api/graphql`. It names no organization, so any cell responds (TD-04).
pub(super) async fn graphql(call: Call) -> PageResult {
    if let Some(closed) = call.closed() {
        return Ok(closed);
    }
    let user = call.viewer.user.as_ref().map(|user| json!({ "username": user.name }));
    let mut data = json!({ "currentUser": user });
    named_row(&call, &mut data).await?;
    Ok(response::json(StatusCode::OK, &json!({ "data": data })))
}

/// Adds the merge request that a query names by its id, as this cell has it: `null` where it has
/// none, since the id is in no shared table (TD-11).
async fn named_row(call: &Call, data: &mut Value) -> Stored<()> {
    let form = call.visit.form();
    let in_target = call.visit.query_value("query");
    let query = in_target.as_deref().or(form.filled("query")).unwrap_or_default();
    let Some((_, named)) = query.split_once("gid://gitlab/MergeRequest/") else { return Ok(()) };
    let end = named.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    if let Ok(id) = named[..end.unwrap_or(named.len())].parse() {
        let found = projects::seen_merge_request(call, id).await?;
        data["mergeRequest"] =
            json!(found.map(|(project, row)| projects::shown_merge_request(&project, &row)));
    }
    Ok(())
}

/// `/api/organizations/<organization>/graphql`, on the organization's cell (TD-05).
pub(super) async fn organization_graphql(call: Call) -> PageResult {
    let slug = call.asked.param("slug");
    let Some(organization) = call.cell.database.organization(slug).await? else {
        return Ok(call.not_found());
    };
    let user = call.viewer.user.as_ref();
    let projects = call.cell.database.projects(&call.cell.role()).await?;
    let shown = projects.iter().filter(|project| project.organization.as_deref() == Some(slug));
    let shown = shown.filter(|project| may_see(user, project.visibility, &project.members));
    let projects: Vec<_> =
        shown.map(|project| json!({ "id": project.id, "fullPath": project.path })).collect();
    let current = user.map(|user| json!({ "username": user.name }));
    let organization = json!({ "name": organization.name, "projects": projects });
    let mut data = json!({ "currentUser": current, "organization": organization });
    named_row(&call, &mut data).await?;
    Ok(response::json(StatusCode::OK, &json!({ "data": data })))
}

impl Call {
    /// A record, where it was found.
    fn shown(&self, found: Option<Value>) -> Response {
        found.map_or_else(|| self.not_found(), |record| response::json(StatusCode::OK, &record))
    }

    /// The response of an older API to a user who may use only the APIs of their organization
    /// (OR-08). It reveals nothing about the requested path.
    fn closed(&self) -> Option<Response> {
        let slug = self
            .viewer
            .user
            .as_ref()?
            .default_organization
            .as_ref()
            .filter(|_| self.cell.installation.plan.older_apis_closed)?;
        let message = format!("403 Forbidden: use the APIs below /api/organizations/{slug}");
        Some(response::json(StatusCode::FORBIDDEN, &json!({ "message": message })))
    }
}
