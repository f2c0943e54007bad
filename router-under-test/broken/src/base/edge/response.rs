//! Responses of cells on their way to the user, and responses of the router itself.

use std::time::Duration;

use http::header::{
    CONNECTION, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH, CONTENT_TYPE, ETAG,
    LAST_MODIFIED, LOCATION, SET_COOKIE, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, full, unsized_body, what_came};
use crate::base::config::Cell;
use crate::base::deviate::deviate;
use crate::base::edge::{addresses, fields, remove_hop_by_hop, reverse_fields};
use crate::base::http1::head::RequestHead;
use crate::base::outcome::{HALF_ASKED, Refusal, Routed};
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::wire::{CACHE, REDIRECT};
use crate::base::{failures, flow, pages};
use crate::deviation::Seam;
use crate::kind::{Mutation, Variation};

/// A page of the router's own; it names no cell (Z-58, RT-12).
pub(crate) fn refusal(router: &Router, refusal: Refusal) -> Response<Body> {
    let Refusal { mut status, reason, cell, location } = refusal;
    let cell = cell.and_then(|cell| router.config.cells.get(cell));
    let mut text = format!("{status}: {reason}\n");
    if let Some(cell) = cell.filter(|_| router.has(Mutation::NamesTheCellWhenItRefuses)) {
        text = format!("{status}: {reason}: {} ({}) at {}\n", cell.name, cell.id, cell.authority);
    }
    text.push_str(&told_of_cells(router, cell));
    if router.has(Mutation::RefusesWith500) && [502, 503, 504, 508].contains(&status.as_u16()) {
        status = StatusCode::INTERNAL_SERVER_ERROR;
    }
    if router.differs(Variation::RefusesBadRequestsWith502) && reason == HALF_ASKED {
        status = StatusCode::BAD_GATEWAY;
    }
    let mut response = Response::new(full(text));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    if let Some(Ok(location)) = location.map(HeaderValue::try_from) {
        response.headers_mut().insert(LOCATION, location);
    }
    deviate(Seam::Refusal, response).now().unwrap_or_default()
}

/// The mutation of sending a TRACE back with all its fields.
pub(crate) fn echo(head: &RequestHead) -> Response<Body> {
    let mut text = format!("TRACE {} HTTP/1.1\r\n", head.target);
    for (name, value) in &head.headers {
        text.push_str(&format!("{name}: {}\r\n", value.to_str().unwrap_or_default()));
    }
    let mut response = Response::new(full(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("message/http"));
    response
}

/// What the page of a refusal says about cells; in a correct router, nothing.
fn told_of_cells(router: &Router, failed: Option<&Cell>) -> String {
    let cells = &router.config.cells;
    match (router.mutation(), failed) {
        (Some(Mutation::NamesOtherCellsWhenItRefuses), Some(failed)) => {
            let others = cells.iter().filter(|cell| cell.region != failed.region);
            others
                .map(|cell| format!("{} ({}) at {}\n", cell.name, cell.id, cell.authority))
                .collect()
        }
        (Some(Mutation::PrintsTheAddressWhenItRefuses), Some(failed)) => {
            format!("upstream: {}\n", failed.authority)
        }
        _ => String::new(),
    }
}

/// Forwards a cell's response to the user: without internal fields (Z-03, Z-37), otherwise
/// unchanged.
pub(crate) async fn finish(router: &Router, ask: &Ask, routed: Routed) -> Response<Body> {
    let told_cache = routed.response.headers().get(CACHE).cloned();
    let told_redirect = routed.response.headers().get(REDIRECT).cloned();
    let (mut parts, body) = routed.response.into_parts();
    let upgrade = parts
        .headers
        .get(UPGRADE)
        .cloned()
        .filter(|_| parts.status == StatusCode::SWITCHING_PROTOCOLS);
    let for_this_hop = ["keep-alive", "proxy-connection", "connection"]
        .map(|name| (HeaderName::from_static(name), parts.headers.get(name).cloned()));
    remove_hop_by_hop(&mut parts.headers, router.mutation());
    parts.headers.extend(upgrade.map(|upgrade| (UPGRADE, upgrade)));
    if router.has(Mutation::PassesHopFieldsOfResponses)
        || router.has(Mutation::PassesKeepAliveOfResponses)
    {
        let listed = router.has(Mutation::PassesHopFieldsOfResponses);
        let passed = for_this_hop.into_iter().filter(|(name, _)| listed || name != CONNECTION);
        let passed = passed.filter_map(|(name, value)| Some((name, value?)));
        parts.headers.extend(passed);
    }
    failures::remember_end(router, ask, parts.status);
    parts.headers.remove(CACHE);
    parts.headers.remove(REDIRECT);
    let status = parts.status;
    let mut response = Response::from_parts(parts, body);
    let headers = response.headers_mut();
    if router.differs(Variation::Shortens304s) && status == StatusCode::NOT_MODIFIED {
        for name in [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH] {
            headers.remove(name);
        }
        if headers.contains_key(ETAG) {
            headers.remove(LAST_MODIFIED);
        }
    }
    if !router.has(Mutation::PassesACellsLocationOn) {
        addresses::hide_cells(router, headers);
    }
    if !router.has(Mutation::PassesLinksToCells) {
        addresses::hide_links(router, headers);
    }
    let cell = router.config.cells.get(routed.cell);
    match router.mutation() {
        Some(Mutation::LeaksTheCacheField) => {
            headers.extend(told_cache.map(|value| (CACHE, value)))
        }
        Some(Mutation::LeaksTheRedirectField | Mutation::PassesTheBounceOn) => {
            headers.extend(told_redirect.map(|value| (REDIRECT, value)));
        }
        Some(Mutation::NamesTheCell) => add(headers, SERVED_BY, cell.map(|cell| cell.id.clone())),
        Some(Mutation::NamesTheRememberedCell) if routed.known && status.is_success() => {
            add(headers, REDIRECT, cell.map(|cell| format!("{{cell:{}}}", cell.name)));
        }
        Some(Mutation::TellsTheUpstreamAddress) => {
            add(headers, UPSTREAM, cell.map(|cell| cell.authority.to_string()));
        }
        Some(Mutation::PassesCookiesOfTheBounce) => {
            for cookie in routed.bounces.iter().flat_map(|parts| parts.headers.get_all(SET_COOKIE))
            {
                headers.append(SET_COOKIE, cookie.clone());
            }
        }
        Some(Mutation::MakesLocationsAbsolute) => {
            if let Some(cell) = cell {
                make_absolute(headers, cell.authority.as_str());
            }
        }
        Some(Mutation::TellsHowItRouted) => {
            let how = match (routed.known, routed.bounces.is_empty()) {
                (true, _) => "hit",
                (false, true) => "miss",
                (false, false) => "bounce",
            };
            headers.insert("x-router-cache", HeaderValue::from_static(how));
        }
        Some(Mutation::MarksCacheHits) => {
            headers.insert(
                "x-cache",
                HeaderValue::from_static(if routed.known { "HIT" } else { "MISS" }),
            );
        }
        Some(Mutation::HasSessionsOfItsOwn) => {
            let session = format!("_router_session={}; Path=/", router.session());
            add(headers, SET_COOKIE, Some(session));
        }
        Some(mutation) => change_fields(router, mutation, headers),
        None => {}
    }
    wait(router, response.status(), routed.known).await;
    change_body(router, ask, response).await
}

/// Adds a line, where there is a value for it.
fn add(headers: &mut HeaderMap, name: HeaderName, value: Option<String>) {
    if let Some(Ok(value)) = value.map(HeaderValue::try_from) {
        headers.append(name, value);
    }
}

/// Delays a 404, where that is switched on (PR-05, Z-80).
async fn wait(router: &Router, status: StatusCode, known: bool) {
    let mut longest = router.config.not_found_delay;
    if router.differs(Variation::Delays404sUnasked) && longest.is_zero() {
        longest = Duration::from_millis(500);
    }
    if status == StatusCode::NOT_FOUND && !longest.is_zero() {
        let delay = match router.has(Mutation::Delays404sFarLonger) {
            true => longest * 20,
            false => longest.mul_f64(rand::random()),
        };
        let delay =
            if router.has(Mutation::ClaimsADelayAndHasNone) { Duration::ZERO } else { delay };
        tokio::time::sleep(delay).await;
    }
    match router.mutation() {
        Some(Mutation::SleepsOnWarmRequests) if known => {
            tokio::time::sleep(Duration::from_secs(2)).await
        }
        Some(Mutation::Adds50MsToWarmRequests) if known => {
            tokio::time::sleep(Duration::from_millis(50)).await
        }
        _ => {}
    }
}

const SERVED_BY: HeaderName = HeaderName::from_static("x-served-by-cell");
const UPSTREAM: HeaderName = HeaderName::from_static("x-upstream-addr");

/// Mutations of response fields alone.
fn change_fields(router: &Router, mutation: Mutation, headers: &mut HeaderMap) {
    let cookies: Vec<HeaderValue> = headers.get_all(SET_COOKIE).iter().cloned().collect();
    match mutation {
        Mutation::JoinsCookieLines if cookies.len() > 1 => {
            let lines: Vec<&[u8]> = cookies.iter().map(HeaderValue::as_bytes).collect();
            if let Ok(line) = HeaderValue::from_bytes(&lines.join(&b", "[..])) {
                headers.insert(SET_COOKIE, line);
            }
        }
        Mutation::DropsFieldsOfRegistries => {
            let names = headers.keys().filter(|name| name.as_str().starts_with("docker-"));
            for name in names.cloned().collect::<Vec<_>>() {
                headers.remove(name);
            }
        }
        Mutation::MarksTagsOfCodedContent if headers.contains_key(CONTENT_ENCODING) => {
            let tag = headers.get(ETAG).and_then(|tag| tag.to_str().ok()?.strip_suffix('"'));
            if let Some(Ok(marked)) = tag.map(|tag| HeaderValue::try_from(format!("{tag}-gzip\"")))
            {
                headers.insert(ETAG, marked);
            }
        }
        Mutation::KeepsTheLastCookie => {
            if let Some(last) = cookies.last() {
                headers.insert(SET_COOKIE, last.clone());
            }
        }
        Mutation::ScopesCookiesToTheRegion => {
            headers.remove(SET_COOKIE);
            let mark = format!("{}_", router.config.region).into_bytes();
            let scoped = cookies.iter().map(|line| [&mark, line.as_bytes()].concat());
            for line in scoped.filter_map(|line| HeaderValue::from_bytes(&line).ok()) {
                headers.append(SET_COOKIE, line);
            }
        }
        Mutation::JoinsLinesWithSemicolons => fields::join(headers, "; "),
        Mutation::KeepsTheFirstLineOfResponses => {
            fields::rebuild(headers, |lines| lines.truncate(1))
        }
        Mutation::SortsLinesOfResponses => fields::rebuild(headers, |lines| lines.sort()),
        Mutation::KnowsFieldsByName => {
            const KNOWN: [&str; 7] = [
                "content-type",
                "content-length",
                "location",
                "set-cookie",
                "date",
                "server",
                "cache-control",
            ];
            let names = headers.keys().filter(|name| !KNOWN.contains(&name.as_str()));
            for name in names.cloned().collect::<Vec<_>>() {
                headers.remove(name);
            }
        }
        _ => {}
    }
}

/// The mutation of telling users the address of the cell.
fn make_absolute(headers: &mut HeaderMap, authority: &str) {
    let relative = headers
        .get(LOCATION)
        .and_then(|value| value.to_str().ok())
        .filter(|value| value.starts_with('/'));
    let absolute =
        relative.and_then(|path| HeaderValue::try_from(format!("http://{authority}{path}")).ok());
    if let Some(absolute) = absolute {
        headers.insert(LOCATION, absolute);
    }
}

/// Changes the body, if a mutation is switched on.
async fn change_body(router: &Router, ask: &Ask, response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    let bodiless = ask.method == Method::HEAD || body.is_end_stream();
    match router.mutation() {
        Some(Mutation::Own404Page) if parts.status == StatusCode::NOT_FOUND => {
            return refusal(router, Refusal::new(StatusCode::NOT_FOUND, "there is nothing here"));
        }
        Some(Mutation::HidesTruncation) if !bodiless => {
            parts.headers.remove(CONTENT_LENGTH);
            return Response::from_parts(parts, full(what_came(body).await));
        }
        Some(Mutation::DecompressesResponses) if !bodiless => {
            let body = flow::decompressed(&mut parts.headers, body).await;
            return Response::from_parts(parts, body);
        }
        Some(
            Mutation::BuffersResponses | Mutation::KeepsPages | Mutation::KeepsPagesForEachUser,
        ) if !bodiless => match body.collect().await {
            Ok(collected) => {
                let bytes = collected.to_bytes();
                pages::store(router, ask, &parts, &bytes);
                return Response::from_parts(parts, full(bytes));
            }
            Err(_) => {
                return refusal(router, Refusal::bad_gateway("the response broke off"));
            }
        },
        _ => {}
    }
    if router.differs(Variation::JoinsLines) {
        fields::join(&mut parts.headers, ", ");
    }
    if router.differs(Variation::ReordersFields) {
        reverse_fields(&mut parts.headers);
    }
    if router.differs(Variation::AddsProxyFields) {
        parts.headers.append("via", HeaderValue::from_static("1.1 router"));
        parts.headers.insert("server", HeaderValue::from_static("router"));
    }
    if router.differs(Variation::ChunkedBodies) && !bodiless {
        parts.headers.remove(CONTENT_LENGTH);
        return Response::from_parts(parts, unsized_body(body));
    }
    if router.differs(Variation::KnownLengths) && !bodiless {
        return Response::from_parts(parts, flow::measured(body).await);
    }
    if router.has(Mutation::TimesWholeDownloads) && !bodiless {
        return Response::from_parts(parts, flow::timed(body, router.config.response_timeout));
    }
    Response::from_parts(parts, flow::response(router.mutation(), body))
}
