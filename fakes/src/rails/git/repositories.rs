//! The Git repositories of projects, over git's smart HTTP protocol.
//!
//! A client proves who it is by a session, or by a personal access token in place of a
//! password, as a git client sends it.

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::git::{self, Service};
use crate::rails::api::projects::author;
use crate::rails::call::Call;
use crate::rails::endpoint::RepositoryCall;
use crate::rails::request::Visit;
use crate::rails::response::PageResult;

/// Asks a git client for a password.
pub(in crate::rails) fn to_password() -> Response {
    let field = [(header::WWW_AUTHENTICATE, "Basic realm=\"GitLab\"")];
    (StatusCode::UNAUTHORIZED, field, "HTTP Basic: Access denied\n").into_response()
}

/// Responds to a git client, on the cell of the project.
pub(in crate::rails) async fn respond(call: &Call, asked: RepositoryCall) -> PageResult {
    let Some(project) = call.project().await? else { return Ok(call.not_found()) };
    let (role, id, user) = (call.cell.role(), project.id, call.viewer.user.as_ref());
    let service = match asked {
        RepositoryCall::Refs => call.visit.query_value("service").unwrap_or_default(),
        RepositoryCall::Upload => Service::Upload.as_str().to_owned(),
        RepositoryCall::Receive => Service::Receive.as_str().to_owned(),
    };
    let Some(service) = Service::named(&service) else { return Ok(call.not_found()) };
    if service == Service::Receive && author(call, &project).is_none() {
        return Ok(match user {
            Some(_) => (StatusCode::FORBIDDEN, "You may not push here.\n").into_response(),
            None => to_password(),
        });
    }
    let side = &call.cell.installation.side;
    if asked == RepositoryCall::Refs {
        if !call.visit.reads() {
            return Ok(call.not_found());
        }
        let body = git::advertisement(&side.of(&role, id).repository, service);
        return Ok(shown(service, "advertisement", body));
    }
    if call.visit.method != Method::POST {
        return Ok(call.not_found());
    }
    let Some(request) = plain_body(&call.visit) else {
        return Ok(StatusCode::PAYLOAD_TOO_LARGE.into_response());
    };
    let body = match service {
        Service::Upload => git::uploaded(&side.of(&role, id).repository, &request)
            .unwrap_or_else(|refusal| refusal),
        Service::Receive => side.change(&role, id, |kept| {
            let before = kept.repository.refs.clone();
            let report = git::received(&mut kept.repository, &request);
            // An accepted push is a write, and a refused one is not. It is entered before a move
            // can copy the repository without it.
            if kept.repository.refs != before {
                call.cell.database.enter_refs();
            }
            report
        }),
    };
    Ok(shown(service, "result", body))
}

fn shown(service: Service, what: &str, body: Vec<u8>) -> Response {
    let kind = format!("application/x-{}-{what}", service.as_str());
    let mut response = body.into_response();
    // Both values are plain text.
    if let Ok(kind) = HeaderValue::from_str(&kind) {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The body without the compression that git gives to long requests; `None` where it is too large,
/// or not compressed as it says.
fn plain_body(visit: &Visit) -> Option<Vec<u8>> {
    let body = visit.body()?;
    match visit.field("content-encoding") {
        None => Some(body.to_vec()),
        // git writes a head without further members (RFC 1952 2.3).
        Some("gzip" | "x-gzip") if body.starts_with(&[0x1f, 0x8b, 8, 0]) => {
            decompress_to_vec_with_limit(
                body.get(10..body.len().checked_sub(8)?)?,
                RepositoryCall::LARGEST,
            )
            .ok()
        }
        Some(_) => None,
    }
}
