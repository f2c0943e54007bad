//! The buffering protocol: the request itself is sent to a cell, and again to the cell that the
//! first one names.

use std::time::Instant;

use http::{HeaderMap, HeaderName, Response, StatusCode};
use http_body::Body as _;

use super::arrival::Arrival;
use super::body_budget::{no_room, reserve_stream};
use super::bookkeeping::Bookkeeping;
use super::candidates::Candidates;
use super::{CellResponse, Router};
use crate::body::{CollectError, Collected, Kept, Outgoing, Replay, Reservation, collect};
use crate::cache::Rule;
use crate::config::CellIndex;
use crate::headers::member_list::{self, Malformed};
use crate::metrics::{self, Count, CountOf};
use crate::respond::Refusal;
use crate::upstream::{CellBody, SendError, request_to_cell};
use crate::user::RequestBody;
use crate::wire;

impl Router {
    /// Sends a request to a cell, and on to those that cells name, until there is a response for
    /// the user.
    ///
    /// `hint` is a cell that may own the path; it counts where the router knows nothing itself.
    pub(super) async fn buffer_and_send(
        &self,
        arrival: Arrival,
        hint: Option<CellIndex>,
        bookkeeping: &mut Bookkeeping,
    ) -> Result<CellResponse, Refusal> {
        let Arrival { method, target, headers, body } = arrival;

        // The cache is asked first: where it names a cell, a body beyond the limit need not be
        // refused.
        let owner = self.known_owner(target.path(), hint, bookkeeping);
        let hint = hint.filter(|_| owner.is_none());
        let mut reservation = self.bodies.reservation();
        let mut body = self.keep(body, owner.or(hint).is_some(), &mut reservation).await?;
        // Slow bodies keep nobody out: a request counts from here on.
        self.admit(bookkeeping).await?;
        if hint.is_some() {
            metrics::count(Count::HintUsed);
        }

        let mut candidates = Candidates::new(self.cold_pick(), owner, hint);
        let mut hops = 0;
        loop {
            let cell = candidates.next()?;
            let Some(outgoing) = body.outgoing() else {
                return Err(self.cannot_send_again(target.path(), owner, cell));
            };
            let request =
                request_to_cell(method.clone(), target.clone(), headers.clone(), outgoing);
            let response = match self.send(cell, request, bookkeeping).await {
                Ok(response) => response,
                Err(SendError::Full(_)) => {
                    candidates.full()?;
                    continue;
                }
                Err(error @ SendError::Unsent(..)) => {
                    candidates.unreachable(cell, error.into(), body.can_be_sent_again())?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            hops += 1;

            if is_redirect(&response) {
                metrics::count_of(CountOf::Bounce, cell.index());
                let next = self.redirected_to(response.headers());
                response.into_body().discard();
                candidates.redirected_to(next?);
                if hops >= self.topology.limits.max_hops {
                    return Err(Refusal::TooManyHops);
                }
                continue;
            }

            self.remember(target.path(), response.headers(), cell);
            // What led elsewhere would do so again, where it covers less than what was said now
            // (RT-09).
            if let Some(owner) = owner.filter(|owner| *owner != cell) {
                self.cache.forget(target.path(), owner, Instant::now());
            }
            return Ok(CellResponse { cell, response });
        }
    }

    /// Keeps the body up to the limit; beyond it, the body is passed on where a cell is known
    /// (Z-20).
    async fn keep(
        &self,
        body: RequestBody,
        owner_known: bool,
        reservation: &mut Reservation,
    ) -> Result<Replay, Refusal> {
        let limit = self.topology.limits.max_buffered_body_bytes;
        // A length beyond the limit is known before the body is read.
        if body.size_hint().lower() > limit {
            if !owner_known {
                return Err(Refusal::BodyTooLarge);
            }
            reserve_stream(reservation, 0, &body)?;
            return Ok(Replay::Once(Some(Outgoing::streamed(body))));
        }
        if body.is_end_stream() {
            return Ok(Replay::Kept(Kept::Nothing));
        }
        // Apart on the heap: the many requests without a body stay small.
        match Box::pin(collect(body, limit, reservation)).await {
            Ok(Collected::Whole(kept)) => Ok(Replay::Kept(kept)),
            Ok(Collected::TooLong(kept, rest)) if owner_known => {
                reserve_stream(reservation, kept.length(), &rest)?;
                Ok(Replay::Once(Some(kept.outgoing_with(rest))))
            }
            Ok(Collected::TooLong(..)) => Err(Refusal::BodyTooLarge),
            Err(CollectError::User(error)) => {
                tracing::debug!(%error, "body of a user ended early");
                Err(Refusal::BrokenBody)
            }
            Err(CollectError::NoRoom) => Err(no_room()),
            Err(CollectError::Spool(error)) => {
                tracing::error!(%error, "cannot keep a body");
                Err(Refusal::NoRoom)
            }
        }
    }

    /// The refusal of a request that was sent on while it arrived, and that `next` should have had.
    ///
    /// The body is gone. But the cell of the entry has said that it is not the owner, and whom it
    /// takes for the owner: the entry names that cell from here on, so that the request works where
    /// the user sends it again (Z-82).
    fn cannot_send_again(&self, path: &str, owner: Option<CellIndex>, next: CellIndex) -> Refusal {
        let Some(owner) = owner else { return Refusal::BodyTooLarge };
        self.cache.correct(path, owner, next, Instant::now());
        Refusal::BodyGone
    }

    /// The cell that a redirect header names (BF-10).
    fn redirected_to(&self, headers: &HeaderMap) -> Result<CellIndex, Refusal> {
        let name =
            the_member(headers, &wire::REDIRECT_HEADER, wire::CELL_MEMBER).map_err(|error| {
                tracing::warn!(%error, "malformed redirect header");
                Refusal::MalformedRedirect
            })?;
        self.topology.cell_named(name).ok_or_else(|| {
            tracing::warn!(name = %name.escape_ascii(), "redirect header names an unknown cell");
            Refusal::UnknownCell
        })
    }

    /// Remembers what the response that the user gets says about its path (CA-03, CA-18).
    ///
    /// The cell processed the request, so a malformed header does not keep the user from the
    /// response (Z-36).
    fn remember(&self, path: &str, headers: &HeaderMap, cell: CellIndex) {
        if !headers.contains_key(wire::CACHE_HEADER) {
            return;
        }
        match the_member(headers, &wire::CACHE_HEADER, wire::PATH_PREFIX_MEMBER) {
            Ok(prefix) => match Rule::prefix(prefix, path) {
                Some(rule) => self.cache.remember(rule, cell, None),
                None => {
                    let prefix = prefix.escape_ascii();
                    tracing::warn!(%prefix, "cache header is not for this path");
                }
            },
            Err(error) => tracing::warn!(%error, "malformed cache header"),
        }
    }
}

/// Only a 302 with the redirect header is the router's (BF-03, BF-09, Z-37). Nothing else in it
/// counts: no cookie, no location, no cache header (Z-60, Z-06).
fn is_redirect(response: &Response<CellBody>) -> bool {
    response.status() == StatusCode::FOUND && response.headers().contains_key(wire::REDIRECT_HEADER)
}

/// The value of a member of a header that may occur on one line only.
fn the_member<'a>(
    headers: &'a HeaderMap,
    header: &HeaderName,
    member: &[u8],
) -> Result<&'a [u8], Malformed> {
    let mut lines = headers.get_all(header).iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => member_list::find(line.as_bytes(), member),
        (Some(_), Some(_)) => Err(Malformed::SeveralLines),
        (None, _) => Err(Malformed::Missing),
    }
}
