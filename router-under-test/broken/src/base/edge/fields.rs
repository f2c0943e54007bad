//! The mutations of fields, which a correct router forwards unchanged (Z-31, Z-46, Z-47).

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::kind::Mutation;

/// The longest field of a mutant with a fixed buffer.
const LONG: usize = 8 * 1024;

/// Changes the lines of each name.
pub(crate) fn rebuild(headers: &mut HeaderMap, change: impl Fn(&mut Vec<HeaderValue>)) {
    let names: Vec<HeaderName> = headers.keys().cloned().collect();
    for name in names {
        let mut lines: Vec<HeaderValue> = headers.get_all(&name).iter().cloned().collect();
        if lines.len() < 2 {
            continue;
        }
        change(&mut lines);
        headers.remove(&name);
        for line in lines {
            headers.append(name.clone(), line);
        }
    }
}

/// Joins the lines of each name; `Set-Cookie` lines stay apart, and `Cookie` lines are joined with
/// semicolons (RFC 9110 5.3).
pub(crate) fn join(headers: &mut HeaderMap, between: &str) {
    let names: Vec<HeaderName> =
        headers.keys().filter(|name| *name != SET_COOKIE).cloned().collect();
    for name in names {
        let lines: Vec<&[u8]> = headers.get_all(&name).iter().map(HeaderValue::as_bytes).collect();
        let between = if name == COOKIE { "; " } else { between };
        if let (true, Ok(line)) =
            (lines.len() > 1, HeaderValue::from_bytes(&lines.join(between.as_bytes())))
        {
            headers.insert(name, line);
        }
    }
}

fn remove(headers: &mut HeaderMap, names: &[&'static str]) {
    for name in names {
        headers.remove(*name);
    }
}

/// The mutations of request fields.
pub(crate) fn of_request(
    router: &Router,
    mutation: Mutation,
    headers: &mut HeaderMap,
) -> Result<(), Refusal> {
    match mutation {
        Mutation::DropsFieldsOfScripts => remove(headers, &["origin", "x-csrf-token"]),
        Mutation::JoinsCookieLinesByCommas => {
            let lines: Vec<&[u8]> =
                headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
            if let (true, Ok(line)) =
                (lines.len() > 1, HeaderValue::from_bytes(&lines.join(&b", "[..])))
            {
                headers.insert(COOKIE, line);
            }
        }
        Mutation::DropsExtensionFields => {
            let names = headers.keys().filter(|name| name.as_str().starts_with("x-"));
            for name in names.cloned().collect::<Vec<_>>() {
                headers.remove(name);
            }
        }
        Mutation::ScopesCookiesToTheRegion => unscope_cookies(router, headers),
        Mutation::HasSessionsOfItsOwn => return known_session(router, headers),
        Mutation::IgnoresRanges => remove(headers, &["range", "if-range"]),
        Mutation::DropsValidators => {
            remove(headers, &["if-none-match", "if-modified-since", "if-match"])
        }
        Mutation::JoinsLinesWithSemicolons => join(headers, "; "),
        Mutation::KeepsTheLastLineOfAName => {
            rebuild(headers, |lines| lines.drain(..lines.len() - 1).for_each(drop))
        }
        Mutation::ReversesLinesOfAName => rebuild(headers, |lines| lines.reverse()),
        Mutation::DropsLateFields | Mutation::DropsFieldsBeyondNinety => {
            let most = if mutation == Mutation::DropsLateFields { 50 } else { 90 };
            let first: Vec<_> = headers
                .iter()
                .take(most)
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            headers.clear();
            first.into_iter().for_each(|(name, value)| {
                headers.append(name, value);
            });
        }
        Mutation::CutsLongFields => {
            for value in headers.values_mut().filter(|value| value.len() > LONG) {
                if let Ok(short) = HeaderValue::from_bytes(&value.as_bytes()[..LONG]) {
                    *value = short;
                }
            }
        }
        Mutation::FoldsSpacesInValues => {
            for value in headers.values_mut() {
                let folded = String::from_utf8_lossy(value.as_bytes()).replace("  ", " ");
                if let Ok(folded) = HeaderValue::try_from(folded) {
                    *value = folded;
                }
            }
        }
        _ => {}
    }
    Ok(())
}

/// Removes the region from cookies that this router scoped, and drops the cookies of other routers.
fn unscope_cookies(router: &Router, headers: &mut HeaderMap) {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mark = format!("{}_", router.config.region);
    let own: Vec<&str> = lines
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(&mark))
        .collect();
    let joined = HeaderValue::try_from(own.join("; "));
    headers.remove(COOKIE);
    if let Ok(value) = joined
        && !value.is_empty()
    {
        headers.insert(COOKIE, value);
    }
}

/// The mutation of sessions of the router itself, which end with its process.
fn known_session(router: &Router, headers: &HeaderMap) -> Result<(), Refusal> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';'));
    let session = pairs.find_map(|pair| pair.trim().strip_prefix("_router_session="));
    match session {
        Some(number) if number != router.session() => {
            Err(Refusal::new(StatusCode::FORBIDDEN, "the session is not known"))
        }
        _ => Ok(()),
    }
}
