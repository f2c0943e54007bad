//! Cookies of cells that the router itself keeps. A correct one keeps none; only a mutation does
//! (Z-74).

use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderValue, Response};

use crate::base::body::Body;
use crate::base::outcome::Failure;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::kind::Mutation;

/// The mutation of an HTTP library that keeps cookies of cells and sends them with every later
/// request.
pub(crate) fn add_to(router: &Router, ask: &mut Ask) {
    if !router.has(Mutation::KeepsACookieJar) {
        return;
    }
    let own =
        ask.headers.get(COOKIE).and_then(|line| line.to_str().ok()).unwrap_or_default().to_owned();
    let known = |name: &str| own.split(';').any(|pair| pair.trim().split('=').next() == Some(name));
    let extra = router.extra();
    let kept = extra
        .jar
        .iter()
        .filter(|(name, _)| !known(name))
        .map(|(name, value)| format!("{name}={value}"));
    let pairs: Vec<String> =
        Some(own.clone()).filter(|own| !own.is_empty()).into_iter().chain(kept).collect();
    if let Ok(line) = HeaderValue::try_from(pairs.join("; "))
        && !line.is_empty()
    {
        ask.headers.insert(COOKIE, line);
    }
}

/// Keeps the cookies of a cell.
pub(crate) fn keep(router: &Router, answer: &Result<Response<Body>, Failure>) {
    let Ok(response) = answer else { return };
    if !router.has(Mutation::KeepsACookieJar) {
        return;
    }
    for line in response.headers().get_all(SET_COOKIE).iter().filter_map(|line| line.to_str().ok())
    {
        let pair = leading_pair(line);
        if let Some((name, value)) = pair.split_once('=') {
            router.extra().jar.insert(name.to_owned(), value.to_owned());
        }
    }
}

fn leading_pair(line: &str) -> &str {
    line.split(';').next().unwrap_or(line).trim()
}
