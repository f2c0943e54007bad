//! Creation of a top-level namespace (NS-01 to NS-05).

use std::collections::BTreeSet;

use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::notices;
use crate::database::{Change, Namespace, Organization, Route, User};
use crate::ids::{Drawn, IdTable};
use crate::plan::Protocol;
use crate::population::{PUBLIC_ORGANIZATION, Visibility};
use crate::rails::api::identified;
use crate::rails::call::Call;
use crate::rails::layout::{Escaped, Page};
use crate::rails::request::Form;
use crate::rails::response::{self, PageResult, Refusal, accepted};
use crate::wire::segments::{is_plain_segment, is_reserved};

/// `/groups/new`: the form, which asks for the organization.
pub(in crate::rails) async fn new(call: Call) -> PageResult {
    Ok(form(&call, call.home_organization().await?.as_ref(), None))
}

/// `POST /groups`: without an organization, or with one that the body names.
pub(in crate::rails) async fn create(call: Call, sent: Form) -> PageResult {
    let home = call.home_organization().await?;
    let Some(slug) = sent.filled("organization") else {
        return create_in(&call, &sent, None).await;
    };
    match call.cell.database.organization(slug).await? {
        None => {
            let refusal = format!("There is no organization {slug}.");
            Ok(form(&call, home.as_ref(), Some(refusal)))
        }
        // In the learning protocol the path alone decides, and this path has no organization
        // (LN-11).
        Some(named) if call.cell.installation.protocol() == Protocol::Learning => {
            let refusal =
                format!("Create a group of {} at /organizations/{slug}/groups.", named.name);
            Ok(form(&call, home.as_ref(), Some(refusal)))
        }
        Some(named) => in_organization(&call, &sent, &named).await,
    }
}

/// `POST /organizations/<organization>/groups`, on the organization's cell (NS-02).
pub async fn in_organization(call: &Call, sent: &Form, organization: &Organization) -> PageResult {
    let belongs =
        |user: &User| user.admin || user.default_organization.as_ref() == Some(&organization.slug);
    if !call.viewer.user.as_ref().is_some_and(belongs) {
        return Ok(call.not_found());
    }
    create_in(call, sent, Some(organization)).await
}

async fn create_in(call: &Call, sent: &Form, organization: Option<&Organization>) -> PageResult {
    Ok(match accepted(written(call, sent, organization).await)? {
        Ok(group) if call.visit.is_json() => {
            let organization = group.organization.as_deref();
            response::json(
                StatusCode::CREATED,
                &identified(
                    group.id,
                    group.number,
                    json!({ "path": group.path, "organization": organization }),
                ),
            )
        }
        Ok(group) => response::redirect(&format!("/{}", group.path)),
        Err(refusal) if call.visit.is_json() => response::refused(&refusal),
        Err(refusal) => match organization {
            Some(organization) => form_of(call, organization, Some(refusal)),
            None => form(call, call.home_organization().await?.as_ref(), Some(refusal)),
        },
    })
}

async fn written(
    call: &Call,
    sent: &Form,
    organization: Option<&Organization>,
) -> Result<Namespace, Refusal> {
    let path = sent
        .filled("path")
        .filter(|path| is_plain_segment(path) && !is_reserved(&format!("/{path}")));
    let path = path.ok_or("Choose a path of letters, digits, dots, dashes and underscores.")?;
    let visibility: Visibility = sent
        .filled("visibility")
        .unwrap_or("private")
        .parse()
        .map_err(|_| "A group is private or public.")?;
    let database = &call.cell.database;
    let role = call.cell.role();
    let Drawn { id, number, .. } = database.draw_id(&role, IdTable::Namespaces).await?;
    // The routes table of the primary decides whether a path is free, so its row is written first
    // (NS-05).
    let route = Route::to_namespace(path, &role, id, visibility);
    database
        .write(Change::AddRoute(route))
        .await?
        .map_err(|_| format!("The path {path} is taken."))?;
    let group = Namespace {
        id,
        number,
        path: path.to_owned(),
        name: sent.filled("name").unwrap_or(path).to_owned(),
        organization: organization.map(|organization| organization.slug.clone()),
        visibility,
        members: call.viewer.user.iter().map(|user| user.name.clone()).collect::<BTreeSet<_>>(),
    };
    database.add_namespace(&role, group.clone()).await?;
    Ok(group)
}

const FIELDS: &str = "<label>Path <input name=\"path\" required></label>\n\
    <label>Name <input name=\"name\"></label>\n\
    <label>Visibility <select name=\"visibility\"><option>private</option><option>public</option>\
    </select></label>\n";

/// The form that asks for the organization. Each choice is a button with its own path, so that
/// the path alone decides (LN-11) and no script is needed.
fn form(call: &Call, home: Option<&Organization>, refused: Option<String>) -> Response {
    let choice = home.map(|organization| {
        let (slug, name) = (Escaped(&organization.slug), Escaped(&organization.name));
        format!("<button formaction=\"/organizations/{slug}/groups\">{name}</button>\n")
    });
    let choice = format!(
        "<fieldset><legend>Which organization does the group belong to?</legend>\n\
         {}<button>{}</button>\n</fieldset>\n",
        choice.unwrap_or_default(),
        Escaped(PUBLIC_ORGANIZATION)
    );
    let page = Page::new("New group")
        .organization(home.map(|home| home.name.as_str()))
        .refused(refused)
        .notices([notices::isolated(home)]);
    page.html(format_args!("<form method=\"post\" action=\"/groups\">\n{FIELDS}{choice}</form>\n"))
        .response(call.viewer.user.as_ref())
}

/// The form for a group of one organization.
pub(in crate::rails) fn form_of(
    call: &Call,
    organization: &Organization,
    refused: Option<String>,
) -> Response {
    let page = Page::new("New group").organization(Some(&organization.name)).refused(refused);
    page.html(format_args!(
        "<form method=\"post\" action=\"/organizations/{}/groups\">\n\
         {FIELDS}<button>Create in {}</button>\n</form>\n",
        Escaped(&organization.slug),
        Escaped(&organization.name)
    ))
    .response(call.viewer.user.as_ref())
}
