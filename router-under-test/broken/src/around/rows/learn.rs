//! Learn responses, as they are read.

use serde_json::Map;

use crate::around::prelude::*;

super::wrong! {
    "crosses-learn-responses": Learning, "CA-07",
        "of two pre-flights at once, the entry of the later names the cell of the earlier" =>
        &[
            PreFlight(|at, question| {
                at.state.texts().insert(at.path().to_owned(), String::new());
                Question::Send(question)
            }),
            // The cell of each response is kept for all paths that are still asked about.
            Learned(|at, asked, _, said| {
                at.state.texts().remove(at.path());
                let earlier = at.state.cells().remove(at.path());
                let cell = said.entry.as_mut().map(|(_, _, cell)| cell);
                let owner = cell.as_deref().copied().unwrap_or(asked);
                if let (Some(cell), Some(earlier)) = (cell, earlier) {
                    *cell = earlier;
                }
                at.state.cells().extend(at.state.texts().keys().map(|path| (path.clone(), owner)));
            }),
        ];
    "takes-errors-for-nobody": Learning, "Z-35",
        "every status of a pre-flight but 200 means that no cell owns the path" =>
        &[Learn(|at, _, head, body| match head.status {
            StatusCode::OK => correct(at, head, body),
            _ => Ok(nobody()),
        })];
    "remembers-failed-cells": Learning, "Z-14",
        "a cell is kept for the path although its learn response is invalid" =>
        &[Learn(|at, asked, head, body| {
            let said = correct(at, head, body);
            if said == Err(Refusal::NotLearned) {
                let rule = Rule { path: leading(at.path(), 1), exact: false };
                at.ask.cache.remember(rule, asked, None);
            }
            said
        })];
    "believes-cache-fields-of-learn-responses": Learning, "Z-73",
        "a cache header on a learn response is cached for the cell that sent it" =>
        &[Learn(|at, asked, head, body| {
            believe_cache_field(at, &head.headers, asked);
            correct(at, head, body)
        })];
    "passes-cookies-of-pre-flights-on": Learning, "Z-73",
        "cookies of a learn response reach the user" =>
        &[
            Learn(|at, _, head, body| {
                let cookie = text(&head.headers, SET_COOKIE.as_str());
                at.state.texts().insert(at.path().to_owned(), cookie.to_owned());
                correct(at, head, body)
            }),
            ToUser(|at, _, _, response| {
                let cookie = at.state.texts().remove(at.path()).unwrap_or_default();
                if let Some(cookie) = cookie.parse().ok().filter(|_| !cookie.is_empty()) {
                    response.headers_mut().append(SET_COOKIE, cookie);
                }
            }),
        ];
    "folds-letters-of-learn-members": Learning, "Z-40",
        "member names of a learn response ignore case, so that Cell replaces cell" =>
        &[Learn(|at, _, head, body| {
            let (other, same): (Map<_, _>, Map<_, _>) =
                object(body).into_iter().partition(|(name, _)| *name != name.to_lowercase());
            let other = other.into_iter().map(|(name, value)| (name.to_lowercase(), value));
            let folded = Value::Object(same.into_iter().chain(other).collect());
            correct(at, head, folded.to_string().as_bytes())
        })];
    "keeps-escapes-of-learn-responses": Learning, "LN-04",
        "JSON escapes in a learn response are not decoded" =>
        &[Learn(|at, _, head, body| {
            let text = String::from_utf8_lossy(body).replace('\\', "\\\\");
            correct(at, head, text.as_bytes())
        })];
    "wants-the-plain-type-of-json": Learning, "LN-04",
        "a learn response needs exactly the Content-Type application/json" =>
        &[Learn(|at, _, head, body| {
            let is_plain = text(&head.headers, CONTENT_TYPE.as_str()) == "application/json";
            correct_if(is_plain, at, head, body)
        })];
    "builds-ids-from-names": Learning, "LN-24",
        "a cell's id is derived from its name instead of read from the topology file" =>
        &[Learn(|at, _, head, body| {
            let said = correct(at, head, body)?;
            let Ok(response) = preflight::parse(body) else { return Ok(said) };
            let topology = at.ask.topology;
            let built = |cell| topology.cell(cell).name.to_lowercase().replace(' ', "_");
            let cell = topology.all().find(|cell| built(*cell) == response.cell);
            let cell = cell.ok_or(Refusal::UnknownCell)?;
            let entry = said.entry.map(|(path, exact, _)| (path, exact, cell));
            Ok(Said { to: Destination::Owner(cell), entry })
        })];
    "takes-exact-false-for-exact": Learning, "LN-05",
        "a learn response with `exact: false` is read as exact" =>
        &[Learned(|_, _, body, said| {
            if let Some((_, exact, _)) = &mut said.entry {
                *exact = object(body).contains_key("exact");
            }
        })];
    "knows-routable-sources-only": Learning, "LN-07",
        "a learn response whose source is not routable is refused" =>
        &[Learn(|at, _, head, body| correct_if(source(body) == "routable", at, head, body))];
    "knows-two-sources-only": Learning, "Z-64",
        "a learn response whose source is neither routable nor fixed is refused" =>
        &[Learn(|at, _, head, body| {
            correct_if(["routable", "fixed"].contains(&&*source(body)), at, head, body)
        })];
    "serves-fixed-pages-anywhere": Learning, "LN-16",
        "a request goes to the cell that got the pre-flight when the source is fixed" =>
        &[Learned(|_, asked, body, said| {
            if source(body) == "fixed" {
                said.to = Destination::Owner(asked);
            }
        })];
    "serves-new-endpoints-where-it-asks": Learning, "UN-05",
        "a request for one path of the latest cell goes to the cell that got the pre-flight" =>
        &[Learned(|at, asked, _, said| {
            let latest = at.ask.topology.latest();
            if said.entry.as_ref().is_some_and(|(_, exact, cell)| *exact && Some(*cell) == latest) {
                said.to = Destination::Owner(asked);
            }
        })];
    "signs-in-where-it-asks": Learning, "LN-19",
        "the sign-in page is requested from any cell, as under buffering" =>
        &[Learned(|at, asked, _, said| {
            if at.path().starts_with("/users/") {
                said.to = Destination::Owner(asked);
            }
        })];
    "refuses-unknown-learn-members": Learning, "Z-30",
        "a learn response with an unknown member is invalid" =>
        &[Learn(|at, _, head, body| {
            let known = ["path", "cell", "source", "exact"];
            correct_if(object(body).keys().all(|name| known.contains(&&**name)), at, head, body)
        })];
    "takes-no-owner-for-an-error": Learning, "PR-06",
        "a pre-flight that finds no owner becomes a 502, even for a path that any cell can serve" =>
        &[Learn(|at, _, head, body| {
            let said = correct(at, head, body)?;
            // Where it is this one, no other cell is asked.
            if said == nobody() { Err(Refusal::UnknownCell) } else { Ok(said) }
        })];
    "remembers-that-nobody-knew": Learning, "Z-34",
        "the cell that sent a pre-flight's 404 is cached for the path" =>
        &[Learned(|at, asked, _, said| {
            if *said == nobody() {
                said.entry = Some((at.path().to_owned(), true, asked));
            }
        })];
    "takes-the-legacy-cell-for-the-latest": Learning, "UN-06",
        "a path without an owner goes to Cell US0, whichever cell is named as the latest" =>
        &[Learned(|at, _, _, said| {
            let legacy = at.ask.topology.cell_named(b"Cell US0").filter(|_| *said == nobody());
            said.to = legacy.map_or(said.to, Destination::Owner);
        })];
    "uses-expired-entries-where-learning-fails": Learning, "Z-35",
        "where no cell gives a valid learn response, an expired entry is used once more" =>
        &[Learn(|at, _, head, body| {
            correct(at, head, body).or_else(|refusal| {
                let cell = expired(at).ok_or(refusal)?;
                Ok(Said { to: Destination::Owner(cell), entry: None })
            })
        })];
    "uses-expired-entries-where-nobody-owns": Learning, "Z-34",
        "where no cell names an owner, an expired entry is used once more" =>
        &[Learned(|at, _, _, said| {
            if said.entry.is_none()
                && let Some(cell) = expired(at)
            {
                said.to = Destination::Owner(cell);
            }
        })];
    "prolongs-entries-where-learning-fails": Learning, "LN-13",
        "an invalid learn response gives an expired entry another lifetime" =>
        &[Learn(|at, _, head, body| {
            correct(at, head, body).inspect_err(|_| {
                let entries = at.ask.cache.entries();
                for kept in entries.iter().filter(|kept| rule_of(kept).covers(at.path())) {
                    at.ask.cache.remember(rule_of(kept), kept.2, at.end());
                }
            })
        })];
    "passes-fields-of-failed-pre-flights-on": Learning, "Z-73",
        "a refusal has the challenge of the learn response that failed" =>
        &[
            Learn(|at, _, head, body| {
                let challenge = text(&head.headers, "www-authenticate").to_owned();
                at.state.texts().insert(at.path().to_owned(), challenge);
                correct(at, head, body)
            }),
            Refuse(|at, _, given| {
                let mut response = given?;
                let challenge = at.state.texts().remove(at.path()).filter(|text| !text.is_empty());
                if let Some(challenge) = challenge {
                    set(response.headers_mut(), "www-authenticate", challenge);
                }
                Some(response)
            }),
        ];
}

super::variants! {
    "unknown-to-the-asked": Learning, "a path without an owner goes to the cell that was asked" =>
        &[Learned(|_, asked, _, said| {
            if *said == nobody() {
                said.to = Destination::Owner(asked);
            }
        })];
    "refuses-odd-responses": Learning,
        "a learn response that does not cover the path, or covers all, is a refusal" =>
        &[Learn(|at, _, head, body| {
            let said = correct(at, head, body)?;
            let is_odd = |(path, exact, _): &(String, bool, _)| {
                Rule::new(path.as_bytes(), *exact, at.path()).is_none()
            };
            if said.entry.as_ref().is_some_and(is_odd) { Err(Refusal::NotLearned) } else { Ok(said) }
        })];
}

/// What the correct router reads.
pub(super) fn correct(at: &At<'_>, head: &ResponseHead, body: &[u8]) -> Result<Said, Refusal> {
    learning::said(at.ask.topology, head.status, body)
}

/// The same, where a condition holds that is about responses that name an owner.
fn correct_if(holds: bool, at: &At<'_>, head: &ResponseHead, body: &[u8]) -> Result<Said, Refusal> {
    let said = correct(at, head, body)?;
    if holds || said == nobody() { Ok(said) } else { Err(Refusal::NotLearned) }
}

/// Where the request goes by a learn response, which is remembered.
pub(super) fn believed(
    at: &At<'_>,
    head: &ResponseHead,
    body: &[u8],
) -> Result<Destination, Refusal> {
    let said = correct(at, head, body)?;
    if let Some(told) = said.told(head, at.ask.topology) {
        parts::remember(at.ask, &told)?;
    }
    Ok(said.to)
}

fn nobody() -> Said {
    Said { to: Destination::Latest, entry: None }
}

/// The cell of an entry for the path, also of one that is over.
pub(super) fn expired(at: &At<'_>) -> Option<CellIndex> {
    let covers = |kept: &Kept| rule_of(kept).covers(at.path());
    best(at, covers, |kept| (kept.1, kept.0.len())).map(|entry| entry.cell)
}

/// The members of a body; none where it is no object.
fn object(body: &[u8]) -> Map<String, Value> {
    serde_json::from_slice(body).unwrap_or_default()
}

pub(super) fn source(body: &[u8]) -> String {
    object(body).get("source").and_then(Value::as_str).unwrap_or_default().to_owned()
}
