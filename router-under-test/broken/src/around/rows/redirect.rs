//! Redirects within the router, as they are read.

use super::learn::correct;
use crate::around::prelude::*;

const KNOWS_CELLS_BY_HOW_THEY_BEGIN: &[Seam] = &[
    Redirect(|at, _, response| called(at, response, |cell, word| word.starts_with(cell))),
    Learn(|at, _, head, body| learned(at, head, body, |cell, word| word.starts_with(cell))),
];

const TAKES_THE_LATEST_CELL_FOR_UNKNOWN: &[Seam] = &[
    Redirected(|at, _, _, next| {
        if Some(next) == at.ask.topology.latest() { Err(Refusal::Internal) } else { Ok(next) }
    }),
    Remember(|at, told| match at.ask.topology.latest() {
        Some(latest) if latest == told.cell && at.is_learning() => Err(Refusal::Internal),
        _ => parts::remember(at.ask, told),
    }),
];

super::wrong! {
    "passes-the-bounce-on": Buffering, "BF-03", "a 302 with the redirect field goes to the user" =>
        &[
            Redirect(|_, _, _| Ok(None)),
            ToUser(|_, _, original, response| {
                put_back(response.headers_mut(), original, |name| name == wire::REDIRECT);
            }),
        ];
    "bounces-on-any-status": Both, "Z-37",
        "the redirect field is followed whatever the status is, in learning too" =>
        &[
            Redirect(|at, _, response| read_as(at, response, with_the_status)),
            Resend(|at, step, outcome| {
                let is_first = at.is_learning() && step.sent == 0 && at.note().method.is_safe();
                let response = outcome.ok().filter(|_| is_first)?;
                Some((read_as(at, response, with_the_status).ok()??, None))
            }),
        ];
    "takes-the-first-of-two-redirects": Buffering, "Z-35",
        "of two redirect fields the first is followed instead of refusing the response" =>
        &[Redirect(|at, _, response| read_as(at, response, |copy| {
            if let Some(first) = copy.headers().get(wire::REDIRECT).cloned() {
                copy.headers_mut().insert(wire::REDIRECT, first);
            }
        }))];
    "refuses-to-resend-writes": Buffering, "BF-08",
        "a bounced request with side effects is refused" =>
        &[Redirected(|at, _, _, next| {
            if at.note().method.is_safe() { Ok(next) } else { Err(Refusal::UnexpectedRedirect) }
        })];
    "takes-fields-that-begin-alike": Buffering, "BF-09",
        "a field whose name begins like the redirect field's is read as it" =>
        &[Redirect(|at, _, response| read_as(at, response, |copy| {
            let mut fields = copy.headers().iter();
            let alike = fields.find(|(name, _)| name.as_str().starts_with(wire::REDIRECT.as_str()));
            if let Some(value) = alike.map(|(_, value)| value.clone()) {
                copy.headers_mut().insert(wire::REDIRECT, value);
            }
        }))];
    "believes-the-bouncing-cell": Buffering, "Z-06",
        "a cache field of the 302 is remembered for the cell that sent it" =>
        &[Redirected(|at, step, response, next| {
            believe_cache_field(at, response.headers(), step.cell);
            Ok(next)
        })];
    "wants-json-in-headers": Buffering, "CA-02", "the fields are read as JSON" =>
        &[
            Redirect(|at, _, response| read_as(at, response, |copy| {
                if let Some(field) = copy.headers_mut().get_mut(wire::REDIRECT) {
                    *field = in_braces(field, "cell");
                }
            })),
            Remember(|at, told| {
                let Some(field) = told.fields.get(wire::CACHE) else { return Ok(()) };
                let field = in_braces(field, "path_prefix");
                let path = members::find(field.as_bytes(), wire::PATH_PREFIX_MEMBER);
                parts::remember(at.ask, &Told { path, ..*told })
            }),
        ];
    "keeps-blanks-in-headers": Buffering, "BF-10",
        "blanks around a member and its value are read as part of them" =>
        &[Redirected(|_, _, response, next| {
            let field = text(response.headers(), wire::REDIRECT.as_str());
            let blanks = ["{ ", " :", ": ", " ,", ", ", " }"];
            let has_blanks = blanks.iter().any(|blank| field.contains(blank));
            if has_blanks { Err(Refusal::MalformedRedirect) } else { Ok(next) }
        })];
    "knows-cells-by-how-they-begin": Buffering, "BF-10",
        "Cell US11 is read as Cell US1" => KNOWS_CELLS_BY_HOW_THEY_BEGIN;
    "knows-ids-by-how-they-begin": Learning, "LN-18",
        "cell_us11 is read as cell_us1" => KNOWS_CELLS_BY_HOW_THEY_BEGIN;
    "takes-the-latest-cell-for-unknown": Buffering, "UN-02",
        "a redirect that names the latest cell is read as a 404" =>
        TAKES_THE_LATEST_CELL_FOR_UNKNOWN;
    "takes-the-latest-cell-for-nobody": Learning, "UN-01",
        "a learn response that names the latest cell is read as a 404" =>
        TAKES_THE_LATEST_CELL_FOR_UNKNOWN;
    "replaces-unknown-cells": Both, "Z-02", "an unknown cell is replaced by any of the region" =>
        &[
            Redirect(|at, _, response| match buffering::redirect(response, at.ask.topology) {
                Err(Refusal::UnknownCell) => Ok(ColdPick::new(at.ask.topology).next()),
                cell => cell,
            }),
            Learn(|at, _, head, body| match correct(at, head, body) {
                Err(Refusal::UnknownCell) => {
                    let cells = at.ask.topology;
                    let own = ColdPick::new(cells).next().map(|own| &cells.cell(own).id);
                    learned(at, head, body, |id, _| own.is_some_and(|own| own == id))
                }
                said => said,
            }),
        ];
}

super::variants! {
    "refuses-a-repeated-cell": Buffering, "a cell that bounces to itself is refused at once" =>
        &[Redirected(|_, step, _, next| {
            if next == step.cell { Err(Refusal::TooManyHops) } else { Ok(next) }
        })];
    "reads-cells-generously": Both,
        "a cell is known in any case, and with blanks, underscores or neither" =>
        &[
            Redirect(|at, _, response| called(at, response, is_alike)),
            Learn(|at, _, head, body| learned(at, head, body, is_alike)),
        ];
}

/// The cell that a redirect names, as the correct router reads it after this change.
fn read_as(
    at: &At<'_>,
    response: &Response<CellBody>,
    change: impl FnOnce(&mut Response<()>),
) -> Named {
    let mut copy = Response::new(());
    *copy.status_mut() = response.status();
    *copy.headers_mut() = response.headers().clone();
    change(&mut copy);
    buffering::redirect(&copy, at.ask.topology)
}

fn with_the_status(response: &mut Response<()>) {
    *response.status_mut() = StatusCode::FOUND;
}

/// The member of JSON in the form that the correct router reads; what is no JSON is malformed.
fn in_braces(field: &HeaderValue, member: &str) -> HeaderValue {
    let object: Value = serde_json::from_slice(field.as_bytes()).unwrap_or_default();
    let value = object[member].as_str().unwrap_or_default();
    HeaderValue::try_from(format!("{{{member}:{value}}}")).unwrap_or(HeaderValue::from_static(""))
}

/// The first cell of whose name and the word in the redirect this holds.
fn called(at: &At<'_>, response: &Response<CellBody>, is_called: fn(&str, &str) -> bool) -> Named {
    read_as(at, response, |copy| {
        let Some(field) = copy.headers_mut().get_mut(wire::REDIRECT) else { return };
        let Ok(word) = members::find(field.as_bytes(), wire::CELL_MEMBER) else { return };
        let word = String::from_utf8_lossy(word);
        let found = at.ask.topology.cells.iter().find(|cell| is_called(&cell.name, &word));
        let value = format!("{{cell:{}}}", found.map_or("", |cell| &cell.name));
        *field = HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static(""));
    })
}

/// What a learn response says if it names the first cell of whose id and its word this holds.
fn learned(
    at: &At<'_>,
    head: &ResponseHead,
    body: &[u8],
    is_called: impl Fn(&str, &str) -> bool,
) -> Result<Said, Refusal> {
    let said = correct(at, head, body);
    let mut response: Value = serde_json::from_slice(body).unwrap_or_default();
    let (Ok(Said { entry: Some(_), .. }) | Err(Refusal::UnknownCell)) = said else { return said };
    let word = response["cell"].as_str().unwrap_or_default();
    let found = at.ask.topology.cells.iter().find(|cell| is_called(&cell.id, word));
    response["cell"] = found.map_or("", |cell| &cell.id).into();
    correct(at, head, response.to_string().as_bytes())
}

/// Whether words are the same but for case, underscores and blanks.
fn is_alike(cell: &str, word: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', ' '], "");
    plain(cell) == plain(word)
}
