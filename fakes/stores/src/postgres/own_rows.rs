//! The rows of a cell's own schemas, as SQL.

use std::collections::BTreeSet;

use cell_fleet::population::Work;
use cell_fleet::store::{MergeRequest, Namespace, Note, Project};
use cell_fleet::{Id, Stored};

use super::link::{Link, Made, Values, Writing};
use super::rows::bigint;

/// Projects with their work.
pub(super) async fn projects(
    link: &Link,
    wanted: &str,
    values: Values<'_>,
) -> Stored<Vec<Project>> {
    let sql = format!("SELECT * FROM projects {wanted} ORDER BY path");
    let mut projects = link.all(&sql, values, |columns| columns.project()).await?;
    let paths: Vec<_> = projects.iter().map(|project| project.path.clone()).collect();
    let sql = "SELECT * FROM todos WHERE project_path = ANY ($1)";
    let made: Made<(String, String, Work)> =
        |columns| Ok((columns.get("project_path")?, columns.get("username")?, columns.work()?));
    for (path, user, work) in link.all(sql, &[&paths], made).await? {
        if let Some(project) = projects.iter_mut().find(|project| project.path == path) {
            project.work.insert(user, work);
        }
    }
    Ok(projects)
}

pub(super) async fn add_namespace(to: &Writing<'_>, row: &Namespace) -> Stored<()> {
    let sql = "INSERT INTO namespaces (path, id, number, name, organization, visibility, members) \
               VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (path) DO UPDATE SET \
               id = excluded.id, number = excluded.number, name = excluded.name, \
               organization = excluded.organization, visibility = excluded.visibility, \
               members = excluded.members";
    let (id, number) = (row.id.to_string(), row.number.map(bigint));
    let (visibility, members): (&str, _) = (row.visibility.into(), members(&row.members));
    let values: Values<'_> =
        &[&row.path, &id, &number, &row.name, &row.organization, &visibility, &members];
    to.execute(sql, values).await.map(drop)
}

pub(super) async fn add_project(to: &Writing<'_>, row: &Project) -> Stored<()> {
    to.execute("DELETE FROM projects WHERE path = $1", &[&row.path]).await?;
    let sql = "INSERT INTO projects (path, id, number, title, heading, organization, visibility, \
               members) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let (id, number) = (row.id.to_string(), row.number.map(bigint));
    let (visibility, members): (&str, _) = (row.visibility.into(), members(&row.members));
    let values: Values<'_> = &[
        &row.path,
        &id,
        &number,
        &row.title,
        &row.heading,
        &row.organization,
        &visibility,
        &members,
    ];
    to.execute(sql, values).await?;
    for (user, work) in &row.work {
        let sql = "INSERT INTO todos (project_path, username, todos, issues, merge_requests) \
                   VALUES ($1, $2, $3, $4, $5)";
        let counts = [work.todos, work.issues, work.merge_requests].map(i64::from);
        let [todos, issues, merge_requests] = &counts;
        to.execute(sql, &[&row.path, user, todos, issues, merge_requests]).await?;
    }
    Ok(())
}

pub(super) async fn put_merge_request(to: &Writing<'_>, row: &MergeRequest) -> Stored<()> {
    let sql = "INSERT INTO merge_requests (id, number, iid, project_id, author_id, title) \
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET \
               number = excluded.number, iid = excluded.iid, project_id = excluded.project_id, \
               author_id = excluded.author_id, title = excluded.title";
    let (id, number, iid) = (row.id.to_string(), row.number.map(bigint), bigint(row.iid));
    let (project, author) = (row.project.to_string(), row.author.to_string());
    to.execute(sql, &[&id, &number, &iid, &project, &author, &row.title]).await.map(drop)
}

pub(super) async fn put_note(to: &Writing<'_>, row: &Note) -> Stored<()> {
    let sql = "INSERT INTO notes (id, number, project_id, merge_request_id, author_id, body) \
               VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET \
               number = excluded.number, project_id = excluded.project_id, \
               merge_request_id = excluded.merge_request_id, author_id = excluded.author_id, \
               body = excluded.body";
    let (id, number) = (row.id.to_string(), row.number.map(bigint));
    let (project, merge_request) = (row.project.to_string(), row.merge_request.to_string());
    let author = row.author.to_string();
    let values: Values<'_> = &[&id, &number, &project, &merge_request, &author, &row.body];
    to.execute(sql, values).await.map(drop)
}

pub(super) async fn put_pipelines(to: &Writing<'_>, project: Id, count: u64) -> Stored<()> {
    let project = project.to_string();
    to.execute("DELETE FROM pipelines WHERE project_id = $1", &[&project]).await?;
    let sql = "INSERT INTO pipelines (project_id, iid) \
               SELECT $1, iid FROM generate_series(1, $2::bigint) AS iid";
    to.execute(sql, &[&project, &bigint(count)]).await.map(drop)
}

fn members(members: &BTreeSet<String>) -> Vec<&str> {
    members.iter().map(String::as_str).collect()
}
