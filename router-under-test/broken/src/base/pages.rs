//! The mutations of a content cache, which a correct router has not (CA-17).

use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE};
use http::response::Parts;
use http::{Method, Response};

use crate::base::body::{Body, full};
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::kind::Mutation;

/// An earlier response to the same target.
pub(crate) fn stored(router: &Router, ask: &Ask) -> Option<Response<Body>> {
    if ask.method != Method::GET {
        return None;
    }
    let key = key(router, ask)?;
    let extra = router.extra();
    let (parts, bytes) = extra.pages.get(&key)?;
    Some(Response::from_parts(parts.clone(), full(bytes.clone())))
}

/// Keeps a response for `stored`.
pub(crate) fn store(router: &Router, ask: &Ask, parts: &Parts, bytes: &Bytes) {
    if ask.method == Method::GET
        && parts.status.is_success()
        && let Some(key) = key(router, ask)
    {
        router.extra().pages.insert(key, (parts.clone(), bytes.clone()));
    }
}

/// The key of a cached page: its target, and for one of the two mutations its user.
fn key(router: &Router, ask: &Ask) -> Option<String> {
    match router.mutation() {
        Some(Mutation::KeepsPages) => Some(ask.target.clone()),
        Some(Mutation::KeepsPagesForEachUser) => {
            let user = [COOKIE, AUTHORIZATION].map(|name| ask.headers.get(name));
            Some(format!("{} {user:?}", ask.target))
        }
        _ => None,
    }
}
