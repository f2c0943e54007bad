//! What the user's cookie tells the router, and what the router tells the cookie (CA-15).

use std::time::Instant;

use http::Response;
use http::uri::PathAndQuery;

use super::arrival::Arrival;
use crate::cache::Cache;
use crate::config::CellIndex;
use crate::cookie::{Cookies, RouteCookie};
use crate::upstream::CellBody;

/// The route cookie of one request; nothing where the second-level cache is switched off.
#[derive(Debug)]
pub(super) struct RequestCookie<'a>(Option<(&'a Cookies, RouteCookie, PathAndQuery)>);

impl<'a> RequestCookie<'a> {
    /// Takes the cookie out of the request.
    pub(super) fn take(cookies: Option<&'a Cookies>, arrival: &mut Arrival) -> Self {
        Self(
            cookies.map(|cookies| {
                (cookies, cookies.take(&mut arrival.headers), arrival.target.clone())
            }),
        )
    }

    /// The cell that it names for the path.
    pub(super) fn owner(&self) -> Option<CellIndex> {
        let (cookies, route_cookie, target) = self.0.as_ref()?;
        cookies.owner(route_cookie, target.path())
    }

    /// Gives what is known now along with the response of this cell.
    pub(super) fn give(self, cache: &Cache, cell: CellIndex, response: &mut Response<CellBody>) {
        let Some((cookies, route_cookie, target)) = self.0 else { return };
        let known = cache.entry(target.path(), Instant::now());
        let status = response.status();
        let headers = response.headers_mut();
        cookies.give(route_cookie, target.path(), known.as_ref(), cell, (status, headers));
    }
}
