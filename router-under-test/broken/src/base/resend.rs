//! The resent request: unchanged, unless a mutation is switched on.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use http::uri::Authority;
use http::{HeaderValue, Method, Response, StatusCode};
use percent_encoding::percent_decode_str;

use crate::base::body::{Body, full};
use crate::base::forward;
use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::wire::{self, REDIRECT, Reading};
use crate::kind::Mutation;

/// Whether a cell's redirect is followed at all.
pub(crate) fn follows(router: &Router, ask: &Ask) -> bool {
    !router.has(Mutation::PassesTheBounceOn)
        && (!router.has(Mutation::FollowsBouncesOfGetsOnly) || ask.is_safe())
}

/// Prepares the request for the next cell. A correct router changes nothing (BF-04, BF-05, BF-06).
pub(crate) fn prepare(
    router: &Router,
    ask: &mut Ask,
    body: &mut Bytes,
    response: &Response<Body>,
) -> Result<(), Refusal> {
    let Some(mutation) = router.mutation() else { return Ok(()) };
    match mutation {
        Mutation::ResendsAsGet if ask.method != Method::HEAD => {
            ask.method = Method::GET;
            *body = Bytes::new();
        }
        Mutation::ResendsWritesAsPost if !ask.is_safe() => ask.method = Method::POST,
        Mutation::DropsChunkedBodiesOnResend if ask.chunked => *body = Bytes::new(),
        Mutation::DropsUpgradesOnResend => ask.upgrade = None,
        Mutation::CutsTheBodyOnResend => body.truncate(64 * 1024),
        Mutation::LosesContentFieldsOnResend => {
            for name in [ACCEPT, AUTHORIZATION, CONTENT_TYPE] {
                ask.headers.remove(name);
            }
        }
        Mutation::CarriesCookiesOfTheBounce => {
            for line in response.headers().get_all(SET_COOKIE) {
                let pair = line.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
                ask.headers.extend(HeaderValue::from_bytes(pair).ok().map(|pair| (COOKIE, pair)));
            }
        }
        Mutation::ResendsToTheLocation => {
            if let Some(target) = response.headers().get(LOCATION).and_then(location_target) {
                ask.target = target;
            }
        }
        Mutation::DecodesTheTargetOnResend => {
            let decoded = percent_decode_str(&ask.target).decode_utf8_lossy().replace(' ', "+");
            ask.target = decoded;
        }
        Mutation::RefusesToResendWrites if !ask.is_safe() => {
            return Err(Refusal::bad_gateway("a change is not sent twice"));
        }
        Mutation::OneBodyForAllRequests => *body = router.extra().current_body.clone(),
        Mutation::OneSlotForAllRequests => {
            if let Some(current) = router.extra().current.clone() {
                ask.target = current.target;
            }
        }
        _ => {}
    }
    Ok(())
}

/// Path and query of a `Location`, absolute or relative.
fn location_target(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?;
    let rest = text
        .split_once("://")
        .map_or(text, |(_, rest)| &rest[rest.find('/').unwrap_or(rest.len())..]);
    Some(rest.split('#').next().unwrap_or(rest).to_owned()).filter(|target| target.starts_with('/'))
}

/// The request of a mutant that finds the owner before it sends the body.
pub(crate) fn probe(router: &Router, ask: &Ask) -> Option<Ask> {
    let mut probe = ask.clone();
    match router.mutation()? {
        Mutation::AsksWithoutTheBody if !ask.is_safe() => Some(probe),
        Mutation::AsksWithHeadFirst => {
            probe.method = Method::HEAD;
            Some(probe)
        }
        _ => None,
    }
}

/// The mutation of decoding a form and encoding it again.
pub(crate) fn rewritten_form(ask: &Ask, body: Bytes) -> Bytes {
    let is_form = ask
        .headers
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/x-www-form"));
    let Some(text) = std::str::from_utf8(&body).ok().filter(|_| is_form) else { return body };
    let mut pairs: Vec<&str> = text.split('&').collect();
    // A map of fields has no order of its own.
    pairs.sort_unstable();
    pairs.join("&").replace('+', "%20").into()
}

/// The mutation of using the name of an unknown cell as a host.
pub(crate) fn host_of_unknown_cell(
    router: &Router,
    response: &Response<Body>,
) -> Option<Authority> {
    let line = wire::single(response.headers(), &REDIRECT).ok()??;
    let name = wire::member(line, "cell", Reading::default()).ok()?;
    let unknown = router.config.cells.iter().all(|cell| cell.name != name);
    // `Cell X9` is looked up as a host in some spelling; which one does not matter.
    let host = name.rsplit(' ').next().unwrap_or(&name).to_owned();
    host.parse().ok().filter(|_| unknown && response.status() == StatusCode::FOUND)
}

/// The mutation of following a redirect that is meant for the user.
pub(crate) async fn follow_for_the_user(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    response: Response<Body>,
) -> Result<Response<Body>, Refusal> {
    let mut response = response;
    let mut ask = ask.clone();
    for _ in 0..5 {
        let target = response.headers().get(LOCATION).and_then(location_target);
        let Some(target) = target.filter(|_| response.status() == StatusCode::FOUND) else { break };
        (ask.target, ask.method) = (target, Method::GET);
        response = forward::send(router, cell, &ask, full(""))
            .await
            .map_err(|failure| failure.refusal(cell))?;
    }
    Ok(response)
}
