//! Responses to users.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::around::prelude::*;
use crate::around::state::lock;

/// Pages by their targets.
static PAGES: Mutex<BTreeMap<String, (ResponseHead, Bytes)>> = Mutex::new(BTreeMap::new());

const READS_PAGES: &[Seam] = &[ToUserLater(|at, mut response| {
    Box::pin(async move {
        if text(response.headers(), "content-type").starts_with("application/json")
            && let Some(bytes) = taken(&mut response).await
            && let Ok(said) = preflight::parse(&bytes)
            && let Some(cell) = at.ask.topology.cell_with_id(&said.cell)
            && let Some(rule) = Rule::new(said.path.as_bytes(), said.exact, at.path())
        {
            at.ask.cache.remember(rule, cell, at.end());
        }
        response
    })
})];

const MARKS_HITS: &[Seam] = &[ToUser(|_, step, _, response| {
    set(response.headers_mut(), "x-cache", if step.known { "HIT" } else { "MISS" });
})];

super::wrong! {
    "knows-fields-by-name": Both, "RT-08", "fields that are not well known do not reach the user" =>
        &[ToUser(|_, _, _, response| {
            let original = std::mem::take(response.headers_mut());
            put_back(response.headers_mut(), &original, |name| !name.starts_with("x-"));
        })];
    "passes-links-to-cells": Both, "Z-87",
        "a cell's address in Link, Refresh, Content-Location or Alt-Svc reaches the user" =>
        &[ToUser(|_, _, original, response| {
            let names = ["link", "refresh", "content-location", "alt-svc"];
            put_back(response.headers_mut(), original, |name| names.contains(&name));
        })];
    "passes-a-cells-location-on": Both, "Z-26",
        "a Location with the address of a cell reaches the user" =>
        &[ToUser(|_, _, original, response| {
            put_back(response.headers_mut(), original, |name| name == LOCATION);
        })];
    "leaks-the-cache-field": Both, "Z-03", "the cache header reaches the user" =>
        &[ToUser(|_, _, original, response| {
            put_back(response.headers_mut(), original, |name| name == wire::CACHE);
        })];
    "learns-from-users": Both, "Z-72",
        "a cache header in a request is cached for the cell that responds" =>
        &[ToUser(|at, step, _, _| believe_cache_field(at, &at.note().headers, step.cell))];
    "reads-pages-as-learn-responses": Buffering, "CA-04",
        "a page that looks like a learn response is kept as one" => READS_PAGES;
    "learns-from-pages-of-json": Learning, "Z-73",
        "a page that looks like a learn response is kept as one" => READS_PAGES;
    "keeps-a-cookie-jar": Both, "Z-74",
        "the HTTP library keeps the cookies that cells set, and sends them with the requests of \
         all users" =>
        &[
            ToUser(|at, _, original, _| {
                for line in original.get_all(SET_COOKIE).iter().filter_map(|line| line.to_str().ok()) {
                    let pair = line.split(';').next().unwrap_or(line);
                    let name = pair.split('=').next().unwrap_or(pair);
                    at.state.texts().insert(name.to_owned(), pair.to_owned());
                }
            }),
            ToCell(|at, _, request| {
                let (sent, kept) = (cookies(request.headers()), at.state.texts());
                let is_sent = |name: &str| sent.iter().any(|pair| pair.split('=').next() == Some(name));
                let kept = kept.iter().filter(|(name, _)| !is_sent(name)).map(|(_, pair)| pair);
                let pairs: Vec<_> = sent.iter().chain(kept).map(String::as_str).collect();
                set_cookies(request.headers_mut(), &pairs);
            }),
        ];
    "keeps-pages": Both, "CA-17", "responses to GET are cached and sent to later visitors" =>
        &[
            ToUserLater(|at, mut response| Box::pin(async move {
                let is_page = at.note().method == Method::GET && response.status().is_success();
                if is_page && let Some(bytes) = taken(&mut response).await {
                    let (head, body) = response.into_parts();
                    lock(&PAGES).insert(at.ask.arrival.target.to_string(), (head.clone(), bytes));
                    return Response::from_parts(head, body);
                }
                response
            })),
            Refuse(|at, refusal, given| {
                match (refusal, lock(&PAGES).get(at.ask.arrival.target.as_str())) {
                    (None, Some((head, bytes))) if at.note().method == Method::GET => {
                        Some(Response::from_parts(head.clone(), whole(bytes.clone())))
                    }
                    _ => given,
                }
            }),
        ];
    "turns-204-into-200": Both, "Z-24", "a 204 becomes a 200 with an empty body" =>
        &[ToUser(|_, _, _, response| turn_into_200(StatusCode::NO_CONTENT, response))];
    "turns-304-into-200": Both, "Z-51", "a 304 becomes an empty 200" =>
        &[ToUser(|_, _, _, response| turn_into_200(StatusCode::NOT_MODIFIED, response))];
    "remembers-the-root": Both, "CA-12",
        "the first cell that served / gets every later visit of it" =>
        &[ToUser(|at, step, _, _| stick(at, step, &["/"]))];
    "remembers-the-dashboard": Buffering, "CA-13",
        "the first cell that served /dashboard gets every later visit of it" =>
        &[ToUser(|at, step, _, _| stick(at, step, &["/dashboard"]))];
    "landing-pages-stick": Buffering, "BF-16",
        "/ and /dashboard stay with the first cell that served them" =>
        &[ToUser(|at, step, _, _| stick(at, step, &["/", "/dashboard"]))];
    "remembers-graphql": Both, "TD-06",
        "/api/graphql is cached for the first cell that served it" =>
        &[ToUser(|at, step, _, _| stick(at, step, &["/api/graphql"]))];
    "cookies-name-the-cell": Both, "Z-19", claims "cookie-cache",
        "the route cookie contains the id of the cell" =>
        &[ToUser(|at, step, _, response| {
            let id = &at.ask.topology.cell(step.cell).id;
            change_cookies(response.headers_mut(), |line| match line.starts_with(wire::COOKIE) {
                true => format!("{line}; cell={id}"),
                false => line.to_owned(),
            });
        })];
    "scopes-cookies-to-the-region": Buffering, "BF-13",
        "cookies get the router's region as a prefix, and mean nothing in another region" =>
        &[
            ToUser(|at, _, _, response| {
                let region = &at.ask.topology.region;
                change_cookies(response.headers_mut(), |line| format!("{region}_{line}"));
            }),
            ToCell(|at, _, request| {
                let mark = format!("{}_", at.ask.topology.region);
                let sent = cookies(request.headers());
                let own = sent.iter().filter_map(|pair| pair.strip_prefix(&mark));
                set_cookies(request.headers_mut(), &own.collect::<Vec<_>>());
            }),
        ];
    "joins-cookie-lines": Both, "Z-05", "several Set-Cookie lines are joined into one" =>
        &[ToUser(|_, _, _, response| {
            let cookies = response.headers().get_all(SET_COOKIE).iter();
            let lines: Vec<_> = cookies.map(HeaderValue::as_bytes).collect();
            if lines.len() > 1 {
                let line = lines.join(&b", "[..]);
                set(response.headers_mut(), "set-cookie", line);
            }
        })];
    "names-the-remembered-cell": Buffering, "Z-37",
        "a response that a cache entry led to names the cell in the redirect header" =>
        &[ToUser(|at, step, _, response| {
            if step.known && response.status().is_success() {
                let name = &at.ask.topology.cell(step.cell).name;
                set(response.headers_mut(), "x-gitlab-cell-redirect", format!("{{cell:{name}}}"));
            }
        })];
    "names-the-cell": Both, "RT-12", "a field of each response names the cell that gave it" =>
        &[ToUser(|at, step, _, response| {
            set(response.headers_mut(), "x-served-by", &at.ask.topology.cell(step.cell).id);
        })];
    "tells-how-it-routed": Both, "PR-03",
        "a field tells whether the cell was cached, so that a private path differs from a missing \
         one" =>
        MARKS_HITS;
    "marks-cache-hits": Both, "Z-27",
        "a field tells whether the cell came from the cache, even on a 404" =>
        MARKS_HITS;
    "marks-tags-of-coded-content": Both, "Z-77",
        "the ETag of a compressed response gets a suffix" =>
        &[ToUser(|_, _, _, response| {
            let headers = response.headers_mut();
            let tag = text(headers, "etag").strip_suffix('"').map(str::to_owned);
            if let Some(tag) = tag.filter(|_| headers.contains_key(CONTENT_ENCODING)) {
                set(headers, "etag", format!("{tag}-gzip\""));
            }
        })];
    "own-404-page": Both, "UN-08", "a cell's 404 is replaced by a page of the router" =>
        &[ToUser(|_, _, _, response| {
            if response.status() == StatusCode::NOT_FOUND {
                *response = Refusal::Internal.response(false);
            }
        })];
    "sends-users-abroad": Both, "RG-02",
        "the user is redirected to a cell of another region instead of served through this \
         router" =>
        &[ToUser(|at, step, _, response| {
            let cell = at.ask.topology.cell(step.cell);
            if cell.region != at.ask.topology.region {
                let address = format!("http://{}{}", cell.url.authority(), at.ask.arrival.target);
                *response = page(307, "served elsewhere\n");
                set(response.headers_mut(), "location", address);
            }
        })];
    "sign-in-clears-the-cache": Learning, "LG-07", "a sign-in empties the cache" =>
        &[ToUser(|at, _, _, _| {
            if at.path() == "/users/sign_in" && at.note().method == Method::POST {
                for (path, exact, ..) in at.ask.cache.entries() {
                    at.ask.cache.remove(&path, exact);
                }
            }
        })];
    "refuses-unknown-statuses": Both, "RT-08",
        "a response with a status that the library has no name for becomes a 502" =>
        &[ToUser(|_, _, _, response| {
            if response.status().canonical_reason().is_none() {
                *response = page(502, "invalid status\n");
            }
        })];
    "rounds-unknown-statuses": Both, "RT-08",
        "a status that the library has no name for becomes the first one of its class" =>
        &[ToUser(|_, _, _, response| {
            let status = response.status();
            if status.canonical_reason().is_none() {
                let first = StatusCode::from_u16(status.as_u16() / 100 * 100);
                *response.status_mut() = first.unwrap_or(status);
            }
        })];
    "drops-empty-fields": Both, "Z-46", "a field of a response without a value is dropped" =>
        &[ToUser(|_, _, _, response| {
            let original = std::mem::take(response.headers_mut());
            put_back(response.headers_mut(), &original, |name| !original[name].is_empty());
        })];
    "refuses-odd-values": Both, "Z-102",
        "a response with a byte beyond ASCII in a value becomes a 502" =>
        &[ToUser(|_, _, _, response| {
            if response.headers().values().any(|value| !value.as_bytes().is_ascii()) {
                *response = page(502, "invalid character in a header\n");
            }
        })];
    "dates-twice": Both, "Z-107", "the router's Date stands beside that of the cell" =>
        &[ToUser(|_, _, _, response| {
            let now = HeaderValue::from_static("Thu, 01 Jan 2026 00:00:00 GMT");
            response.headers_mut().append(DATE, now);
        })];
    "names-two-servers": Both, "Z-107", "the router's Server stands beside that of the cell" =>
        &[ToUser(|_, _, _, response| {
            response.headers_mut().append(SERVER, HeaderValue::from_static("router"));
        })];
    "keeps-a-hundred-fields": Both, "Z-48",
        "fields of a response beyond a hundred are dropped" =>
        &[ToUser(|_, _, _, response| {
            let headers = std::mem::take(response.headers_mut());
            let kept = headers.keys().take(100).map(HeaderName::as_str).collect::<Vec<_>>();
            put_back(response.headers_mut(), &headers, |name| kept.contains(&name));
        })];
    "answers-handshakes-itself": Both, "RT-08", claims "upgrade",
        "of a 101 only what every handshake has reaches the user" =>
        &[ToUser(|_, _, _, response| {
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                let given = std::mem::take(response.headers_mut());
                let needed = ["upgrade", "connection", "sec-websocket-accept"];
                put_back(response.headers_mut(), &given, |name| needed.contains(&name));
            }
        })];
    "passes-listed-fields-of-a-101": Both, "Z-22", claims "upgrade",
        "a field that Connection of a 101 lists reaches the user" =>
        &[ToUser(|_, _, original, response| {
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                let listed = text(original, "connection").to_ascii_lowercase();
                let is_listed = |name: &str| listed.split(", ").any(|one| one == name);
                put_back(response.headers_mut(), original, |name| {
                    name != UPGRADE && is_listed(name)
                });
            }
        })];
    "has-pages-for-failures-of-cells": Both, "RT-08",
        "a cell's 502 or 504 is replaced by a page of the router" =>
        &[ToUser(|_, _, _, response| {
            let status = response.status().as_u16();
            if [502, 504].contains(&status) {
                *response = page(status, "The server behind this one has failed.\n");
            }
        })];
    "takes-redirects-for-failures": Both, "RT-08", "a cell's 307 or 308 becomes a 502" =>
        &[ToUser(|_, _, _, response| {
            if [307, 308].contains(&response.status().as_u16()) {
                *response = page(502, "The server behind this one is somewhere else.\n");
            }
        })];
    "breaks-the-circuit": Both, "Z-110",
        "once a cell has given five responses with 5xx, its responses become refusals" =>
        &[ToUser(|at, step, _, response| {
            let mut failures = at.state.bytes();
            failures.resize(at.ask.topology.cells.len(), 0);
            let failures = &mut failures[step.cell.index()];
            *failures = failures.saturating_add(response.status().is_server_error().into());
            if *failures > 5 {
                *response = page(503, "The server behind this one fails too often.\n");
            }
        })];
}

super::variants! {
    "adds-proxy-fields": Both, "Via and Server are added to responses" =>
        &[ToUser(|_, _, _, response| {
            response.headers_mut().append("via", HeaderValue::from_static("1.1 router"));
            set(response.headers_mut(), "server", "router");
        })];
    "closes-after-each-response": Both,
        "a user's connection is closed after each response, even if more requests arrived" =>
        &[ToUser(|_, _, _, response| {
            if response.status() != StatusCode::SWITCHING_PROTOCOLS {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
        })];
    "shortens-304s": Both,
        "a 304 keeps no metadata of the representation but what RFC 9110 15.4.5 lists" =>
        &[ToUser(|_, _, _, response| {
            if response.status() == StatusCode::NOT_MODIFIED {
                let headers = response.headers_mut();
                for name in [CONTENT_TYPE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LENGTH] {
                    headers.remove(name);
                }
                if headers.contains_key(ETAG) {
                    headers.remove(LAST_MODIFIED);
                }
            }
        })];
    "learns-from-pages-too": Learning, "the other proposal's cache header is used as well" =>
        &[ToUser(|at, step, original, _| believe_cache_field(at, original, step.cell))];
    // Beside its own row, all SHOULDs whose scenarios visit a path that no cell knows.
    "has-a-page-for-unknown-paths": Learning,
        warned_of ["UN-06", "UN-08", "PR-03", "Z-27", "SC-04", "Z-26"],
        "a 404 becomes a page of the router where the pre-flight found no owner" =>
        &[ToUser(|at, _, _, response| {
            let unowned = at.ask.cache.entry(at.path()).is_none();
            if unowned && response.status() == StatusCode::NOT_FOUND {
                *response = page(404, "There is no such page.");
            }
        })];
}

/// Remembers the cell for one of these paths, where nobody said so.
fn stick(at: &At<'_>, step: Step, paths: &[&str]) {
    if paths.contains(&at.path()) && at.ask.cache.entry(at.path()).is_none() {
        let rule = Rule { path: at.path(), exact: true };
        at.ask.cache.remember(rule, step.cell, at.end());
    }
}

fn turn_into_200(status: StatusCode, response: &mut Response<UserBody>) {
    if response.status() == status {
        *response.status_mut() = StatusCode::OK;
        response.headers_mut().remove(CONTENT_LENGTH);
    }
}

/// All of a body that has a length, which is then given as a whole.
async fn taken(response: &mut Response<UserBody>) -> Option<Bytes> {
    text(response.headers(), "content-length").parse().ok().filter(|length: &u64| *length > 0)?;
    let bytes = all_of(response.body_mut()).await;
    *response.body_mut() = whole(bytes.clone());
    Some(bytes)
}

fn set_cookies(headers: &mut HeaderMap, pairs: &[&str]) {
    headers.remove(COOKIE);
    if !pairs.is_empty() {
        set(headers, "cookie", pairs.join("; "));
    }
}
