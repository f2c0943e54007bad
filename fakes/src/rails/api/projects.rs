//! Groups, projects, merge requests and notes over REST, as GitLab has them.
//!
//! `POST /api/v4/projects` names the namespace in its body, which only the buffering protocol can
//! route by. In learning the path alone decides, so a project is created at
//! `/api/v4/groups/<id>/projects`, which works in both.

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::{ProjectStores, identified};
use crate::database::{
    Change, MergeRequest, Namespace, Note, Project, ProjectReference, Route, Source, Stored, User,
    may_see,
};
use crate::git::ObjectId;
use crate::ids::{Drawn, Id, IdTable};
use crate::plan::IdStrategy;
use crate::population::Visibility;
use crate::rails::call::Call;
use crate::rails::request::Form;
use crate::rails::response::{self, PageResult, refused};
use crate::wire::segments::is_plain_segment;

/// `POST /api/v4/projects`, with the namespace in the body.
pub(in crate::rails) async fn create_by_body(call: Call, form: Form) -> PageResult {
    let Some(route) = call.cell.namespace_of(&form).await? else {
        return Ok(refused("There is no such namespace; give `namespace_id`."));
    };
    let Source::Namespace(id) = route.source else { return Ok(call.not_found()) };
    if route.cell != call.cell.role() {
        // In the learning protocol the path alone decides, and this path has no namespace (LN-11).
        return Ok(refused(&format!("Create this project at /api/v4/groups/{id}/projects.")));
    }
    create(&call, &route, &form).await
}

/// `POST /api/v4/groups/<id>/projects`, on the group's cell.
pub(in crate::rails) async fn create_in_group(call: Call, form: Form) -> PageResult {
    match &call.decision.route {
        Some(route) => create(&call, route, &form).await,
        None => Ok(call.not_found()),
    }
}

/// `/api/v4/groups/<id>`, on the group's cell.
pub(in crate::rails) async fn group(call: Call) -> PageResult {
    let group = match &call.decision.route {
        Some(route) => namespace(&call, route).await?,
        None => None,
    };
    Ok(call.shown(group.map(|group| {
        let shown = json!({
            "name": group.name,
            "path": group.path,
            "organization": group.organization,
            "visibility": group.visibility,
        });
        identified(group.id, group.number, shown)
    })))
}

/// The namespace of a route, where the viewer may see it.
async fn namespace(call: &Call, route: &Route) -> Stored<Option<Namespace>> {
    let path = route.path.trim_start_matches('/');
    let found = call.cell.database.namespace(&call.cell.role(), path).await?;
    let user = call.viewer.user.as_ref();
    Ok(found.filter(|group| may_see(user, group.visibility, &group.members)))
}

async fn create(call: &Call, route: &Route, form: &Form) -> PageResult {
    let Some(user) = &call.viewer.user else { return Ok(call.not_found()) };
    let belongs = |group: &Namespace| user.admin || group.members.contains(&user.name);
    let Some(group) = namespace(call, route).await?.filter(belongs) else {
        return Ok(call.not_found());
    };
    let Some(path) = form.filled("path").filter(|path| is_plain_segment(path)) else {
        return Ok(refused("Choose a path of letters, digits, dots, dashes and underscores."));
    };
    let (database, role) = (&call.cell.database, call.cell.role());
    let visibility = match form.filled("visibility") {
        Some("public") => Visibility::Public,
        _ => Visibility::Private,
    };
    let Drawn { id, number, .. } = database.draw_id(&role, IdTable::Projects).await?;
    let full_path = format!("{}/{path}", group.path);
    let added = Change::AddRoute(Route::to_project(&full_path, &role, id, visibility));
    if database.write(added).await?.is_err() {
        return Ok(refused(&format!("The path {full_path} is taken.")));
    }
    let title = form.filled("name").unwrap_or(path).to_owned();
    let project = Project {
        id,
        number,
        path: full_path,
        heading: title.clone(),
        title,
        organization: group.organization.clone(),
        visibility,
        members: group.members.clone(),
        work: Default::default(),
    };
    database.add_project(&role, project.clone()).await?;
    Ok(response::json(StatusCode::CREATED, &shown_project(&project)))
}

/// A project as the API shows it.
pub(in crate::rails) fn shown_project(project: &Project) -> Value {
    let shown = json!({
        "name": project.title,
        "path_with_namespace": project.path,
        "visibility": project.visibility,
    });
    identified(project.id, project.number, shown)
}

/// `/api/v4/projects/<id>/merge_requests`, and what is below it.
pub(in crate::rails) async fn merge_requests(
    ProjectStores(project, call): ProjectStores,
    sent: Form,
) -> PageResult {
    let (project, call) = (&project, &call);
    let (database, role) = (&call.cell.database, call.cell.role());
    let segments: Vec<_> =
        call.asked.param("rest").split('/').filter(|segment| !segment.is_empty()).collect();
    match segments[..] {
        [] if call.visit.reads() => {
            let rows = database.merge_requests(&role, project.id).await?;
            let rows: Vec<_> = rows.iter().map(|row| shown_merge_request(project, row)).collect();
            Ok(response::json(StatusCode::OK, &Value::Array(rows)))
        }
        [] => create_merge_request(call, project, &sent).await,
        // The id that is unique on this cell alone, next to that of the project (ID-43).
        ["id", id] => {
            let Ok(id) = id.parse().map(|id| call.as_row_id(id)) else {
                return Ok(call.not_found());
            };
            let found = database.merge_request(&role, id).await?;
            let found = found.filter(|row| row.project == project.id);
            Ok(call.shown(found.map(|row| shown_merge_request(project, &row))))
        }
        [iid] | [iid, "notes"] => {
            let rows = database.merge_requests(&role, project.id).await?;
            let Some(row) = rows.into_iter().find(|row| row.iid.to_string() == iid) else {
                return Ok(call.not_found());
            };
            if segments.len() == 2 {
                return notes(call, project, &row, &sent).await;
            }
            Ok(call.shown(Some(shown_merge_request(project, &row))))
        }
        _ => Ok(call.not_found()),
    }
}

/// `/api/v4/merge_requests/<id>`: the merge request with this id in the whole installation.
pub(in crate::rails) async fn merge_request_by_id(call: Call) -> PageResult {
    let Some(id) = call.asked.id() else { return Ok(call.not_found()) };
    let found = seen_merge_request(&call, id).await?;
    Ok(call.shown(found.map(|(project, row)| shown_merge_request(&project, &row))))
}

/// The merge request with an id, where this cell has it and its user may see it.
pub(super) async fn seen_merge_request(
    call: &Call,
    id: Id,
) -> Stored<Option<(Project, MergeRequest)>> {
    let (database, role) = (&call.cell.database, call.cell.role());
    let Some(row) = database.merge_request(&role, call.as_row_id(id)).await? else {
        return Ok(None);
    };
    let project = database.project(&role, &ProjectReference::Id(row.project)).await?;
    let user = call.viewer.user.as_ref();
    let seen = project.filter(|project| may_see(user, project.visibility, &project.members));
    Ok(seen.map(|project| (project, row)))
}

async fn create_merge_request(call: &Call, project: &Project, form: &Form) -> PageResult {
    let Some(author) = author(call, project) else { return Ok(call.not_found()) };
    let Some(title) = form.filled("title") else { return Ok(refused("Give it a `title`.")) };
    let (database, role) = (&call.cell.database, call.cell.role());
    let Drawn { id, number, .. } = database.draw_id(&role, IdTable::MergeRequests).await?;
    let row = MergeRequest {
        id,
        number,
        iid: 0,
        project: project.id,
        author: author.id,
        title: title.to_owned(),
    };
    let row = database.add_merge_request(&role, row).await?;
    call.cell.installation.side.change(&role, project.id, |stores| {
        stores.index.insert(row.title.clone());
    });
    call.cell.installation.count_opened(&role, project.id).await?;
    // A UUID tells nothing about its cell, so a table has to (ID-10).
    if call.cell.installation.plan.id_plan.strategy == IdStrategy::Uuid {
        let placed = Change::PlaceRow { table: IdTable::MergeRequests, id, cell: role };
        // No column of this row is unique, so the write cannot conflict.
        let _ = database.write(placed).await?;
    }
    Ok(response::json(StatusCode::CREATED, &shown_merge_request(project, &row)))
}

/// `POST /api/v4/projects/<id>/pipeline`: a pipeline of one job, which waits for a runner.
pub(in crate::rails) async fn create_pipeline(
    ProjectStores(project, call): ProjectStores,
) -> PageResult {
    if author(&call, &project).is_none() {
        return Ok(call.not_found());
    }
    let queue = call.cell.installation.queue_of(&call.cell.role());
    let (path, id) = (project.path.clone(), project.id);
    let job = call.cell.runners(&queue).queue(path, id).await?;
    let shown = json!({ "id": job.id, "project_id": id, "status": "pending" });
    Ok(response::json(StatusCode::CREATED, &shown))
}

/// `GET /api/v4/projects/<id>/statistics`: what the cell's Redis has counted.
pub(in crate::rails) async fn statistics(
    ProjectStores(project, call): ProjectStores,
) -> PageResult {
    let opened = call.cell.installation.opened(&call.cell.role(), project.id).await?;
    Ok(response::json(StatusCode::OK, &json!({ "merge_requests_opened": opened })))
}

/// `POST /api/v4/projects/<id>/repository/branches`
pub(in crate::rails) async fn create_branch(
    ProjectStores(project, call): ProjectStores,
    form: Form,
) -> Response {
    if author(&call, &project).is_none() {
        return call.not_found();
    }
    let Some(name) = form.filled("branch") else { return refused("Name a `branch`.") };
    let tip = call.cell.installation.side.change(&call.cell.role(), project.id, |kept| {
        call.cell.database.enter_refs();
        kept.repository.create_branch(name)
    });
    response::json(StatusCode::CREATED, &shown_branch((name, tip)))
}

/// `/api/v4/projects/<id>/repository/branches`
pub(in crate::rails) async fn branches(ProjectStores(project, call): ProjectStores) -> Response {
    let kept = call.cell.installation.side.of(&call.cell.role(), project.id);
    let branches = kept.repository.branches().map(shown_branch).collect();
    response::json(StatusCode::OK, &branches)
}

/// `/api/v4/projects/<id>/search`: the project's documents in the cell's search index.
pub(in crate::rails) async fn search(ProjectStores(project, call): ProjectStores) -> Response {
    let kept = call.cell.installation.side.of(&call.cell.role(), project.id);
    let wanted = call.visit.query_value("search").unwrap_or_default();
    let found = kept.index.iter().filter(|title| title.contains(&wanted));
    response::json(StatusCode::OK, &found.map(|title| json!({ "title": title })).collect())
}

fn shown_branch((name, tip): (&str, ObjectId)) -> Value {
    json!({ "name": name, "commit": { "id": tip.to_string() } })
}

/// A merge request as the API shows it.
pub fn shown_merge_request(project: &Project, row: &MergeRequest) -> Value {
    let shown = json!({
        "iid": row.iid,
        "project_id": project.number.map_or_else(|| json!(project.id), Value::from),
        "title": row.title,
        "author_id": row.author,
    });
    identified(row.id, row.number, shown)
}

async fn notes(call: &Call, project: &Project, of: &MergeRequest, form: &Form) -> PageResult {
    let (database, role) = (&call.cell.database, call.cell.role());
    if call.visit.reads() {
        let rows = database.notes(&role, of.id).await?;
        let rows: Vec<_> = rows.iter().map(shown_note).collect();
        return Ok(response::json(StatusCode::OK, &Value::Array(rows)));
    }
    let Some(author) = author(call, project) else { return Ok(call.not_found()) };
    let Some(body) = form.filled("body") else { return Ok(refused("Give it a `body`.")) };
    let Drawn { id, number, .. } = database.draw_id(&role, IdTable::Notes).await?;
    let note = Note {
        id,
        number,
        project: project.id,
        merge_request: of.id,
        author: author.id,
        body: body.to_owned(),
    };
    database.add_note(&role, note.clone()).await?;
    Ok(response::json(StatusCode::CREATED, &shown_note(&note)))
}

fn shown_note(note: &Note) -> Value {
    let shown = json!({
        "body": note.body,
        "author_id": note.author,
        "noteable_type": "MergeRequest",
    });
    identified(note.id, note.number, shown)
}

/// The viewer, where they may write to a project.
pub(in crate::rails) fn author<'c>(call: &'c Call, project: &Project) -> Option<&'c User> {
    let user = call.viewer.user.as_ref()?;
    (user.admin || project.members.contains(&user.name)).then_some(user)
}

impl Call {
    /// The id of a row of a table that is not top-level, as a path names it.
    pub fn as_row_id(&self, id: Id) -> Id {
        match (id, self.cell.installation.plan.id_plan.strategy) {
            (Id::Number(number), IdStrategy::SomeTables) => Id::Local(number),
            _ => id,
        }
    }
}
