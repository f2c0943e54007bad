//! What several rows need.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher, Hash};

use super::prelude::*;
use super::wrong::Wrong;

/// An entry: path, whether it is exact, owner, end.
pub(crate) type Kept = (String, bool, CellIndex, Option<Instant>);

/// The best of the entries that count.
pub(crate) fn best<'a, K: Ord>(
    at: &At<'a>,
    counts: impl FnMut(&Kept) -> bool,
    rank: impl Fn(&Kept) -> K,
) -> Option<Entry<'a>> {
    let entries = at.ask.cache.entries().into_iter();
    let (_, exact, cell, expires) = entries.filter(counts).max_by_key(rank)?;
    Some(Entry { rule: Rule { path: at.path(), exact }, cell, expires })
}

/// The longest entry for which this holds, exact ones first. Those that are over do not count.
pub(crate) fn longest<'a>(
    at: &At<'a>,
    mut covers: impl FnMut(&Rule<'_>) -> bool,
) -> Option<Entry<'a>> {
    best(at, |kept| is_alive(kept) && covers(&rule_of(kept)), |kept| (kept.1, kept.0.len()))
}

pub(crate) fn is_alive(kept: &Kept) -> bool {
    kept.3.is_none_or(|end| end > Instant::now())
}

pub(crate) fn rule_of(kept: &Kept) -> Rule<'_> {
    Rule { path: &kept.0, exact: kept.1 }
}

/// What the correct router remembers of what was said.
pub(crate) fn rule<'a>(at: &At<'a>, told: &Told<'a>) -> Option<Rule<'a>> {
    Rule::new(told.path.ok()?, told.exact, at.path())
}

/// Believes the cache field among these fields, as one of this cell.
pub(crate) fn believe_cache_field(at: &At<'_>, fields: &HeaderMap, cell: CellIndex) {
    let prefix = member(fields, &wire::CACHE, wire::PATH_PREFIX_MEMBER);
    if let Some(rule) = prefix.and_then(|prefix| Rule::new(prefix, false, at.path())) {
        at.ask.cache.remember(rule, cell, at.end());
    }
}

/// The value of a member of a field, if it can be read.
pub(crate) fn member<'a>(
    fields: &'a HeaderMap,
    field: &HeaderName,
    member: &[u8],
) -> Option<&'a [u8]> {
    members::find(fields.get(field)?.as_bytes(), member).ok()
}

/// The first segments of a path.
pub(crate) fn leading(path: &str, count: usize) -> &str {
    path.match_indices('/').nth(count).map_or(path, |(end, _)| &path[..end])
}

/// The same in each run.
pub(crate) fn hash(value: impl Hash) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Sets a field; a value that cannot be one is left out.
pub(crate) fn set(headers: &mut HeaderMap, name: &'static str, value: impl AsRef<[u8]>) {
    if let Ok(value) = HeaderValue::from_bytes(value.as_ref()) {
        headers.insert(HeaderName::from_static(name), value);
    }
}

/// The text of a field; empty where there is none.
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The pairs of the Cookie fields of a request.
pub(crate) fn cookies(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).map(|pair| pair.trim().to_owned()).collect()
}

pub(crate) fn change_cookies(headers: &mut HeaderMap, change: impl Fn(&str) -> String) {
    let lines: Vec<_> = headers.get_all(SET_COOKIE).iter().cloned().collect();
    headers.remove(SET_COOKIE);
    for line in lines {
        let changed = line.to_str().ok().and_then(|line| change(line).try_into().ok());
        headers.append(SET_COOKIE, changed.unwrap_or(line));
    }
}

/// All bytes of a body; those that came, where it broke off.
pub(crate) async fn all_of(body: &mut (impl Body<Data = Bytes> + Unpin)) -> Bytes {
    let mut all = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        if let Ok(data) = frame.into_data() {
            all.extend(data);
        }
    }
    all.into()
}

/// The same request with this method, and without a body.
pub(crate) fn bare(request: &Request<Outgoing>, method: Method) -> Request<Outgoing> {
    let mut bare = Request::new(Outgoing::default());
    *bare.method_mut() = method;
    *bare.uri_mut() = request.uri().clone();
    *bare.headers_mut() = request.headers().clone();
    bare.headers_mut().remove(CONTENT_LENGTH);
    bare.headers_mut().remove(TRANSFER_ENCODING);
    bare
}

/// Asks the cell about the path ahead of the request.
pub(crate) async fn ask_before(at: &At<'_>, step: Step, learn_path: &str, cells: &Cells<Wrong>) {
    if let Ok(target) = preflight::target(learn_path, &at.note().method, at.path()) {
        let question = preflight::question(at.ask.topology.cell(step.cell), target);
        let _ = cells.send(step.cell, question).await;
    }
}

/// A response of the router's own.
pub(crate) fn page(status: u16, text: impl Into<Bytes>) -> Response<UserBody> {
    let mut response = Response::new(whole(text));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    response
}

/// Puts back the lines that have such a name, as they were before.
pub(crate) fn put_back(now: &mut HeaderMap, before: &HeaderMap, wanted: impl Fn(&str) -> bool) {
    for name in before.keys().filter(|name| wanted(name.as_str())) {
        now.remove(name);
        for line in before.get_all(name) {
            now.append(name, line.clone());
        }
    }
}
