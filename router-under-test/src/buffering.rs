//! The buffering protocol: the request itself is sent to a cell, and again to the cell that the
//! first one names.

use http::{HeaderMap, HeaderName, Response, StatusCode};

use crate::body::{Replay, Upload};
use crate::cache::Rule;
use crate::cells::{CellBody, SendError};
use crate::members::{self, Malformed};
use crate::pick::ColdPick;
use crate::refusal::Refusal;
use crate::request::Arrival;
use crate::router::{CellResponse, Router};
use crate::topology::CellIndex;
use crate::wire;

impl Router {
    /// Sends a request to a cell, and on to those that cells name, until there is a response for
    /// the user.
    ///
    /// `hint` is a cell that may own the path; it counts where the router knows nothing itself.
    pub(crate) async fn buffer_and_send(
        &self,
        arrival: &Arrival,
        upload: Upload,
        hint: Option<CellIndex>,
    ) -> Result<CellResponse, Refusal> {
        // The cache is asked first: where it names a cell, a body beyond the limit need not be
        // refused.
        let path = arrival.path();
        let owner = self.cache().entry(path).map(|entry| entry.cell);
        let hint = hint.filter(|_| owner.is_none());
        let limit = self.topology().limits.max_buffered_body_bytes;
        let mut body = Replay::keep(upload, limit, self.room()).await?;
        if !body.can_be_sent_again() && owner.or(hint).is_none() {
            return Err(Refusal::BodyTooLarge);
        }
        // Slow bodies keep nobody out: a request counts from here on.
        let place = self.admit()?;

        let mut candidates = Candidates::new(ColdPick::new(self.topology()), owner, hint);
        let mut hops = 0;
        loop {
            let cell = candidates.next()?;
            let Some(outgoing) = body.outgoing() else {
                return Err(self.cannot_send_again(path, owner, cell));
            };
            let mut response = match self.cells.send(cell, arrival.to_cell(outgoing)).await {
                Ok(response) => response,
                Err(SendError::Full(_)) => {
                    candidates.full()?;
                    continue;
                }
                Err(error @ SendError::Unsent { .. }) => {
                    candidates.unreachable(cell, error.into(), body.can_be_sent_again())?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            hops += 1;

            if is_redirect(&response) {
                candidates.redirected_to(self.redirected_to(response.headers())?);
                if hops >= self.topology().limits.max_hops {
                    return Err(Refusal::TooManyHops);
                }
                continue;
            }

            self.remember(path, response.headers(), cell);
            // What led elsewhere would do so again, where it covers less than what was said now
            // (RT-09).
            if let Some(owner) = owner.filter(|owner| *owner != cell) {
                self.cache().forget(path, owner);
            }
            response.body_mut().hold(place);
            return Ok(CellResponse { cell, response });
        }
    }

    /// The refusal of a request that was sent on while it arrived, and that `next` should have had.
    ///
    /// The body is gone. But the cell of the entry has said that it is not the owner, and whom it
    /// takes for the owner: the entry names that cell from here on, so that the request works where
    /// the user sends it again (Z-82).
    fn cannot_send_again(&self, path: &str, owner: Option<CellIndex>, next: CellIndex) -> Refusal {
        let Some(owner) = owner else { return Refusal::BodyTooLarge };
        self.cache().correct(path, owner, next);
        Refusal::BodyGone
    }

    /// The cell that a redirect field names (BF-10).
    fn redirected_to(&self, headers: &HeaderMap) -> Result<CellIndex, Refusal> {
        let name = the_member(headers, &wire::REDIRECT, wire::CELL_MEMBER).map_err(|error| {
            tracing::warn!(%error, "malformed redirect field");
            Refusal::MalformedRedirect
        })?;
        self.topology().cell_named(name).ok_or_else(|| {
            tracing::warn!(name = %name.escape_ascii(), "redirect field names an unknown cell");
            Refusal::UnknownCell
        })
    }

    /// Remembers what the response that the user gets says about its path (CA-03, CA-18).
    ///
    /// The cell processed the request, so a malformed field does not keep the user from the
    /// response (Z-36).
    fn remember(&self, path: &str, headers: &HeaderMap, cell: CellIndex) {
        if !headers.contains_key(wire::CACHE) {
            return;
        }
        match the_member(headers, &wire::CACHE, wire::PATH_PREFIX_MEMBER) {
            Ok(prefix) => match Rule::prefix(prefix, path) {
                Some(rule) => self.cache().remember(rule, cell, None),
                None => {
                    let prefix = prefix.escape_ascii();
                    tracing::warn!(%prefix, "cache field is not for this path");
                }
            },
            Err(error) => tracing::warn!(%error, "malformed cache field"),
        }
    }
}

/// Only a 302 with the redirect field is the router's (BF-03, BF-09, Z-37). Nothing else in it
/// counts: no cookie, no location, no cache field (Z-60, Z-06).
fn is_redirect(response: &Response<CellBody>) -> bool {
    response.status() == StatusCode::FOUND && response.headers().contains_key(wire::REDIRECT)
}

/// The value of a member of a field that may occur on one line only.
fn the_member<'a>(
    headers: &'a HeaderMap,
    field: &HeaderName,
    member: &[u8],
) -> Result<&'a [u8], Malformed> {
    let mut lines = headers.get_all(field).iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => members::find(line.as_bytes(), member),
        (Some(_), Some(_)) => Err(Malformed::SeveralLines),
        (None, _) => Err(Malformed::Missing),
    }
}

/// The cell that is known or named, else one after the other until one can be reached.
#[derive(Debug)]
struct Candidates {
    cold: ColdPick,
    /// The cell of the entry, unless it could not be reached.
    known: Option<CellIndex>,
    /// The cell that the user's cookie names, until it was tried.
    hinted: Option<CellIndex>,
    /// The cell that the last redirect named.
    named: Option<CellIndex>,
    /// The cell of the entry, where it could not be reached, and why the request is refused if that
    /// cell is the owner after all.
    unreached: Option<(CellIndex, Refusal)>,
    /// A cell that is there and has its share keeps the request in its region.
    full: bool,
}

impl Candidates {
    /// `known` is the cell of the entry; `hinted` counts where there is none.
    fn new(cold: ColdPick, known: Option<CellIndex>, hinted: Option<CellIndex>) -> Self {
        Self { cold, known, hinted, named: None, unreached: None, full: false }
    }

    /// The cell to send the request to, or why there is none.
    fn next(&mut self) -> Result<CellIndex, Refusal> {
        let likely = self.named.or(self.known).or_else(|| self.hinted.take());
        let cell = match (likely, self.full) {
            (Some(cell), _) => cell,
            (None, true) => self.cold.next_in_region().ok_or(Refusal::CellFull)?,
            (None, false) => self.cold.next().ok_or(Refusal::NoneReachable)?,
        };
        match self.unreached {
            Some((dead, refusal)) if dead == cell => Err(refusal),
            _ => Ok(cell),
        }
    }

    /// A cell has redirected the request to this one: nobody else may serve it.
    fn redirected_to(&mut self, cell: CellIndex) {
        self.named = Some(cell);
    }

    /// The cell of [`Candidates::next`] could not be reached; an error where no other cell may be
    /// asked. `can_be_sent_again` says whether the body is still there.
    fn unreachable(
        &mut self,
        cell: CellIndex,
        why: Refusal,
        can_be_sent_again: bool,
    ) -> Result<(), Refusal> {
        match (self.named, self.known) {
            // No owner is known, so another cell may serve it (Z-16).
            (None, None) => Ok(()),
            // The entry may be older than the last move of the path. Nothing was sent, so other
            // cells can tell (Z-81).
            (None, Some(_)) if can_be_sent_again => {
                self.unreached = Some((cell, why));
                self.cold.pass_over(cell);
                self.known = None;
                Ok(())
            }
            _ => Err(why),
        }
    }

    /// The cell of [`Candidates::next`] has its share of requests; an error where it is the only one
    /// that may serve this one.
    fn full(&mut self) -> Result<(), Refusal> {
        if self.named.or(self.known).is_some() {
            return Err(Refusal::CellFull);
        }
        self.full = true;
        Ok(())
    }
}
