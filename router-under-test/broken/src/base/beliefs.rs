//! The sources that a router trusts. A correct one trusts the specified field of a response alone;
//! everything here is a mutation, or a choice that is left open.

use std::borrow::Cow;
use std::time::Duration;

use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, full};
use crate::base::outcome::{Refusal, Routed};
use crate::base::pick::{self, Spelling};
use crate::base::router::Router;
use crate::base::routes;
use crate::base::target::Ask;
use crate::base::wire::{self, CACHE, Learnt, REDIRECT, Reading};
use crate::kind::{Mutation, Variation};
use crate::protocol::Protocol;

/// Fields in which other systems pass on the original path.
const ORIGINAL: [&str; 2] = ["x-original-url", "x-rewrite-url"];

/// Internal fields of a user's request, for the mutations that read them.
pub(crate) fn claims(router: &Router, headers: &HeaderMap) -> HeaderMap {
    let heard: &[&str] = match router.mutation() {
        Some(Mutation::ObeysRedirectsOfUsers) => &[REDIRECT_NAME],
        Some(Mutation::LearnsFromUsers) => &[CACHE_NAME],
        Some(Mutation::RoutesByXOriginalUrl) => &ORIGINAL,
        _ => &[],
    };
    let found = heard
        .iter()
        .filter_map(|name| Some((HeaderName::from_static(name), headers.get(*name)?.clone())));
    found.collect()
}

const REDIRECT_NAME: &str = "x-gitlab-cell-redirect";
const CACHE_NAME: &str = "x-gitlab-cell-cache";

/// Looks up the path in the user's `X-Original-URL` instead of the requested one (a mutation).
pub(crate) fn looked_up<'a>(router: &Router, ask: &'a Ask) -> Cow<'a, Ask> {
    let claimed = ORIGINAL.iter().find_map(|name| ask.claims.get(*name)?.to_str().ok());
    match claimed
        .filter(|claimed| router.has(Mutation::RoutesByXOriginalUrl) && claimed.starts_with('/'))
    {
        Some(claimed) => Cow::Owned(Ask { target: claimed.to_owned(), ..ask.clone() }),
        None => Cow::Borrowed(ask),
    }
}

/// Whether the mutation ignores the cache header of this response.
pub(crate) fn unheard(
    router: &Router,
    ask: &Ask,
    response: &Response<Body>,
    sent: usize,
    known: bool,
) -> bool {
    let says = |name: HeaderName, words: &[&str]| {
        let lines =
            response.headers().get_all(name).into_iter().filter_map(|line| line.to_str().ok());
        lines.map(str::to_ascii_lowercase).any(|line| words.iter().any(|word| line.contains(word)))
    };
    match router.mutation() {
        Some(Mutation::LearnsFrom200Only) => response.status() != StatusCode::OK,
        Some(Mutation::LearnsFromBodiesOnly) => {
            ask.method == Method::HEAD || response.body().is_end_stream()
        }
        Some(Mutation::LearnsAfterBouncesOnly) => {
            !known && sent == 1 && router.config.protocol == Protocol::Buffering
        }
        Some(Mutation::LearnsAfterOneBounceOnly) => sent > 2,
        Some(Mutation::HeedsTheCachingOfPages) => {
            says(CACHE_CONTROL, &["no-store", "no-cache", "private", "max-age=0"])
                || says(http::header::VARY, &["*"])
        }
        Some(Mutation::HeedsTheCookiesOfPages) => response.headers().contains_key(SET_COOKIE),
        _ => false,
    }
}

/// What a router does with a response besides forwarding it.
pub(crate) async fn of_response(
    router: &Router,
    ask: &Ask,
    mut routed: Routed,
) -> Result<Routed, Refusal> {
    let told = routed.response.headers().get(CACHE).cloned();
    if let Some(prefix) = ask.claims.get(CACHE).and_then(prefix_in) {
        routes::remember(router, ask, &prefix, false, routed.cell);
    }
    if router.differs(Variation::LearnsFromPagesToo)
        && let Some(prefix) = told.as_ref().and_then(prefix_in)
    {
        routes::remember(router, ask, &prefix, false, routed.cell);
    }
    if router.has(Mutation::StumblesOverCacheFields) && told.is_some() {
        return Err(Refusal::bad_gateway("the response speaks another protocol"));
    }
    // The entry of this response stays (RT-09).
    let taught = told.is_some() || !routed.known;
    if router.differs(Variation::ForgetsAfterA404)
        && !taught
        && routed.response.status() == StatusCode::NOT_FOUND
    {
        router.cache().forget_used(ask);
    }
    if router.has(Mutation::PassesCookiesOfPreFlightsOn) {
        let cookies = router.extra().pre_flight_cookies.remove(&ask.target).unwrap_or_default();
        routed
            .response
            .headers_mut()
            .extend(cookies.into_iter().map(|cookie| (SET_COOKIE, cookie)));
    }
    if router.has(Mutation::ReadsPagesAsLearnResponses) && says_json(routed.response.headers()) {
        let (parts, body) = routed.response.into_parts();
        let broke_off = |_| Refusal::bad_gateway("the response broke off");
        let bytes = body.collect().await.map_err(broke_off)?.to_bytes();
        if let Ok(learnt) = wire::learnt(&bytes)
            && let Ok(cell) = pick::named(router, &learnt.cell, Spelling::Id)
        {
            routes::remember(router, ask, &learnt.path, learnt.exact, cell);
        }
        routed.response = Response::from_parts(parts, full(bytes));
    }
    Ok(routed)
}

/// The effect of a request without a response of a cell.
pub(crate) fn of_failure(router: &Router, ask: &Ask, refusal: Refusal) -> Refusal {
    if router.differs(Variation::ForgetsAfterAFailure) {
        router.cache().forget_used(ask);
    }
    refusal
}

fn says_json(headers: &HeaderMap) -> bool {
    headers
        .get("content-type")
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"))
}

/// The prefix that a field names.
fn prefix_in(line: &HeaderValue) -> Option<String> {
    wire::member(line.to_str().ok()?, "path_prefix", Reading::default()).ok()
}

/// The mutation of reading the cache header's member in the redirect header too.
pub(crate) fn of_bounce(router: &Router, ask: &Ask, headers: &HeaderMap, next: usize) {
    if router.has(Mutation::LearnsFromRedirectFields)
        && let Some(prefix) = headers.get(REDIRECT).and_then(prefix_in)
    {
        routes::remember(router, ask, &prefix, false, next);
    }
}

/// The mutation of reading the redirect header's member in the cache header too.
pub(crate) fn claimed_owner(router: &Router, headers: &HeaderMap) -> Option<usize> {
    headers
        .get(CACHE)
        .filter(|_| router.has(Mutation::BelievesTheCellInCacheFields))
        .and_then(|line| pick::named_in(router, line))
}

/// The mutation of a learning router that follows a redirect header on any response.
pub(crate) fn pointed_to(router: &Router, response: &Response<Body>) -> Option<usize> {
    pick::named_in(router, response.headers().get(REDIRECT)?)
}

/// Fields of a learn response that change its meaning for a mutant.
pub(crate) fn beside_response(router: &Router, headers: &HeaderMap, mut learnt: Learnt) -> Learnt {
    let line = headers.get(CACHE_CONTROL).and_then(|line| line.to_str().ok()).unwrap_or_default();
    let age = line.split(',').find_map(|part| part.trim().strip_prefix("max-age=")?.parse().ok());
    learnt.max_age = age.map_or(Duration::ZERO, Duration::from_secs);
    learnt.no_store = line.contains("no-store");
    if router.has(Mutation::BelievesRedirectFieldsOfLearnResponses)
        && let Some(cell) = headers.get(REDIRECT).and_then(|line| pick::named_in(router, line))
    {
        learnt.cell.clone_from(&router.config.cells[cell].id);
    }
    learnt
}

/// The effect of a learn response's fields in a mutant, whatever its status.
pub(crate) fn of_pre_flight(router: &Router, user: &Ask, cell: usize, headers: &HeaderMap) {
    if router.has(Mutation::BelievesCacheFieldsOfLearnResponses)
        && let Some(prefix) = headers.get(CACHE).and_then(prefix_in)
    {
        routes::remember(router, user, &prefix, false, cell);
    }
    if router.has(Mutation::PassesCookiesOfPreFlightsOn) {
        let cookies = headers.get_all(SET_COOKIE).iter().cloned().collect();
        router.extra().pre_flight_cookies.insert(user.target.clone(), cookies);
    }
}
