//! A user's request on its way in.

use http::header::{CONTENT_LENGTH, COOKIE, EXPECT};
use http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode};
use hyper::body::Incoming;

use crate::base::edge::{remove_hop_by_hop, spelling};
use crate::base::router::{Refusal, Router};
use crate::base::target::{Ask, leading};
use crate::base::wire::{CACHE, REDIRECT};
use crate::catalog::Protocol;
use crate::kind::{Difference, Flaw};

/// Takes a request apart: its target stays as it is (Z-13), fields for this hop only and the cells' own
/// fields go (Z-04), everything else stays (Z-31).
pub(crate) fn admit(router: &Router, request: Request<Incoming>) -> Result<(Ask, Incoming), Refusal> {
    let (parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().map(|target| target.as_str()).unwrap_or_default();
    let mut ask = Ask { method: parts.method, target: target.to_owned(), headers: parts.headers };
    if !ask.target.starts_with('/') {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "not a path"));
    }
    // The endpoint tells who owns what: it is not for users (Z-10).
    if router.config.protocol == Protocol::Learning && ask.path() == router.config.learn_path {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"));
    }
    if router.has(Flaw::KnowsPathShapes) && !familiar(leading(ask.path(), 1)) {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"));
    }
    remove_hop_by_hop(&mut ask.headers);
    // The length is the sending client's business, and the body is never held back.
    ask.headers.remove(CONTENT_LENGTH);
    ask.headers.remove(EXPECT);
    if !router.has(Flaw::PassesSpoofed) {
        ask.headers.remove(REDIRECT);
        ask.headers.remove(CACHE);
    }
    if router.differs(Difference::ProxyFields) {
        ask.headers.append("via", HeaderValue::from_static("1.1 router"));
        ask.headers.append("x-forwarded-for", HeaderValue::from_static("127.0.0.1"));
        ask.headers.append("x-forwarded-proto", HeaderValue::from_static("http"));
    }
    if let Some(flaw) = router.flaw() {
        spelling::respell(flaw, &mut ask);
        change_fields(router, flaw, &mut ask.headers)?;
    }
    Ok((ask, body))
}

/// The mistake of knowing how GitLab's paths look.
fn familiar(first_segment: &str) -> bool {
    first_segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte))
}

/// The mistakes about fields of a request.
fn change_fields(router: &Router, flaw: Flaw, headers: &mut HeaderMap) -> Result<(), Refusal> {
    match flaw {
        Flaw::OverwritesId => {
            let own = format!("router-{}", router.round());
            for name in ["x-conformance-id", "x-request-id"].map(HeaderName::from_static) {
                headers.insert(name, HeaderValue::try_from(&own).expect("letters and digits"));
            }
        }
        Flaw::DropsExtensionFields => {
            let names = headers.keys().filter(|name| name.as_str().starts_with("x-"));
            for name in names.cloned().collect::<Vec<_>>() {
                headers.remove(name);
            }
        }
        Flaw::ScopesCookies => unscope_cookies(router, headers),
        Flaw::OwnSessions => return known_session(router, headers),
        _ => {}
    }
    Ok(())
}

/// Cookies that this router scoped lose its region; other routers' ones do not get through.
fn unscope_cookies(router: &Router, headers: &mut HeaderMap) {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mark = format!("{}_", router.config.region);
    let own: Vec<&str> = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().strip_prefix(&mark)).collect();
    let joined = HeaderValue::try_from(own.join("; "));
    headers.remove(COOKIE);
    if let Ok(value) = joined
        && !value.is_empty()
    {
        headers.insert(COOKIE, value);
    }
}

/// The mistake of sessions of the router's own, which end with its process.
fn known_session(router: &Router, headers: &HeaderMap) -> Result<(), Refusal> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';'));
    let session = pairs.find_map(|pair| pair.trim().strip_prefix("_router_session="));
    match session {
        Some(number) if number != router.session() => Err(Refusal::new(StatusCode::FORBIDDEN, "the session is not known")),
        _ => Ok(()),
    }
}
