//! The buffering protocol: the request itself is sent to a cell, and again to the cell that the
//! first one names.

use http::{HeaderMap, HeaderName, Response, StatusCode};

use crate::body::{Replay, Upload};
use crate::cells::{CellBody, SendError};
use crate::members::{self, Malformed};
use crate::parts::{Ask, Parts, Purpose, Step, Told, Why};
use crate::pick::ColdPick;
use crate::refusal::Refusal;
use crate::router::{CellResponse, Router};
use crate::topology::{CellIndex, Topology};
use crate::wire;

impl<P: Parts> Router<P> {
    /// Sends a request to a cell, and on to those that cells name, until there is a response for
    /// the user.
    ///
    /// `hint` is a cell that may own the path; it counts where the router knows nothing itself.
    pub(crate) async fn buffer_and_send(
        &self,
        ask: &Ask<'_, P::Note>,
        upload: Upload,
        hint: Option<CellIndex>,
    ) -> Result<CellResponse, Refusal> {
        // The cache is asked first: where it names a cell, a body beyond the limit need not be
        // refused.
        let owner = self.parts.look_up(ask).map(|entry| entry.cell);
        let hint = hint.filter(|_| owner.is_none());
        let limit = ask.topology.limits.max_buffered_body_bytes;
        let mut body = Replay::keep(upload, limit, &self.shared.room).await?;
        if !body.can_be_sent_again() && owner.or(hint).is_none() {
            return Err(Refusal::BodyTooLarge);
        }
        // Slow bodies keep nobody out: a request counts from here on.
        let place = self.shared.admit()?;

        let pick = || self.parts.pick(ask, Purpose::Request);
        let mut candidates = Candidates { pick, cold: None, owner, hinted: hint };
        let (mut sent, mut instead) = (0, None);
        loop {
            let cell = candidates.next()?;
            let step = Step { cell, sent, known: owner.is_some() };
            let Some(outgoing) = body.outgoing() else {
                // It was sent on while it arrived, and this cell should have had it.
                let Some(owner) = owner else { return Err(Refusal::BodyTooLarge) };
                self.parts.forget(ask, owner, Why::Streamed(cell));
                return Err(Refusal::BodyGone);
            };
            let mut request = instead.take().unwrap_or_else(|| ask.arrival.to_cell(outgoing));
            self.parts.request_to_cell(ask, step, &mut request, &self.cells).await;
            let outcome = self.cells.send(cell, request).await;
            if !matches!(outcome, Err(SendError::Unsent { .. })) {
                sent += 1;
            }
            if let Some((cell, request)) = self.parts.again(ask, step, outcome.as_ref()) {
                instead = request;
                candidates.owner = Some(cell);
                continue;
            }
            let response = match outcome {
                Ok(response) => response,
                // Where no owner is known, another cell may serve the request (Z-16). An entry may
                // be older than the last move of the path; nothing was sent, so other cells can
                // tell (Z-81).
                Err(SendError::Unsent { .. })
                    if candidates.owner.is_none() || sent == 0 && body.can_be_sent_again() =>
                {
                    candidates.pass_over(cell);
                    continue;
                }
                Err(error) => {
                    self.parts.forget(ask, cell, Why::Failed);
                    return Err(error.into());
                }
            };

            if let Some(next) = self.parts.redirect_as_read(ask, step, &response)? {
                candidates.owner = Some(next);
                if sent >= ask.topology.limits.max_hops {
                    return Err(Refusal::TooManyHops);
                }
                continue;
            }

            self.tell(ask, step, &response)?;
            match owner {
                Some(owner) if owner == cell => {
                    self.parts.forget(ask, cell, Why::Responded(&response));
                }
                Some(owner) => self.parts.forget(ask, owner, Why::Bounced(&response)),
                None => {}
            }
            return Ok(CellResponse::new(step, response, place));
        }
    }

    /// Tells what the response that the user gets says about its path (CA-03, CA-18).
    fn tell(
        &self,
        ask: &Ask<'_, P::Note>,
        step: Step,
        response: &Response<CellBody>,
    ) -> Result<(), Refusal> {
        let headers = response.headers();
        if !headers.contains_key(wire::CACHE) {
            return Ok(());
        }
        let path = the_member(headers, &wire::CACHE, wire::PATH_PREFIX_MEMBER);
        let told = Told {
            path,
            exact: false,
            cell: step.cell,
            expires: None,
            fields: headers,
            step: Some(step),
        };
        self.parts.remember(ask, &told)
    }
}

/// The cell that a redirect within the router names (BF-10).
///
/// Only a 302 with the redirect field is one (BF-03, BF-09, Z-37). Nothing else in it counts: no
/// cookie, no location, no cache field (Z-60, Z-06).
pub fn redirect<B>(
    response: &Response<B>,
    topology: &Topology,
) -> Result<Option<CellIndex>, Refusal> {
    if response.status() != StatusCode::FOUND || !response.headers().contains_key(wire::REDIRECT) {
        return Ok(None);
    }
    let name = the_member(response.headers(), &wire::REDIRECT, wire::CELL_MEMBER);
    let name = name.map_err(|error| {
        tracing::warn!(%error, "malformed redirect field");
        Refusal::MalformedRedirect
    })?;
    let cell = topology.cell_named(name).ok_or_else(|| {
        tracing::warn!(name = %name.escape_ascii(), "redirect field names an unknown cell");
        Refusal::UnknownCell
    })?;
    Ok(Some(cell))
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
        _ => Err(Malformed("the header does not occur on one line")),
    }
}

/// The cell that is known or named, else one after the other until one can be reached.
struct Candidates<F> {
    /// Draws the others, where they are needed.
    pick: F,
    /// The others, once they are drawn.
    cold: Option<ColdPick>,
    /// The cell of the entry, or the one that the last redirect named.
    owner: Option<CellIndex>,
    /// The cell that the user's cookie names, until it was tried.
    hinted: Option<CellIndex>,
}

impl<F: Fn() -> ColdPick> Candidates<F> {
    fn cold(&mut self) -> &mut ColdPick {
        self.cold.get_or_insert_with(&self.pick)
    }

    /// The cell to send the request to, or why there is none.
    fn next(&mut self) -> Result<CellIndex, Refusal> {
        match self.owner.or_else(|| self.hinted.take()) {
            Some(likely) => Ok(likely),
            None => self.cold().next().ok_or(Refusal::NoneReachable),
        }
    }

    /// The cell could not be reached, and others may be asked.
    fn pass_over(&mut self, cell: CellIndex) {
        self.owner = None;
        self.cold().pass_over(cell);
    }
}
