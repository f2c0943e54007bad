//! What is remembered of what cells say.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use http::header::{CACHE_CONTROL, SET_COOKIE, VARY};
use http::{Method, Request};
use http_body::Body as _;
use reference_router::body::Outgoing;
use reference_router::cache::{Entry, Rule};
use reference_router::parts::{self, Question, Step, Told, Why};
use reference_router::refusal::Refusal;
use reference_router::topology::CellIndex;
use reference_router::{learning, members, wire};
use serde_json::Value;

use crate::around::Seam::{
    Forget, Learn, LookUp, PreFlight, Remember, Request as ToCell, Response,
};
use crate::around::tools::{longest, text};
use crate::around::{At, Seam};

const LEARNS_FROM_200_ONLY: &[Seam] = &[Response(|at, step, _, response| {
    if response.status() != 200 {
        unlearn(at, step);
    }
})];

const LEARNS_FROM_BODIES_ONLY: &[Seam] = &[Response(|at, step, _, response| {
    if at.note().method == Method::HEAD || response.body().is_end_stream() {
        unlearn(at, step);
    }
})];

const LEARNS_FROM_GETS_ONLY: &[Seam] =
    &[Remember(|at, told| only_if(at.note().method == Method::GET, at, told))];

const REMEMBERS_THE_FIRST_ASKED: &[Seam] = &[
    ToCell(|at, step, _| {
        if step.sent == 0 {
            at.state.cells().insert(at.path().to_owned(), step.cell);
        }
    }),
    Learn(|at, asked, head, body| {
        at.state.cells().insert(at.path().to_owned(), asked);
        learning::said(at.ask.topology, head.status, body)
    }),
    Remember(|at, told| {
        let first = at.state.cells().get(at.path()).copied();
        parts::remember(at.ask, &Told { cell: first.unwrap_or(told.cell), ..*told })
    }),
];

const CUTS_PREFIXES_TO_TWO_SEGMENTS: &[Seam] =
    &[Remember(|at, told| with_path(at, told, |path| leading(path, 2)))];

super::wrong! {
    "never-remembers": Both, "RT-09", "nothing is remembered" => &[Remember(|_, _| Ok(()))];
    "corrects-an-entry-once": Buffering, "RT-09",
        "an entry that was corrected before is not corrected again" =>
        &[Remember(correct_once), Forget(not_what_bounced)];
    "remembers-the-top-level": Both, "RT-14",
        "an entry covers the whole top-level namespace of its path" =>
        &[Remember(|at, told| with_path(at, told, |path| leading(path, 1)))];
    "one-entry-per-top-level": Both, "CA-10",
        "a new entry replaces all others under the same first segment" =>
        &[Remember(replace_all_of_the_top_level)];
    "one-entry-for-all-organizations": Both, "CA-11",
        "/organizations is remembered as one prefix" =>
        &[Remember(|at, told| with_path(at, told, |path| {
            if path.starts_with("/organizations/") { "/organizations" } else { path }
        }))];
    "cuts-prefixes-to-two-segments": Buffering, "AD-02",
        "only two segments of a prefix are kept, so that one cell's admin area covers all" =>
        CUTS_PREFIXES_TO_TWO_SEGMENTS;
    "cuts-learnt-paths-to-two-segments": Learning, "AD-05",
        "only two segments of a path are kept, so that one cell's admin area covers all" =>
        CUTS_PREFIXES_TO_TWO_SEGMENTS;
    "remembers-the-first-asked": Buffering, "CA-18",
        "the entry names the cell that got the request first" => REMEMBERS_THE_FIRST_ASKED;
    "remembers-the-asked-cell": Learning, "CA-08",
        "the entry names the cell that got the pre-flight" => REMEMBERS_THE_FIRST_ASKED;
    "believes-the-cell-in-cache-fields": Buffering, "Z-40",
        "a member `cell` of the cache field overrides the cell that responded" =>
        &[Remember(|at, told| {
            let field = told.response.1.get(wire::CACHE).map_or(&b""[..], |field| field.as_bytes());
            let name = members::find(field, wire::CELL_MEMBER).unwrap_or_default();
            let cell = at.ask.topology.cell_named(name);
            parts::remember(at.ask, &Told { cell: cell.unwrap_or(told.cell), ..*told })
        })];
    "refuses-bad-cache-headers": Buffering, "Z-36",
        "a response with an invalid cache field is refused although the request was processed" =>
        &[Remember(|at, told| match told.path {
            Ok(_) => parts::remember(at.ask, told),
            Err(_) => Err(Refusal::BrokenResponse),
        })];
    "older-response-wins": Buffering, "Z-38", "an entry is never replaced" =>
        &[Remember(|at, told| only_if(!is_known(at, told), at, told)), Forget(not_what_bounced)];
    "remembers-foreign-prefixes": Both, "Z-07",
        "a prefix that does not cover the request is remembered" =>
        &[Remember(|at, told| match said(told) {
            Some(path) if !path.trim_matches('/').is_empty() => keep(at, told, path),
            _ => Ok(()),
        })];
    "remembers-everything-under-root": Both, "Z-65",
        "the prefix / is remembered and covers all paths" =>
        &[Remember(|at, told| match said(told) {
            Some("/") => keep(at, told, "/"),
            _ => parts::remember(at.ask, told),
        })];
    "takes-no-prefix-for-every-path": Both, "Z-08",
        "the empty prefix is remembered and covers all paths" =>
        &[Remember(|at, told| {
            let is_empty = text(told.response.1, wire::CACHE.as_str()) == "{path_prefix:}";
            match is_empty || said(told) == Some("") {
                true => keep(at, told, ""),
                false => parts::remember(at.ask, told),
            }
        })];
    "needs-the-slash-of-a-prefix": Buffering, "CA-03",
        "a prefix without a last slash is not remembered" =>
        &[Remember(|at, told| only_if(says(told, |path| path.ends_with('/')), at, told))];
    // What stands before the last colon is no name then, and the member is ignored.
    "splits-members-at-the-last-colon": Buffering, "CA-03",
        "a member is split at its last colon instead of its first" =>
        &[Remember(|at, told| only_if(says(told, |path| !path.contains(':')), at, told))];
    "learns-only-when-cold": Buffering, "TD-02",
        "cache fields are read only if no entry covered the request" =>
        &[Remember(|at, told| only_if(told.step.is_some_and(|step| !step.known), at, told))];
    "learns-after-bounces-only": Buffering, "CA-03", "cache fields are read only after a bounce" =>
        &[Remember(|at, told| {
            only_if(told.step.is_some_and(|step| step.known || step.sent > 0), at, told)
        })];
    "learns-after-one-bounce-only": Buffering, "CA-18",
        "cache fields are not read after a second bounce" =>
        &[Remember(|at, told| only_if(told.step.is_some_and(|step| step.sent < 2), at, told))];
    "learns-from-gets-only": Buffering, "CA-03",
        "cache fields are read only in responses to GET" => LEARNS_FROM_GETS_ONLY;
    "remembers-for-gets-only": Learning, "LN-21",
        "learn responses are remembered for GET only" => LEARNS_FROM_GETS_ONLY;
    "learns-from-200-only": Buffering, "CA-03",
        "cache fields are read only in a 200" => LEARNS_FROM_200_ONLY;
    "keeps-200-only": Learning, "CA-08",
        "a learn response is remembered only if the request then gets 200" => LEARNS_FROM_200_ONLY;
    "learns-from-bodies-only": Buffering, "CA-03",
        "cache fields are read only in responses with a body" => LEARNS_FROM_BODIES_ONLY;
    "keeps-what-has-a-body": Learning, "CA-08",
        "a learn response is remembered only if the response to the request has a body" =>
        LEARNS_FROM_BODIES_ONLY;
    "heeds-the-caching-of-pages": Buffering, "CA-03",
        "a page that must not be stored, or that sets a cookie, adds no entry" =>
        &[Remember(|at, told| only_if(!is_private(told), at, told))];
    "heeds-no-store-of-learn-responses": Learning, "Z-71",
        "a learn response with no-store is used once" =>
        &[Remember(|at, told| only_if(!caching(told).contains("no-store"), at, told))];
    "any-lesson-renews-all": Learning, "LN-13", "each new entry renews the TTL of all entries" =>
        &[Remember(|at, told| {
            for (path, exact, cell, _) in at.ask.cache.entries() {
                at.ask.cache.remember(Rule { path: &path, exact }, cell, told.expires);
            }
            parts::remember(at.ask, told)
        })];
    "max-age-prolongs-entries": Learning, "LN-13",
        "max-age of a learn response is added to the TTL" =>
        &[Remember(|at, told| {
            let words = caching(told).split(',').map(str::trim);
            let age = words.filter_map(|word| word.strip_prefix("max-age=")?.parse().ok()).next();
            let expires = told.expires.map(|end| end + Duration::from_secs(age.unwrap_or(0)));
            parts::remember(at.ask, &Told { expires, ..*told })
        })];
    "one-entry-per-path": Learning, "Z-38",
        "an exact entry and a prefix of one path replace each other" =>
        &[Remember(|at, told| {
            at.ask.cache.remove(said(told).unwrap_or_default(), !told.exact);
            parts::remember(at.ask, told)
        })];
    "exact-with-the-query": Learning, "LN-06",
        "an exact learn response is kept with the query of the request, an empty one too" =>
        &[LookUp(by_target), Remember(|at, told| {
            if told.exact && said(told) == Some(at.path()) {
                return keep(at, told, at.ask.arrival.target.as_str());
            }
            parts::remember(at.ask, told)
        })];
    "does-not-remember-fixed-responses": Learning, "LN-05",
        "a learn response with the source fixed is not remembered" =>
        &[Learn(|at, _, head, body| {
            let mut said = learning::said(at.ask.topology, head.status, body)?;
            let body = serde_json::from_slice::<Value>(body).unwrap_or_default();
            said.entry = said.entry.filter(|_| body["source"] != "fixed");
            Ok(said)
        })];
    "keeps-routes-on-disk": Learning, "RT-03",
        "routes are stored beside the topology file, and used by the next process without an end" =>
        &[LookUp(look_up_on_disk), Remember(remember_on_disk)];
    "counts-from-the-question": Learning, "Z-33",
        "the TTL of an entry begins when the pre-flight is sent" =>
        &[PreFlight(note_the_time), Remember(|at, told| {
            let asked = at.state.times().get(at.path()).copied();
            let expires = asked.map(|asked| asked + at.ask.topology.ttl).or(told.expires);
            parts::remember(at.ask, &Told { expires, ..*told })
        })];
}

super::variants! {
    "entries-end-in-buffering": Buffering, "an entry ends when its lifetime is over" =>
        &[Remember(|at, told| {
            let expires = Instant::now().checked_add(at.ask.topology.ttl);
            let Told { exact, cell, response, step, .. } = *told;
            let path = told.path;
            parts::remember(at.ask, &Told { path, exact, cell, expires, response, step })
        })];
    "learns-per-method": Learning, warned_of ["LN-21"], "the method is part of the cache key" =>
        &[LookUp(look_up_by_method), Remember(remember_by_method)];
}

/// Remembers what the correct router does, where this holds.
fn only_if(heard: bool, at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    if heard { parts::remember(at.ask, told) } else { Ok(()) }
}

/// Remembers another prefix than the one that was said.
fn with_path(at: &At<'_>, told: &Told<'_>, change: fn(&str) -> &str) -> Result<(), Refusal> {
    match said(told).map(change) {
        Some(path) if said(told) != Some(path) => {
            parts::remember(at.ask, &Told { path: Ok(path.as_bytes()), exact: false, ..*told })
        }
        _ => parts::remember(at.ask, told),
    }
}

/// Remembers this path, whether or not it covers the request.
fn keep(at: &At<'_>, told: &Told<'_>, path: &str) -> Result<(), Refusal> {
    let path = if told.exact { path } else { path.strip_suffix('/').unwrap_or(path) };
    at.ask.cache.remember(Rule { path, exact: told.exact }, told.cell, told.expires);
    Ok(())
}

/// The path that was said.
fn said<'a>(told: &Told<'a>) -> Option<&'a str> {
    std::str::from_utf8(told.path.ok()?).ok()
}

/// Whether this holds of the path that was said.
fn says(told: &Told<'_>, holds: fn(&str) -> bool) -> bool {
    said(told).is_some_and(holds)
}

/// Whether there is an entry for what was said.
fn is_known(at: &At<'_>, told: &Told<'_>) -> bool {
    owner(at, told).is_some()
}

/// The cell in the entry for what was said.
fn owner(at: &At<'_>, told: &Told<'_>) -> Option<CellIndex> {
    let said = said(told)?;
    let path = said.strip_suffix('/').unwrap_or(said);
    let entries = at.ask.cache.entries();
    entries.iter().find(|(known, ..)| known == path).map(|(_, _, cell, _)| *cell)
}

/// The first segments of a path.
fn leading(path: &str, count: usize) -> &str {
    path.match_indices('/').nth(count).map_or(path, |(end, _)| &path[..end])
}

/// Forgets what a new entry led to, although it should stay.
fn unlearn(at: &At<'_>, step: Step) {
    if !step.known {
        at.ask.cache.forget(at.path(), step.cell);
    }
}

fn correct_once(at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    let path = said(told).unwrap_or_default().to_owned();
    let is_corrected = owner(at, told).is_some_and(|cell| cell != told.cell);
    let again = is_corrected && at.state.texts().insert(path, String::new()).is_some();
    only_if(!again, at, told)
}

/// Lets an entry stay whose cell redirected the request.
fn not_what_bounced(at: &At<'_>, cell: CellIndex, why: Why<'_>) {
    if !matches!(why, Why::Bounced(_)) {
        parts::forget(at.ask, cell, why);
    }
}

fn replace_all_of_the_top_level(at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    for (path, exact, ..) in at.ask.cache.entries() {
        if leading(&path, 1) == leading(at.path(), 1) {
            at.ask.cache.remove(&path, exact);
        }
    }
    parts::remember(at.ask, told)
}

fn caching<'a>(told: &Told<'a>) -> &'a str {
    text(told.response.1, CACHE_CONTROL.as_str())
}

/// Whether a shared cache would not keep the page.
fn is_private(told: &Told<'_>) -> bool {
    let words = ["no-store", "no-cache", "private", "max-age=0"];
    words.iter().any(|word| caching(told).contains(word))
        || text(told.response.1, VARY.as_str()) == "*"
        || told.response.1.contains_key(SET_COOKIE)
}

/// The entry of a path; an exact one is that of a path with its query.
fn by_target<'a>(at: &At<'a>) -> Option<Entry<'a>> {
    let target = at.ask.arrival.target.as_str();
    let found = longest(at, |rule| match rule.exact {
        true => rule.path == target,
        false => rule.covers(at.path()),
    });
    found.filter(|entry| entry.expires.is_none_or(|end| end > Instant::now()))
}

/// The file of routes.
fn routes() -> PathBuf {
    let topology = std::env::var_os(wire::TOPOLOGY_VARIABLE).unwrap_or_default();
    PathBuf::from(topology).with_extension("routes")
}

/// Reads the file of routes before the first look-up.
fn look_up_on_disk<'a>(at: &At<'a>) -> Option<Entry<'a>> {
    if at.state.round() == 0 {
        for line in std::fs::read_to_string(routes()).unwrap_or_default().lines() {
            let mut words = line.splitn(3, ' ');
            let cell = words.next().and_then(|id| at.ask.topology.cell_with_id(id));
            if let (Some(cell), Some(exact), Some(path)) = (cell, words.next(), words.next()) {
                at.ask.cache.remember(Rule { path, exact: exact == "true" }, cell, None);
            }
        }
    }
    at.ask.cache.entry(at.path())
}

fn remember_on_disk(at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    if let Some(rule) = told.path.ok().and_then(|path| Rule::new(path, told.exact, at.path())) {
        let Rule { path, exact } = rule;
        let line = format!("{} {exact} {path}\n", at.ask.topology.cell(told.cell).id);
        let file = OpenOptions::new().create(true).append(true).open(routes());
        if let Err(error) = file.and_then(|mut file: File| file.write_all(line.as_bytes())) {
            eprintln!("cannot keep a route: {error}");
        }
    }
    parts::remember(at.ask, told)
}

fn note_the_time(at: &At<'_>, question: Request<Outgoing>) -> Question {
    at.state.times().insert(at.path().to_owned(), Instant::now());
    Question::Send(question)
}

/// A path below a segment that is the method.
fn below_the_method(at: &At<'_>, path: &str) -> String {
    format!("/{}{path}", at.note().method)
}

fn look_up_by_method<'a>(at: &At<'a>) -> Option<Entry<'a>> {
    let key = below_the_method(at, at.path());
    let Entry { rule, cell, expires } = at.ask.cache.entry(&key)?;
    Some(Entry { rule: Rule { path: at.path(), exact: rule.exact }, cell, expires })
}

fn remember_by_method(at: &At<'_>, told: &Told<'_>) -> Result<(), Refusal> {
    if let Some(rule) = told.path.ok().and_then(|path| Rule::new(path, told.exact, at.path())) {
        let key = below_the_method(at, rule.path);
        at.ask.cache.remember(Rule { path: &key, ..rule }, told.cell, told.expires);
    }
    Ok(())
}
