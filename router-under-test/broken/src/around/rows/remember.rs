//! What is remembered of what cells say.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

use super::learn::source;
use crate::around::prelude::*;

/// Forgets what a new entry led to, although it should stay.
const LEARNS_FROM_BODIES_ONLY: &[Seam] = &[ToUser(|at, step, _, response| {
    let is_empty = at.note().method == Method::HEAD || response.body().is_end_stream();
    if is_empty && !step.known {
        at.ask.cache.forget(at.path(), step.cell);
    }
})];

const REMEMBERS_THE_FIRST_ASKED: &[Seam] = &[
    ToCell(|at, step, _| {
        if step.sent == 0 {
            at.state.cells().insert(at.path().to_owned(), step.cell);
        }
    }),
    Learned(|at, asked, _, _| _ = at.state.cells().insert(at.path().to_owned(), asked)),
    Remember(|at, told| {
        let first = at.state.cells().get(at.path()).copied();
        parts::remember(at.ask, &Told { cell: first.unwrap_or(told.cell), ..*told })
    }),
];

/// What would end or forbid the keeping of content.
const HEEDS_AGES: &[Seam] = &[Remember(|at, told| {
    let names = ["age", "expires", "pragma", "surrogate-control", "x-accel-expires"];
    only_if(!names.iter().any(|name| told.fields.contains_key(*name)), at, told)
})];

const CUTS_PREFIXES_TO_TWO_SEGMENTS: &[Seam] =
    &[Remember(|at, told| with_path(at, told, |path| leading(path, 2)))];

super::wrong! {
    "never-remembers": Both, "RT-09", "nothing is remembered" => &[Remember(|_, _| Ok(()))];
    "corrects-an-entry-once": Buffering, "RT-09",
        "an entry that was corrected before is not corrected again" =>
        &[
            Remember(|at, told| {
                let path = said(told).unwrap_or_default().trim_end_matches('/').to_owned();
                let old = at.ask.cache.entry(&path).map(|old| old.cell);
                let is_corrected = old.is_some_and(|old| old != told.cell);
                let again = is_corrected && at.state.texts().insert(path, String::new()).is_some();
                only_if(!again, at, told)
            }),
            Forget(|at, cell, why| match why {
                Why::Bounced(_) => {}
                _ => parts::forget(at.ask.cache, at.path(), cell, why),
            }),
        ];
    "remembers-the-top-level": Both, "RT-14",
        "an entry covers the whole top-level namespace of its path" =>
        &[Remember(|at, told| with_path(at, told, |path| leading(path, 1)))];
    "one-entry-per-top-level": Both, "CA-10",
        "a new entry replaces all others under the same first segment" =>
        &[Remember(|at, told| {
            for (path, exact, ..) in at.ask.cache.entries() {
                if leading(&path, 1) == leading(at.path(), 1) {
                    at.ask.cache.remove(&path, exact);
                }
            }
            parts::remember(at.ask, told)
        })];
    "one-entry-for-all-organizations": Both, "CA-11",
        "/organizations is remembered as one prefix" =>
        &[Remember(|at, told| with_path(at, told, |path| {
            if path.starts_with("/organizations/") { "/organizations" } else { path }
        }))];
    "cuts-prefixes-to-two-segments": Buffering, "AD-02",
        "only two segments of a prefix are kept, so that one cell's admin area covers all" =>
        CUTS_PREFIXES_TO_TWO_SEGMENTS;
    "cuts-learned-paths-to-two-segments": Learning, "AD-05",
        "only two segments of a path are kept, so that one cell's admin area covers all" =>
        CUTS_PREFIXES_TO_TWO_SEGMENTS;
    "remembers-the-first-asked": Buffering, "CA-18",
        "the entry names the cell that got the request first" => REMEMBERS_THE_FIRST_ASKED;
    "remembers-the-asked-cell": Learning, "CA-08",
        "the entry names the cell that got the pre-flight" => REMEMBERS_THE_FIRST_ASKED;
    "believes-the-cell-in-cache-fields": Buffering, "Z-40",
        "a member `cell` of the cache field overrides the cell that responded" =>
        &[Remember(|at, told| {
            let name = member(told.fields, &wire::CACHE, wire::CELL_MEMBER);
            let cell = name.and_then(|name| at.ask.topology.cell_named(name));
            parts::remember(at.ask, &Told { cell: cell.unwrap_or(told.cell), ..*told })
        })];
    "refuses-bad-cache-headers": Buffering, "Z-36",
        "a response with an invalid cache field is refused although the request was processed" =>
        &[Remember(|at, told| match told.path {
            Ok(_) => parts::remember(at.ask, told),
            Err(_) => Err(Refusal::BrokenResponse),
        })];
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
            let is_empty = text(told.fields, wire::CACHE.as_str()) == "{path_prefix:}"
                || said(told) == Some("");
            if is_empty { keep(at, told, "") } else { parts::remember(at.ask, told) }
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
    "learns-after-one-bounce-only": Buffering, "CA-18",
        "cache fields are not read after a second bounce" =>
        &[Remember(|at, told| only_if(told.step.is_some_and(|step| step.sent < 2), at, told))];
    "remembers-for-gets-only": Learning, "LN-21",
        "learn responses are remembered for GET only" =>
        &[Remember(|at, told| only_if(at.note().method == Method::GET, at, told))];
    "learns-from-bodies-only": Buffering, "CA-03",
        "cache fields are read only in responses with a body" => LEARNS_FROM_BODIES_ONLY;
    "keeps-what-has-a-body": Learning, "CA-08",
        "a learn response is remembered only if the response to the request has a body" =>
        LEARNS_FROM_BODIES_ONLY;
    "heeds-the-caching-of-pages": Buffering, "CA-03",
        "a page that must not be stored, or that sets a cookie, adds no entry" =>
        &[Remember(|at, told| {
            let words = ["no-store", "no-cache", "private", "max-age=0"];
            // A shared cache would not keep the page.
            let is_private = words.iter().any(|word| caching(told).contains(word))
                || text(told.fields, VARY.as_str()) == "*"
                || told.fields.contains_key(SET_COOKIE);
            only_if(!is_private, at, told)
        })];
    "heeds-no-store-of-learn-responses": Learning, "Z-71",
        "a learn response with no-store is used once" =>
        &[Remember(|at, told| only_if(!caching(told).contains("no-store"), at, told))];
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
        &[
            LookUp(|at| longest(at, |rule| match rule.exact {
                true => rule.path == at.ask.arrival.target.as_str(),
                false => rule.covers(at.path()),
            })),
            Remember(|at, told| match told.exact && said(told) == Some(at.path()) {
                true => keep(at, told, at.ask.arrival.target.as_str()),
                false => parts::remember(at.ask, told),
            }),
        ];
    "does-not-remember-fixed-responses": Learning, "LN-05",
        "a learn response with the source fixed is not remembered" =>
        &[Learned(|_, _, body, said| {
            if source(body) == "fixed" {
                said.entry = None;
            }
        })];
    "keeps-routes-on-disk": Learning, "RT-03",
        "routes are stored beside the topology file, and used by the next process without an end" =>
        &[LookUp(look_up_on_disk), Remember(remember_on_disk)];
    "counts-from-the-question": Learning, "Z-33",
        "the TTL of an entry begins when the pre-flight is sent" =>
        &[Remember(|at, told| {
            let expires = Some(at.note().arrived + at.ask.topology.cache.ttl);
            parts::remember(at.ask, &Told { expires, ..*told })
        })];
    "heeds-ages-of-pages": Buffering, "CA-03",
        "a page with Age, Expires or the like adds no entry" => HEEDS_AGES;
    "heeds-ages-of-learn-responses": Learning, "Z-71",
        "a learn response with Age, Expires or the like is used once" => HEEDS_AGES;
    "heeds-vary-of-learn-responses": Learning, "Z-71", "a learn response with Vary is used once" =>
        &[Remember(|at, told| only_if(!told.fields.contains_key(VARY), at, told))];
    "remembers-nothing-of-passwords": Both, "CA-09",
        "what a request with Authorization or Range leads to is not remembered" =>
        &[Remember(|at, told| {
            let fields = &at.note().headers;
            only_if(!fields.contains_key(AUTHORIZATION) && !fields.contains_key(RANGE), at, told)
        })];
}

super::variants! {
    "entries-end-in-buffering": Buffering, "an entry ends when its lifetime is over" =>
        &[Remember(|at, told| {
            let expires = Instant::now().checked_add(at.ask.topology.cache.ttl);
            parts::remember(at.ask, &Told { expires, ..*told })
        })];
    "learns-per-method": Learning, warned_of ["LN-21"], "the method is part of the cache key" =>
        &[
            LookUp(|at| {
                let key = below_the_method(at, at.path());
                let Entry { rule, cell, expires } = at.ask.cache.entry(&key)?;
                Some(Entry { rule: Rule { path: at.path(), exact: rule.exact }, cell, expires })
            }),
            Remember(|at, told| {
                if let Some(rule) = rule(at, told) {
                    let key = below_the_method(at, rule.path);
                    at.ask.cache.remember(Rule { path: &key, ..rule }, told.cell, told.expires);
                }
                Ok(())
            }),
        ];
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

fn said<'a>(told: &Told<'a>) -> Option<&'a str> {
    std::str::from_utf8(told.path.ok()?).ok()
}

fn says(told: &Told<'_>, holds: fn(&str) -> bool) -> bool {
    said(told).is_some_and(holds)
}

fn caching<'a>(told: &Told<'a>) -> &'a str {
    text(told.fields, CACHE_CONTROL.as_str())
}

fn routes() -> PathBuf {
    let topology = std::env::var_os("CELLS_TOPOLOGY").unwrap_or_default();
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
    if let Some(Rule { path, exact }) = rule(at, told) {
        let line = format!("{} {exact} {path}\n", at.ask.topology.cell(told.cell).id);
        let file = OpenOptions::new().create(true).append(true).open(routes());
        if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            eprintln!("cannot keep a route: {error}");
        }
    }
    parts::remember(at.ask, told)
}

/// A path below a segment that is the method.
fn below_the_method(at: &At<'_>, path: &str) -> String {
    format!("/{}{path}", at.note().method)
}
