//! Requests to cells.

use http::uri::PathAndQuery;
use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};
use reference_router::buffering::redirect;

use super::bodies::put;
use crate::around::prelude::*;

super::wrong! {
    "mirrors-writes": Learning, "LN-10", "a write also goes to another cell of the region" =>
        &[ToCellLater(|at, step, request, cells| Box::pin(async move {
            let others = at.own();
            let other = others.iter().find(|cell| **cell != step.cell);
            if let Some(other) = other.filter(|_| !request.method().is_safe()) {
                let _ = cells.send(*other, at.ask.arrival.to_cell(Outgoing::default())).await;
            }
        }))];
    "asks-the-learn-endpoint-too": Buffering, "BF-01",
        "cold requests are preceded by the pre-flight of the other proposal" =>
        &[ToCellLater(|at, step, _, cells| Box::pin(async move {
            if is_cold(step) {
                ask_before(at, step, "/api/v4/internal/cells/learn", cells).await;
            }
        }))];
    "passes-spoofed-fields": Both, "Z-04", "internal fields of users reach the cells" =>
        &[ToCell(|at, _, request| pass(at, request, wire::is_internal))];
    "passes-underscored-names": Both, "Z-83",
        "fields that a user must not send pass with underscores for hyphens" =>
        &[ToCell(|at, _, request| pass(at, request, |name| name.contains('_')))];
    "passes-te-on": Both, "Z-53", "TE of a request is forwarded" =>
        &[ToCell(|at, _, request| pass(at, request, |name| name == TE))];
    "trusts-x-forwarded-proto": Both, "Z-26",
        "the public scheme is read from the user's X-Forwarded-Proto" =>
        &[ToCell(|at, _, request| pass(at, request, |name| name == wire::FORWARDED_PROTO))];
    "strips-what-users-name": Both, "Z-26",
        "a user can remove the router's X-Forwarded-Host by naming it in Connection" =>
        &[ToCell(|at, _, request| {
            if members(at).iter().any(|name| name == wire::FORWARDED_HOST.as_str()) {
                request.headers_mut().remove(wire::FORWARDED_HOST);
            }
        })];
    "reads-the-first-connection-line": Both, "Z-22",
        "of several Connection lines only the first is read" =>
        &[ToCell(|at, _, request| {
            let first = text(&at.note().headers, "connection").to_ascii_lowercase();
            let (listed, read) = (members(at), first.split(',').map(str::trim).collect::<Vec<_>>());
            pass(at, request, |name| {
                let is_of_router = wire::ONE_HOP.contains(&name) || wire::is_internal(name);
                let is_missed = listed.iter().any(|member| member == name) && !read.contains(&name);
                is_missed && !is_of_router && !name.starts_with("x-forwarded-")
            });
        })];
    "knows-upgrade-in-one-spelling": Both, "Z-23", claims "upgrade",
        "Connection has to be exactly Upgrade" =>
        &[ToCell(|at, _, request| {
            if text(&at.note().headers, "connection") != "Upgrade" {
                request.headers_mut().remove(CONNECTION);
                request.headers_mut().remove(UPGRADE);
            }
        })];
    "drops-cdn-loop": Both, "Z-88", "CDN-Loop of a request does not reach the cell" =>
        &[ToCell(|_, _, request| _ = request.headers_mut().remove("cdn-loop"))];
    "drops-earlier-via": Both, "Z-90", "Via of a request does not reach the cell" =>
        &[ToCell(|_, _, request| set(request.headers_mut(), "via", wire::VIA))];
    "overwrites-request-ids": Both, "Z-31", "the user's request id is replaced" =>
        &[ToCell(|at, _, request| {
            let id = format!("router-{}", at.state.round());
            set(request.headers_mut(), "x-request-id", id);
        })];
    "keeps-the-last-line-of-a-name": Both, "Z-46",
        "of several request fields of one name only the last is forwarded" =>
        &[ToCell(|_, _, request| {
            let headers = request.headers_mut();
            for name in headers.keys().cloned().collect::<Vec<_>>() {
                if let Some(last) = headers.get_all(&name).iter().next_back().cloned() {
                    headers.insert(name, last);
                }
            }
        })];
    "joins-cookie-lines-by-commas": Both, "Z-46",
        "several Cookie lines of a request are joined with a comma" =>
        &[ToCell(|_, _, request| join(request.headers_mut(), |name| name == COOKIE, ", "))];
    "decodes-encoded-slashes": Both, "Z-13",
        "the path is sent on normalized: %2F as a slash, doubled slashes as one" =>
        &[ToCell(|at, _, request| {
            let mut path = at.path().replace("%2F", "/").replace("%2f", "/");
            while path.contains("//") {
                path = path.replace("//", "/");
            }
            aim(request, &[&path, query(at)].concat());
        })];
    "resolves-dot-segments": Both, "Z-13",
        "the target goes through a URL parser: dot segments are resolved, and the question mark \
         of an empty query is lost" =>
        &[ToCell(|at, _, request| {
            let query = if query(at) == "?" { "" } else { query(at) };
            aim(request, &[&without_dots(at.path()), query].concat());
        })];
    "decodes-the-query": Both, "LG-04", "the query is forwarded decoded" =>
        &[ToCell(|at, _, request| {
            let decoded = percent_decode_str(query(at)).decode_utf8_lossy();
            aim(request, &[at.path(), &decoded.replace([' ', '#'], "+")].concat());
        })];
    "keeps-the-first-host": Both, "Z-89",
        "the host of a connection's first request is that of all its requests" =>
        &[ToCell(|at, _, request| {
            let mut hosts = at.state.texts();
            let own = || text(request.headers(), "host").to_owned();
            let first = hosts.entry(at.user()).or_insert_with(own);
            set_host(request, first.as_bytes());
        })];
    "gives-the-next-user-the-credentials": Both, "Z-96",
        "a request without Authorization or Private-Token gets that of the request before it on \
         its connection" =>
        &[ToCell(|at, _, request| {
            let mut last = at.state.texts();
            for name in ["authorization", "private-token"] {
                let key = format!("{} {name}", at.note().user);
                let own = text(request.headers(), name);
                if !own.is_empty() {
                    last.insert(key, own.to_owned());
                } else if let Some(before) = last.get(&key) {
                    set(request.headers_mut(), name, before);
                }
            }
        })];
    "one-slot-for-all-requests": Both, "RT-08",
        "the current request is kept in one field, where the next request overwrites it" =>
        &[
            Refuse(|at, _, given| {
                fill_slot(at);
                given
            }),
            ToCell(|at, _, request| aim(request, &slot(at))),
        ];
    "one-target-for-stale-entries": Buffering, "BF-06",
        "the target is kept in one field, so that a request which the cell of an entry bounced \
         goes on with the target of the last one that came" =>
        &[ToCell(|at, step, request| match step.sent {
            0 => fill_slot(at),
            _ if step.known => aim(request, &slot(at)),
            _ => {}
        })];
    "resends-as-get": Buffering, "BF-05",
        "a request is resent as GET, as browsers do after a 302" =>
        &[ToCell(|_, step, request| {
            if step.sent > 0 && *request.method() != Method::HEAD {
                request.headers_mut().remove(CONTENT_TYPE);
                *request = bare(request, Method::GET);
            }
        })];
    "loses-content-fields-on-resend": Buffering, "BF-04",
        "a request is resent without Accept, Authorization and Content-Type" =>
        &[ToCell(|_, step, request| {
            for name in [ACCEPT, AUTHORIZATION, CONTENT_TYPE].iter().filter(|_| step.sent > 0) {
                request.headers_mut().remove(name);
            }
        })];
    "resends-to-the-location": Buffering, "BF-06",
        "a request is resent to the Location of the bounce" =>
        &[
            Redirected(|at, _, response, next| {
                note_bounce(at, text(response.headers(), "location"));
                Ok(next)
            }),
            ToCell(|at, step, request| {
                let location = bounce(at).filter(|_| step.sent > 0);
                let location = location.and_then(|location| location.parse::<Uri>().ok());
                if let Some(target) = location.as_ref().and_then(Uri::path_and_query) {
                    aim(request, target.as_str());
                }
            }),
        ];
    "carries-cookies-of-the-bounce": Buffering, "Z-60",
        "the cookies of a bounce are kept and sent to the next cell" =>
        &[
            Redirected(|at, _, response, next| {
                note_bounce(at, text(response.headers(), "set-cookie"));
                Ok(next)
            }),
            ToCell(|at, step, request| {
                let cookie = bounce(at).filter(|_| step.sent > 0);
                let pair = cookie.as_deref().and_then(|cookie| cookie.split(';').next());
                if let Some(Ok(pair)) = pair.map(HeaderValue::from_str) {
                    request.headers_mut().append(COOKIE, pair);
                }
            }),
        ];
    "asks-without-the-body": Buffering, "BF-07",
        "the owner of a write is found with its head alone, without the body" =>
        &[
            ToCell(|at, step, request| {
                if is_cold(step) && !at.note().method.is_safe() {
                    *request = bare(request, request.method().clone());
                }
            }),
            // Then it goes itself to the cell that its head did not lead away from.
            Resend(|at, step, outcome| {
                let is_found = redirect(outcome.ok()?, at.ask.topology).ok()?.is_none();
                let is_again = is_found && is_cold(step) && !at.note().method.is_safe();
                is_again.then_some((step.cell, None))
            }),
            Redirected(|at, step, _, next| {
                let is_again = step.sent > 0 && !step.known && !at.note().method.is_safe();
                if is_again { Err(Refusal::UnexpectedRedirect) } else { Ok(next) }
            }),
        ];
    "sends-to-all-of-the-region": Buffering, "RT-01",
        "without an entry every cell of the region gets the request, and one response is used" =>
        &[ToCellLater(|at, step, request, cells| Box::pin(async move {
            let body = all_of(request.body_mut()).await;
            let own = at.own();
            let others = own.iter().filter(|cell| **cell != step.cell);
            for cell in others.filter(|_| is_cold(step)) {
                let mut copy = bare(request, request.method().clone());
                put(&mut copy, body.clone());
                let _ = cells.send(*cell, copy).await;
            }
            put(request, body);
        }))];
    "hedges-reads": Learning, "LG-06",
        "a GET is sent to its cell twice, and one of the responses is used" =>
        &[ToCellLater(|at, step, request, cells| Box::pin(async move {
            if at.note().method == Method::GET {
                let _ = cells.send(step.cell, bare(request, Method::GET)).await;
            }
        }))];
    "decodes-marks-of-paths": Both, "Z-13", "%2B, %40 and %3A of a path arrive decoded" =>
        &[ToCell(|at, _, request| {
            let path = at.path().replace("%2B", "+").replace("%40", "@").replace("%3A", ":");
            aim(request, &[&path, query(at)].concat());
        })];
    "decodes-plus-signs-of-queries": Both, "Z-13", "%2B of a query arrives as a plus" =>
        &[ToCell(|at, _, request| {
            aim(request, &[at.path(), &query(at).replace("%2B", "+")].concat());
        })];
    "drops-malformed-parameters": Both, "Z-13",
        "parameters of a query with a malformed escape are left out" =>
        &[ToCell(|at, _, request| {
            let is_sound = |parameter: &&str| {
                let mut rest = parameter.split('%').skip(1);
                let is_hex = |two: &str| u8::from_str_radix(two, 16).is_ok();
                rest.all(|rest| rest.get(..2).is_some_and(is_hex))
            };
            let kept: Vec<_> = query(at).split('&').filter(is_sound).collect();
            aim(request, &[at.path(), &kept.join("&")].concat());
        })];
    "merges-the-first-slashes": Both, "Z-13", "of two slashes at the start one arrives" =>
        &[ToCell(|at, _, request| {
            if let Some(path) = at.path().strip_prefix('/').filter(|path| path.starts_with('/')) {
                aim(request, &[path, query(at)].concat());
            }
        })];
    "escapes-raw-letters": Both, "Z-13", "bytes of a target that are no ASCII arrive escaped" =>
        &[ToCell(|at, _, request| {
            let target = at.ask.arrival.target.as_str();
            aim(request, &utf8_percent_encode(target, CONTROLS).to_string());
        })];
    "believes-claimed-methods": Both, "Z-68",
        "X-HTTP-Method-Override of a user is the method at the cell" =>
        &[ToCell(|at, _, request| {
            if let Ok(method) = text(&at.note().headers, "x-http-method-override").parse() {
                *request.method_mut() = method;
            }
        })];
    "drops-names-with-signs": Both, "Z-68",
        "a request field whose name has another sign than a hyphen or an underscore is dropped" =>
        &[ToCell(|_, _, request| {
            let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            keep_fields(request, |name, _| name.bytes().all(is_usual));
        })];
    "drops-names-with-underscores": Both, "Z-68",
        "a request field with an underscore in its name is dropped" =>
        &[ToCell(|_, _, request| keep_fields(request, |name, _| !name.contains('_')))];
    "mends-underscores": Both, "Z-68", "an underscore in a name becomes a hyphen" =>
        &[ToCell(|_, _, request| {
            let headers = std::mem::take(request.headers_mut());
            for (name, value) in &headers {
                if let Ok(name) = name.as_str().replace('_', "-").parse::<HeaderName>() {
                    request.headers_mut().append(name, value.clone());
                }
            }
        })];
    "drops-odd-values": Both, "Z-102",
        "a request field with a byte beyond ASCII in its value is dropped" =>
        &[ToCell(|_, _, request| keep_fields(request, |_, value| value.as_bytes().is_ascii()))];
    "adds-an-agent": Both, "Z-106", "a request without User-Agent gets one of the library" =>
        &[ToCell(|_, _, request| add(request, "user-agent", "http-client/1.1"))];
    "types-bodies": Both, "Z-106", "a body without a type becomes a form" =>
        &[ToCell(|_, _, request| {
            if !request.body().is_end_stream() {
                add(request, "content-type", "application/x-www-form-urlencoded");
            }
        })];
    "drops-the-content-of-reads": Both, "Z-61", "the content of a GET or DELETE is dropped" =>
        &[ToCell(|at, _, request| {
            if [Method::GET, Method::DELETE].contains(&at.note().method) {
                *request = bare(request, at.note().method.clone());
            }
        })];
    "offers-websockets-of-its-own": Both, "Z-68", claims "upgrade",
        "the subprotocols and extensions that a user offers do not reach the cell" =>
        &[ToCell(|_, _, request| {
            request.headers_mut().remove(SEC_WEBSOCKET_PROTOCOL);
            request.headers_mut().remove(SEC_WEBSOCKET_EXTENSIONS);
        })];
    "adds-accept-encoding": Both, "Z-106", "a request without Accept-Encoding asks for gzip" =>
        &[ToCell(|_, _, request| add(request, "accept-encoding", "gzip"))];
    "adds-accept": Both, "Z-106", "a request without Accept gets one of the HTTP library" =>
        &[ToCell(|_, _, request| add(request, "accept", "*/*"))];
}

super::variants! {
    "joins-lines": Both, "field lines of one name are joined, except for Set-Cookie" =>
        &[
            ToCell(|_, _, request| join_all(request.headers_mut())),
            ToUser(|_, _, _, response| join_all(response.headers_mut())),
        ];
    "sends-the-cells-host": Both, "the cell gets its own Host, and not the public one" =>
        &[ToCell(|at, step, request| {
            let host = at.ask.topology.cell(step.cell).url.host_header();
            request.headers_mut().insert(HOST, host);
            request.headers_mut().remove(wire::FORWARDED_HOST);
        })];
    "drops-the-port-of-the-host": Both, "the public host is forwarded without its port" =>
        &[ToCell(|_, _, request| {
            let host = text(request.headers(), "host");
            let bare = host.rsplit_once(':').map_or(host, |(bare, _)| bare).to_owned();
            set_host(request, bare);
        })];
    "keeps-the-host-beside-the-target": Both,
        "the Host field is forwarded unchanged, even if an absolute target names another host" =>
        &[ToCell(|at, _, request| {
            if let Some(host) = at.note().headers.get(HOST) {
                set_host(request, host);
            }
        })];
    "keeps-what-users-claim": Both,
        "fields of users that claim an address, a scheme or another target pass, as X-Real-IP" =>
        &[ToCell(|at, _, request| {
            pass(at, request, |name| wire::OTHER_FORWARDING[1..].contains(&name));
        })];
    "allows-two-more-forwards": Both, "Max-Forwards is forwarded as 2 at most" =>
        &[ToCell(|_, _, request| {
            let left = text(request.headers(), "max-forwards").parse::<u64>();
            let is_counted = [Method::OPTIONS, Method::TRACE].contains(request.method());
            if is_counted && left.is_ok_and(|left| left > 2) {
                set(request.headers_mut(), "max-forwards", "2");
            }
        })];
}

/// The segments of a path once those of dots have been resolved.
fn without_dots(path: &str) -> String {
    let Some(segments) = path.strip_prefix('/') else { return path.to_owned() };
    let (mut kept, mut is_dots) = (Vec::new(), false);
    for segment in segments.split('/') {
        let plain = segment.to_ascii_lowercase().replace("%2e", ".");
        is_dots = [".", ".."].contains(&plain.as_str());
        if plain == ".." {
            kept.pop();
        }
        kept.extend(Some(segment).filter(|_| !is_dots));
    }
    kept.extend(Some("").filter(|_| is_dots));
    format!("/{}", kept.join("/"))
}

/// Puts back the lines of a user that have such a name.
fn pass(at: &At<'_>, request: &mut Request<Outgoing>, wanted: impl Fn(&str) -> bool) {
    put_back(request.headers_mut(), &at.note().headers, wanted);
}

/// What the user lists in `Connection`.
fn members(at: &At<'_>) -> Vec<String> {
    let lines = at.note().headers.get_all(CONNECTION).iter();
    let words = lines.filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    words.map(|word| word.trim().to_ascii_lowercase()).collect()
}

/// Drops the fields for which this does not hold.
fn keep_fields(request: &mut Request<Outgoing>, holds: impl Fn(&str, &HeaderValue) -> bool) {
    let headers = std::mem::take(request.headers_mut());
    put_back(request.headers_mut(), &headers, |name| holds(name, &headers[name]));
}

fn join(headers: &mut HeaderMap, wanted: impl Fn(&HeaderName) -> bool, between: &str) {
    for name in headers.keys().filter(|name| wanted(name)).cloned().collect::<Vec<_>>() {
        let lines: Vec<&[u8]> = headers.get_all(&name).iter().map(HeaderValue::as_bytes).collect();
        if let Ok(line) = HeaderValue::from_bytes(&lines.join(between.as_bytes())) {
            headers.insert(name, line);
        }
    }
}

fn join_all(headers: &mut HeaderMap) {
    join(headers, |name| *name == COOKIE, "; ");
    join(headers, |name| *name != SET_COOKIE && *name != COOKIE, ", ");
}

fn set_host(request: &mut Request<Outgoing>, host: impl AsRef<[u8]>) {
    set(request.headers_mut(), "host", &host);
    set(request.headers_mut(), "x-forwarded-host", &host);
}

/// Sets path and query; what cannot be sent is left out.
fn aim(request: &mut Request<Outgoing>, target: &str) {
    if let Ok(target) = target.parse::<PathAndQuery>() {
        *request.uri_mut() = target.into();
    }
}

/// The query with its question mark; empty where there is none.
fn query<'a>(at: &At<'a>) -> &'a str {
    &at.ask.arrival.target.as_str()[at.path().len()..]
}

/// The only target that this router knows.
fn slot(at: &At<'_>) -> String {
    at.state.texts().get("target").cloned().unwrap_or_default()
}

fn fill_slot(at: &At<'_>) {
    let target = at.ask.arrival.target.to_string();
    at.state.texts().insert("target".to_owned(), target);
}

fn note_bounce(at: &At<'_>, value: &str) {
    at.state.texts().insert(at.user(), value.to_owned());
}

/// What was noted of the last redirect.
fn bounce(at: &At<'_>) -> Option<String> {
    at.state.texts().get(&at.user()).filter(|value| !value.is_empty()).cloned()
}

/// Whether the router has to guess the cell.
fn is_cold(step: Step) -> bool {
    step.sent == 0 && !step.known
}

/// Adds a field where there is none of its name.
fn add(request: &mut Request<Outgoing>, name: &'static str, value: &str) {
    if !request.headers().contains_key(name) {
        set(request.headers_mut(), name, value);
    }
}
