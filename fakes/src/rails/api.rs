//! REST and GraphQL.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::call::Call;
use super::path::segment_after;
use super::projects;
use super::response::{self, PageResult};
use crate::database::{ProjectReference, Source, may_see};
use crate::ids::Id;
use crate::mutants::Mutation;

/// `/api/v4/projects/<id or encoded path>`, on the project's cell (ID-02).
pub(super) async fn project(
    call: &Call<'_>,
    reference: &ProjectReference,
    rest: &str,
) -> PageResult {
    if let Some(closed) = call.closed() {
        return Ok(closed);
    }
    // The route has the row's own id, also where the path has a number that is older.
    let reference = match call.decision.route.as_ref().map(|route| route.source) {
        Some(Source::Project(id)) => &ProjectReference::Id(id),
        _ => reference,
    };
    let found = call.cell.database.project(&call.cell.role(), reference).await?;
    let user = call.viewer.user.as_ref();
    let Some(project) = found.filter(|project| may_see(user, project.visibility, &project.members))
    else {
        return Ok(call.not_found());
    };
    if let Some((_, below)) = segment_after(rest, "/").filter(|(name, _)| *name == "merge_requests")
    {
        return projects::merge_requests(call, &project, below).await;
    }
    if let Some(response) = projects::beside_the_databases(call, &project, rest) {
        return Ok(response);
    }
    Ok(match rest {
        "" | "/" => response::json(StatusCode::OK, &projects::shown_project(call, &project)),
        "/pipeline" if !call.visit.reads() => projects::create_pipeline(call, &project).await?,
        "/statistics" => projects::statistics(call, &project).await?,
        "/issues" => response::json(StatusCode::OK, &json!([])),
        _ => call.not_found(),
    })
}

/// A record with its id. Where a UUID identifies the row, the number beside it stays `id`.
pub(super) fn identified(call: &Call<'_>, id: Id, number: Option<u64>, mut record: Value) -> Value {
    record["id"] = match (id, number) {
        (Id::Uuid(_), Some(number)) => {
            record["uuid"] = json!(id);
            json!(number)
        }
        (Id::Number(id), _) if call.cell.has(Mutation::IdsThroughFloats) => {
            json!((id as f64) as u64)
        }
        _ => json!(id),
    };
    record
}

/// `/api/graphql`. It names no organization, so any cell responds (TD-04).
pub(super) fn graphql(call: &Call<'_>) -> Response {
    if let Some(closed) = call.closed() {
        return closed;
    }
    let user = call.viewer.user.as_ref().map(|user| json!({ "username": user.name }));
    response::json(StatusCode::OK, &json!({ "data": { "currentUser": user } }))
}

/// `/api/organizations/<organization>/graphql`, on the organization's cell (TD-05).
pub(super) async fn organization_graphql(call: &Call<'_>, slug: &str) -> PageResult {
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
    Ok(response::json(
        StatusCode::OK,
        &json!({ "data": { "currentUser": current, "organization": organization } }),
    ))
}

impl Call<'_> {
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
