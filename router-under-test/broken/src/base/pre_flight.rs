//! The pre-flight of the routes-learning proposal: its request, and what its response means.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, LOCATION};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::base::body::{Body, full, what_came};
use crate::base::deviate::deviate;
use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::wire::{self, Learnt};
use crate::base::{beliefs, forward, misreadings};
use crate::deviation::Seam;
use crate::kind::{Mutation, Variation};

/// All bytes that form-decoding would change; a slash is harmless in a query (Z-12).
const PATH_INFO: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
/// The same with slashes encoded.
const PATH_INFO_SLASHES: &AsciiSet = &PATH_INFO.add(b'/');
/// The mutation of not encoding a plus.
const PATH_INFO_PLUS: &AsciiSet = &PATH_INFO.remove(b'+');
/// The size limit of a learn response, which has a few members.
const MAX_RESPONSE: usize = 64 * 1024;

/// What a cell responded about the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    Owner(Learnt),
    /// Status 404: this cell knows no owner.
    Nobody,
}

/// Why there is no learn response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoWord {
    Failed(Failure),
    Malformed,
    /// The body exceeds the size of a learn response.
    TooLong,
}

/// Sends a pre-flight to one cell (LN-01, LN-03, LN-11). Only mutations give it a body.
pub(crate) async fn ask(
    router: &Arc<Router>,
    user: &Ask,
    cell: usize,
    body: Bytes,
) -> Result<Said, NoWord> {
    let request = request(router, user, &body);
    let mut response =
        forward::send(router, cell, &request, full(body)).await.map_err(NoWord::Failed)?;
    if router.has(Mutation::FollowsRedirectsOfPreFlights) {
        response = follow(router, cell, &request, response).await.map_err(NoWord::Failed)?;
    }
    let status = response.status();
    let headers = response.headers().clone();
    if router.has(Mutation::WantsThePlainTypeOfJson)
        && headers.get(CONTENT_TYPE).is_none_or(|kind| kind != "application/json")
    {
        return Err(NoWord::Malformed);
    }
    let body = async {
        if router.has(Mutation::TakesHalfALearnResponse) {
            return Ok(what_came(response.into_body()).await);
        }
        let body = Limited::new(response.into_body(), MAX_RESPONSE).collect().await;
        let body = body.map_err(|error| {
            if error.is::<LengthLimitError>() {
                NoWord::TooLong
            } else {
                NoWord::Failed(Failure::Broken)
            }
        });
        Ok::<_, NoWord>(body?.to_bytes())
    };
    let limit = match router.has(Mutation::WaitsForeverForPreFlights) {
        true => Duration::from_secs(3600),
        false => router.config.response_timeout,
    };
    let body = tokio::time::timeout(limit, body).await;
    let body = body.unwrap_or(Err(NoWord::Failed(Failure::Late)))?;
    beliefs::of_pre_flight(router, user, cell, &headers);
    match status {
        status
            if status == StatusCode::OK
                || (router.has(Mutation::TakesEvery2xxForALearnResponse)
                    && status.is_success()) =>
        {
            let learnt = read(router, &body)
                .map(|learnt| beliefs::beside_response(router, &headers, learnt))
                .and_then(|learnt| deviate(Seam::LearnResponse, learnt).now());
            learnt.map(Said::Owner).ok_or(NoWord::Malformed)
        }
        status if router.has(Mutation::TakesClientErrorsForNobody) && status.is_client_error() => {
            Ok(Said::Nobody)
        }
        StatusCode::NOT_FOUND => Ok(Said::Nobody),
        status if router.has(Mutation::TakesErrorsForNobody) && status.is_server_error() => {
            Ok(Said::Nobody)
        }
        _ => Err(NoWord::Malformed),
    }
}

/// The mutation of an HTTP library that follows the redirect of a learn response.
async fn follow(
    router: &Arc<Router>,
    cell: usize,
    asked: &Ask,
    mut response: Response<Body>,
) -> Result<Response<Body>, Failure> {
    for _ in 0..5 {
        let location =
            response.headers().get(LOCATION).and_then(|value| Uri::try_from(value.as_bytes()).ok());
        let Some(location) = location.filter(|_| response.status().is_redirection()) else { break };
        let target = location.path_and_query().map_or("/", |target| target.as_str()).to_owned();
        let next = Ask { target, ..asked.clone() };
        let host: Option<Authority> = location.authority().cloned();
        response = match host {
            Some(host) => forward::send_to(router, &host, &next, full("")).await?,
            None => forward::send(router, cell, &next, full("")).await?,
        };
    }
    Ok(response)
}

fn read(router: &Router, body: &[u8]) -> Option<Learnt> {
    let response = match router.mutation() {
        Some(Mutation::FoldsLettersOfLearnMembers) => wire::learnt(&misreadings::folded(body)),
        Some(Mutation::KeepsEscapesOfLearnResponses) => {
            wire::learnt(&misreadings::with_escapes(body))
        }
        Some(Mutation::WantsLearnMembersInOrder) => misreadings::in_order(body),
        Some(Mutation::WantsLearnResponsesWithoutBlanks) => misreadings::without_blanks(body),
        Some(Mutation::FindsLearnMembersByPattern) => misreadings::found(body),
        _ => wire::learnt(body),
    };
    if router.has(Mutation::CrashesOnAWrongType) && response.is_err() {
        eprintln!("internal error: the learn response has the wrong type");
        std::process::exit(101);
    }
    let refused = |response: &Learnt| match router.mutation() {
        Some(Mutation::NeedsTheExactMember) => !response.names_exact,
        Some(Mutation::KnowsRoutableSourcesOnly) => response.source != "routable",
        Some(Mutation::KnowsTwoSourcesOnly) => {
            !["routable", "fixed"].contains(&response.source.as_str())
        }
        Some(Mutation::RefusesUnknownLearnMembers) => response.has_unknown_members,
        _ => false,
    };
    response.ok().filter(|response| !refused(response))
}

fn request(router: &Router, user: &Ask, body: &Bytes) -> Ask {
    const NEWER: &str = "/api/v4/internal/cells/learn";
    const OLDER: &str = "/api/v4/cells/learn";
    let learn_path = match router.has(Mutation::AsksAtTheOtherLearnPath) {
        true if router.config.learn_path == NEWER => OLDER,
        true => NEWER,
        false => &router.config.learn_path,
    };
    let method = user.method.as_str();
    let query = match router.differs(Variation::EncodesSlashes) {
        true => format!("path_info={}&method={method}", path_info(router, user)),
        false => format!("method={method}&path_info={}", path_info(router, user)),
    };
    let mut headers = HeaderMap::new();
    if !body.is_empty() {
        headers.extend(user.headers.get(CONTENT_TYPE).map(|value| (CONTENT_TYPE, value.clone())));
    }
    if router.has(Mutation::PostsThePreFlight) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let method = if router.has(Mutation::PostsThePreFlight) { Method::POST } else { Method::GET };
    let copied = match router.mutation() {
        Some(Mutation::SendsCookiesWithThePreFlight) => vec![COOKIE],
        Some(Mutation::SendsTokensWithThePreFlight) => {
            vec![AUTHORIZATION, HeaderName::from_static("private-token")]
        }
        Some(Mutation::SendsAllFieldsWithThePreFlight) => {
            user.headers.keys().filter(|name| *name != HOST).cloned().collect()
        }
        _ => Vec::new(),
    };
    for name in copied {
        for value in user.headers.get_all(&name) {
            headers.append(name.clone(), value.clone());
        }
    }
    Ask {
        method,
        target: format!("{learn_path}?{query}"),
        headers,
        is_pre_flight: true,
        ..Ask::default()
    }
}

fn path_info(router: &Router, user: &Ask) -> String {
    let encode = |text: &str| utf8_percent_encode(text, PATH_INFO).to_string();
    let path = user.path();
    match router.mutation() {
        Some(Mutation::PathInfoWithQuery) => encode(&user.target),
        Some(Mutation::CutsAtTheLastQuestionMark) => {
            encode(user.target.rsplit_once('?').map_or(path, |(path, _)| path))
        }
        Some(Mutation::PathInfoWithoutSlash) => encode(path.strip_prefix('/').unwrap_or(path)),
        Some(Mutation::PathInfoNotEncoded) => path.to_owned(),
        Some(Mutation::PathInfoEncodedTwice) => encode(&encode(path)),
        Some(Mutation::PathInfoWithBarePlus) => {
            utf8_percent_encode(path, PATH_INFO_PLUS).to_string()
        }
        Some(Mutation::PathInfoDecoded) => encode(&percent_decode_str(path).decode_utf8_lossy()),
        _ if router.differs(Variation::EncodesSlashes) => {
            utf8_percent_encode(path, PATH_INFO_SLASHES).to_string()
        }
        _ => encode(path),
    }
}
