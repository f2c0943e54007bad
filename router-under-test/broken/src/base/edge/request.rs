//! A user's request on its way in.

use std::net::IpAddr;

use http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, MAX_FORWARDS, UPGRADE,
};
use http::uri::Authority;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use percent_encoding::percent_decode_str;

use crate::base::edge::{fields, remove_hop_by_hop};
use crate::base::http1::frame::Framing;
use crate::base::http1::head::{RequestHead, has_option};
use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::base::target::{Ask, leading};
use crate::base::wire::{CACHE, REDIRECT};
use crate::base::{alike, beliefs, spelling};
use crate::kind::{Mutation, Variation};
use crate::protocol::Protocol;

const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The methods of a router with a fixed list.
const KNOWN_METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
    Method::TRACE,
];

/// Prepares a request's head: the target stays unchanged (Z-13), hop-by-hop and internal fields are
/// removed (Z-04), all others stay (Z-31).
pub(crate) fn admit(router: &Router, head: RequestHead, peer: IpAddr) -> Result<Ask, Refusal> {
    let chunked = head.framing == Framing::Chunked;
    let mut ask = Ask {
        method: head.method,
        target: head.target,
        headers: head.headers,
        chunked,
        ..Ask::default()
    };
    if ask.method == Method::CONNECT {
        let status = match router.differs(Variation::RefusesBadRequestsWith502) {
            true => StatusCode::BAD_GATEWAY,
            false => StatusCode::METHOD_NOT_ALLOWED,
        };
        return Err(Refusal::new(status, "no tunnels here"));
    }
    let overlooked = router.has(Mutation::KnowsUpgradeInOneSpelling)
        && ask.headers.get(CONNECTION).is_some_and(|options| options != "Upgrade");
    if has_option(&ask.headers, "upgrade")
        && !overlooked
        && !head.old
        && !router.has(Mutation::DropsUpgrades)
    {
        ask.upgrade = ask.headers.get(UPGRADE).cloned();
    }
    absolute(router, &mut ask)?;
    if !ask.target.starts_with('/') {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "not a path"));
    }
    if router.differs(Variation::TakesUnknownMethodsForMalformed)
        && !KNOWN_METHODS.contains(&ask.method)
    {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "an unknown method"));
    }
    if router.differs(Variation::RefusesZeroBytes) && ask.path().contains("%00") {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "a zero byte in the path"));
    }
    if names_learn(router, ask.path()) {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"));
    }
    if let Some(refusal) = router.mutation().and_then(|mutation| refuses(mutation, &ask, head.size))
    {
        return Err(refusal);
    }
    if router.has(Mutation::StripsWhatUsersName) {
        forwarded(router, &mut ask.headers, peer);
        remove_hop_by_hop(&mut ask.headers, router.mutation());
    } else {
        remove_hop_by_hop(&mut ask.headers, router.mutation());
        forwarded(router, &mut ask.headers, peer);
    }
    // The sender sets the length, and the body is never held back.
    if !(router.has(Mutation::KeepsTheLengthBesideChunks) && chunked) {
        ask.headers.remove(CONTENT_LENGTH);
    }
    let is_known = ask
        .headers
        .get(EXPECT)
        .is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(b"100-continue"))
        && ask.headers.get_all(EXPECT).iter().count() == 1;
    if is_known || !router.has(Mutation::PassesOtherExpectations) {
        ask.headers.remove(EXPECT);
    }
    ask.claims = beliefs::claims(router, &ask.headers);
    for name in [REDIRECT, CACHE] {
        let overlooked = router.has(Mutation::StripsSpoofedFieldsInOneSpelling)
            && !head.names.iter().any(|spelling| alike::is_plainly(spelling, &name));
        if !router.has(Mutation::PassesSpoofedFields) && !overlooked {
            ask.headers.remove(name);
        }
    }
    limit_forwards(router, &mut ask)?;
    if !router.has(Mutation::PassesUnderscoredNames) {
        remove_aliases(&mut ask.headers);
    }
    if router.differs(Variation::AddsProxyFields) {
        ask.headers.append("via", HeaderValue::from_static("1.1 router"));
    }
    if router.differs(Variation::JoinsLines) {
        fields::join(&mut ask.headers, ", ");
    }
    if router.has(Mutation::SendsABodyToHead) && ask.method == Method::HEAD {
        ask.method = Method::GET;
    }
    if let Some(mutation) = router.mutation() {
        spelling::respell(mutation, &mut ask);
        fields::of_request(router, mutation, &mut ask.headers)?;
    }
    Ok(ask)
}

/// The mutations that refuse what a correct router forwards, or respond to it themselves.
fn refuses(mutation: Mutation, ask: &Ask, size: usize) -> Option<Refusal> {
    let expects = ask.headers.get(EXPECT);
    let (status, reason) = match mutation {
        Mutation::AnswersOptionsItself
            if ask.method == Method::OPTIONS
                && ask.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) =>
        {
            (StatusCode::NO_CONTENT, "every method")
        }
        Mutation::RefusesUnknownMethods if !KNOWN_METHODS.contains(&ask.method) => {
            (StatusCode::NOT_IMPLEMENTED, "an unknown method")
        }
        Mutation::ServesSuggestionsItself if ask.path() == "/search/autocomplete" => {
            (StatusCode::OK, "[]")
        }
        Mutation::KnowsHowPathsLook if !familiar(leading(ask.path(), 1)) => {
            (StatusCode::NOT_FOUND, "no such page")
        }
        Mutation::FailsOnLongHeads if size > 16 * 1024 => {
            (StatusCode::INTERNAL_SERVER_ERROR, "something went wrong")
        }
        Mutation::Knows100ContinueInLowerCase
            if expects.is_some_and(|value| value != "100-continue") =>
        {
            (StatusCode::EXPECTATION_FAILED, "an unknown expectation")
        }
        Mutation::RefusesLettersLikeLineEnds
            if ask.target.bytes().any(|byte| b"JM`".contains(&byte)) =>
        {
            (StatusCode::BAD_REQUEST, "the target has a line end")
        }
        Mutation::RefusesExpectations if expects.is_some() => {
            (StatusCode::EXPECTATION_FAILED, "nothing can be expected")
        }
        _ => return None,
    };
    Some(Refusal::new(status, reason))
}

/// Takes one from the number of proxies that may still forward an OPTIONS or TRACE (Z-84, RFC 9110
/// 7.6.2). The last one does not forward it.
fn limit_forwards(router: &Router, ask: &mut Ask) -> Result<(), Refusal> {
    if ![Method::OPTIONS, Method::TRACE].contains(&ask.method) {
        return Ok(());
    }
    let left = ask.headers.get(MAX_FORWARDS).and_then(|value| value.to_str().ok()?.parse().ok());
    match left {
        Some(0u32) if !router.has(Mutation::ForwardsTheLastHop) => {
            Err(Refusal::new(StatusCode::OK, "no further"))
        }
        Some(left) if !router.has(Mutation::KeepsMaxForwards) => {
            let most = if router.differs(Variation::AllowsTwoMoreForwards) { 2 } else { u32::MAX };
            ask.headers.insert(MAX_FORWARDS, left.saturating_sub(1).min(most).into());
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Removes the fields that a cell could take for those that users must not send, because it takes
/// an underscore for a hyphen (Z-83).
fn remove_aliases(headers: &mut HeaderMap) {
    let is_alias = |name: &&HeaderName| {
        let name = name.as_str();
        let meant = name.replace('_', "-");
        meant != name
            && (meant.starts_with("x-forwarded-")
                || ["forwarded", "content-length", "transfer-encoding"].contains(&meant.as_str())
                || [REDIRECT, CACHE].iter().any(|internal| *internal == meant.as_str()))
    };
    for name in headers.keys().filter(is_alias).cloned().collect::<Vec<_>>() {
        headers.remove(name);
    }
}

/// An absolute target is served like its path, and its host replaces `Host` (Z-42, RFC 9112 3.2.2).
fn absolute(router: &Router, ask: &mut Ask) -> Result<(), Refusal> {
    let scheme = ["http://", "https://"].into_iter().find(|scheme| {
        let start = ask.target.as_bytes().get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    let Some(scheme) = scheme.filter(|_| !router.has(Mutation::RefusesAbsoluteTargets)) else {
        return Ok(());
    };
    let rest = ask.target[scheme.len()..].to_owned();
    if router.has(Mutation::CutsOnlyTheScheme) {
        ask.target = format!("/{rest}");
        return Ok(());
    }
    let (host, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host =
        host.parse::<Authority>().ok().and_then(|host| HeaderValue::try_from(host.as_str()).ok());
    let host = host.ok_or(Refusal::new(StatusCode::BAD_REQUEST, "no host in the target"))?;
    ask.target = if target.starts_with('/') { target.to_owned() } else { format!("/{target}") };
    ask.absolute = true;
    if !router.differs(Variation::KeepsTheHostBesideTheTarget) {
        ask.headers.insert(HOST, host);
    }
    Ok(())
}

/// The learn endpoint reveals owners: it is closed to users in every spelling (Z-10).
fn names_learn(router: &Router, path: &str) -> bool {
    let learn = &router.config.learn_path;
    if router.config.protocol != Protocol::Learning || router.has(Mutation::ServesLearnToUsers) {
        return false;
    }
    match router.mutation() {
        Some(Mutation::ServesLearnSpeltOtherwise) => return path == learn,
        Some(Mutation::RefusesWhatBeginsLikeLearn) if path.starts_with(learn.as_str()) => {
            return true;
        }
        Some(Mutation::RefusesWhatContainsLearn) if path.contains(learn.as_str()) => return true,
        _ => {}
    }
    let below = path.strip_prefix(learn.as_str()).is_some_and(|rest| rest.starts_with('/'));
    if below && router.differs(Variation::RefusesWhatIsBelowTheLearnPath) {
        return true;
    }
    let mut plain = path.to_owned();
    if !router.has(Mutation::ServesLearnWhenEscaped) {
        plain = percent_decode_str(path).decode_utf8_lossy().into_owned();
    }
    if !router.has(Mutation::ServesLearnWhenEscaped)
        && !router.has(Mutation::ServesLearnWhenEscapedTwice)
    {
        plain = percent_decode_str(&plain).decode_utf8_lossy().into_owned();
    }
    if !router.has(Mutation::ServesLearnWithBackslashes) {
        plain = plain.replace('\\', "/");
    }
    if !router.has(Mutation::ServesLearnWithParameters) {
        let names = plain.split('/').map(|segment| segment.split(';').next().unwrap_or_default());
        plain = names.collect::<Vec<_>>().join("/");
    }
    if !router.has(Mutation::ServesLearnWithControlCharacters) {
        plain.retain(|letter| !letter.is_control());
    }
    if !router.has(Mutation::ServesLearnWithDoubledSlashes) {
        plain = spelling::collapsed(&plain);
    }
    if !router.has(Mutation::ServesLearnWithDots) {
        plain = spelling::without_dots(&plain);
    }
    let with_slash = router.has(Mutation::ServesLearnWithALastSlash);
    [plain.as_str(), path]
        .iter()
        .any(|path| if with_slash { path == learn } else { path.trim_end_matches('/') == learn })
}

/// Tells the cell the public host and scheme; the user's own fields about them are replaced (Z-26).
fn forwarded(router: &Router, headers: &mut HeaderMap, peer: IpAddr) {
    let kept = match router.mutation() {
        Some(Mutation::TrustsXForwardedHost) => Some(FORWARDED_HOST),
        Some(Mutation::TrustsXForwardedProto) => Some(FORWARDED_PROTO),
        _ => None,
    };
    let kept = kept.and_then(|name| headers.get(&name).cloned().map(|value| (name, value)));
    let removes_all = router.differs(Variation::RemovesWhatUsersClaim);
    let claims = headers.keys().filter(|name| {
        name.as_str().starts_with("x-forwarded-")
            || *name == "forwarded"
            || removes_all && is_claim(name)
    });
    for name in claims.cloned().collect::<Vec<_>>() {
        headers.remove(name);
    }
    headers.extend(headers.get(HOST).cloned().map(|host| (FORWARDED_HOST, host)));
    headers.insert(FORWARDED_PROTO, HeaderValue::from_static("http"));
    headers.extend(HeaderValue::try_from(peer.to_string()).ok().map(|peer| (FORWARDED_FOR, peer)));
    if let Some((name, value)) = kept {
        headers.insert(name, value);
    }
}

/// The other fields by which users claim what only a router knows; the contract lists them.
fn is_claim(name: &HeaderName) -> bool {
    const CLAIMS: [&str; 9] = [
        "forwarded-for",
        "client-ip",
        "true-client-ip",
        "x-client-ip",
        "x-real-ip",
        "x-scheme",
        "front-end-https",
        "x-original-url",
        "x-rewrite-url",
    ];
    let meant = name.as_str().replace('_', "-");
    CLAIMS.contains(&meant.as_str()) || meant.starts_with("x-forwarded-")
}

/// Changes the request for this cell; the plain router changes nothing.
pub(crate) fn address(router: &Router, host: &Authority, ask: &mut Ask) {
    if router.differs(Variation::SendsTheCellsHost) {
        ask.headers.remove(FORWARDED_HOST);
        ask.headers.insert(HOST, name_inside(router, host));
    }
    if router.differs(Variation::DropsThePortOfTheHost) {
        drop_the_port(&mut ask.headers);
    }
    // The cell learns the public host only from the field that can be lost.
    if router.has(Mutation::StripsWhatUsersName) {
        ask.headers.insert(HOST, name_inside(router, host));
    }
}

fn drop_the_port(headers: &mut HeaderMap) {
    for name in [HOST, FORWARDED_HOST] {
        let text = headers.get(&name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if let Some((host, _)) = text.rsplit_once(':')
            && let Ok(host) = HeaderValue::try_from(host)
        {
            headers.insert(name, host);
        }
    }
}

/// A cell's name as a list of upstreams might spell it.
fn name_inside(router: &Router, host: &Authority) -> HeaderValue {
    let cell = router.config.cells.iter().find(|cell| cell.authority == *host);
    cell.and_then(|cell| HeaderValue::try_from(&cell.id).ok())
        .unwrap_or(HeaderValue::from_static("upstream"))
}

/// The mutation of knowing how GitLab's paths look.
fn familiar(first_segment: &str) -> bool {
    first_segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte))
}
