//! The learning protocol: a cell is asked who owns the path, and the request is sent once.

use std::time::Instant;

use http::response::Parts as ResponseHead;
use http::uri::PathAndQuery;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use crate::body::{Outgoing, Upload};
use crate::cells::{CellBody, SendError};
use crate::parts::{Ask, Parts, Purpose, Question, Step, Told, Why};
use crate::pick::ColdPick;
use crate::preflight;
use crate::refusal::Refusal;
use crate::router::{CellResponse, Router};
use crate::topology::{CellIndex, Topology};
use crate::wire;

/// Longest learn response, in bytes.
const LONGEST_RESPONSE: usize = 64 * 1024;

/// Where a request belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Owner(CellIndex),
    /// No cell names an owner: with the latest deployment, which may know more (UN-05).
    Latest,
    /// With any cell of the region.
    Anywhere,
}

/// What the response to a pre-flight says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Where the request goes.
    pub to: Destination,
    /// What is to be remembered: a path, whether it is exact, and its owner.
    pub entry: Option<(String, bool, CellIndex)>,
}

impl Said {
    /// What this response says about who owns what. The lifetime starts here, and a hit does not
    /// extend it (LN-13, Z-33).
    #[must_use]
    pub fn told<'a>(&'a self, head: &'a ResponseHead, topology: &Topology) -> Option<Told<'a>> {
        self.entry.as_ref().map(|(path, exact, owner)| Told {
            path: Ok(path.as_bytes()),
            exact: *exact,
            cell: *owner,
            expires: Instant::now().checked_add(topology.cache.ttl),
            fields: &head.headers,
            step: None,
        })
    }
}

/// Why asking one cell told nothing.
enum AskError {
    /// It was not reached; one of another region may stand in.
    Unreachable,
    /// It took no request, or its response is invalid. Another cell may do better.
    Failed(Refusal),
    /// The request cannot be served, whichever cell is asked.
    Final(Refusal),
}

impl<P: Parts> Router<P> {
    /// Sends a request once, to the cell that is known or learned to own it (LN-10).
    ///
    /// `hint` is a cell that owned the path not long ago, which saves the pre-flight.
    pub(crate) async fn learn_and_send(
        &self,
        ask: &Ask<'_, P::Note>,
        upload: Upload,
        learn_path: &str,
        hint: Option<CellIndex>,
    ) -> Result<CellResponse, Refusal> {
        let place = self.shared.admit()?;
        // The body streams: the cell sees its first bytes before the user has sent the last
        // (LN-12).
        let mut request = ask.arrival.to_cell(Outgoing::streamed(upload));
        let known = self.parts.look_up(ask).map(|entry| entry.cell);
        let destination = match known {
            Some(cell) => Destination::Owner(cell),
            // Any cell can serve `/`, and none owns it (CA-12, A-23).
            None if ask.path() == "/" => Destination::Anywhere,
            None => {
                if let Some(cell) = hint {
                    let step = Step { cell, sent: 0, known: false };
                    match self.send(ask, step, request).await {
                        Ok(response) => return CellResponse::once(step, response, place),
                        // The cell got nothing of it: it is as if there had been no hint.
                        Err(SendError::Unsent { request: unsent }) => request = *unsent,
                        Err(error) => return Err(error.into()),
                    }
                }
                self.learn(ask, learn_path).await?
            }
        };
        let pick = || self.parts.pick(ask, Purpose::Request);
        let cells = match destination {
            Destination::Owner(cell) => ColdPick::in_order(vec![cell], Vec::new()),
            Destination::Latest => match ask.topology.latest() {
                Some(latest) => pick().with_first(latest),
                None => pick(),
            },
            Destination::Anywhere => pick(),
        };
        for cell in cells {
            let step = Step { cell, sent: 0, known: known.is_some() };
            match self.send(ask, step, request).await {
                Ok(response) => return CellResponse::once(step, response, place),
                Err(SendError::Unsent { request: unsent }) => request = *unsent,
                Err(error) => return Err(error.into()),
            }
        }
        Err(Refusal::NoneReachable)
    }

    /// Sends the request to a cell.
    async fn send(
        &self,
        ask: &Ask<'_, P::Note>,
        step: Step,
        mut request: Request<Outgoing>,
    ) -> Result<Response<CellBody>, SendError> {
        self.parts.request_to_cell(ask, step, &mut request, &self.cells).await;
        let mut outcome = self.cells.send(step.cell, request).await;
        if let Some((cell, request)) = self.parts.again(ask, step, outcome.as_ref()) {
            let request = request.unwrap_or_else(|| ask.arrival.to_cell(Outgoing::default()));
            outcome = self.cells.send(cell, request).await;
        }
        if step.known {
            match &outcome {
                Ok(response) => self.parts.forget(ask, step.cell, Why::Responded(response)),
                Err(_) => self.parts.forget(ask, step.cell, Why::Failed),
            }
        }
        outcome
    }

    /// Learns where a path belongs, and remembers it; but asks for no longer than two cells may
    /// take to respond (Z-14).
    async fn learn(
        &self,
        ask: &Ask<'_, P::Note>,
        learn_path: &str,
    ) -> Result<Destination, Refusal> {
        let limits = &ask.topology.limits;
        let limit =
            limits.response_timeout.saturating_mul(2).saturating_add(limits.connect_timeout);
        // On the heap: asking is rare, and the many requests that ask nobody stay small.
        let asking = Box::pin(self.ask_cells(ask, learn_path));
        timeout(limit, asking).await.unwrap_or_else(|_| {
            tracing::warn!("no cell told in time where a request belongs");
            Err(Refusal::TooLate)
        })
    }

    /// Asks one cell after the other until one gives a response; but no third one where two have
    /// failed (Z-14).
    async fn ask_cells(
        &self,
        ask: &Ask<'_, P::Note>,
        learn_path: &str,
    ) -> Result<Destination, Refusal> {
        // Escaped, the path takes up to three times as many bytes.
        let target = preflight::target(learn_path, &ask.arrival.method, ask.path())
            .map_err(|_| Refusal::TargetTooLong)?;
        let mut cold = self.parts.pick(ask, Purpose::PreFlight);
        let mut refusal = Refusal::NoneReachable;
        let mut has_failed = false;
        loop {
            // Another region is asked only if no cell of the router's region can be reached (LN-17).
            let next = if has_failed { cold.next_in_region() } else { cold.next() };
            let Some(cell) = next else { return Err(refusal) };
            match self.ask(ask, cell, target.clone()).await {
                Ok(destination) => return Ok(destination),
                Err(AskError::Final(why)) => return Err(why),
                Err(AskError::Failed(why)) if has_failed => return Err(why),
                Err(AskError::Failed(why)) => (refusal, has_failed) = (why, true),
                Err(AskError::Unreachable) => {}
            }
        }
    }

    /// Asks one cell, and remembers what it says.
    async fn ask(
        &self,
        ask: &Ask<'_, P::Note>,
        cell: CellIndex,
        target: PathAndQuery,
    ) -> Result<Destination, AskError> {
        let request = preflight::question(ask.topology.cell(cell), target);
        let request = match self.parts.pre_flight(ask, cell, request, &self.cells).await {
            Question::Send(request) => request,
            Question::Known(destination) => return Ok(destination),
            Question::Refused(refusal) => return Err(AskError::Final(refusal)),
        };
        let response = match self.cells.send(cell, request).await {
            Ok(response) => response,
            Err(SendError::Unsent { .. }) => return Err(AskError::Unreachable),
            Err(error) => return Err(AskError::Failed(error.into())),
        };
        let (head, body) = response.into_parts();
        let body = Limited::new(body, LONGEST_RESPONSE).collect();
        let body = match timeout(ask.topology.limits.response_timeout, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) => {
                tracing::warn!(%error, "learn response is cut off or too long");
                return Err(AskError::Failed(Refusal::NotLearned));
            }
            Err(_) => return Err(AskError::Failed(Refusal::TooLate)),
        };
        let said = self.parts.learn_response_as_read(ask, cell, &head, &body);
        let said = said.map_err(|refusal| match refusal {
            Refusal::UnknownCell => AskError::Final(refusal),
            refusal => AskError::Failed(refusal),
        })?;
        if let Some(told) = said.told(&head, ask.topology) {
            self.parts.remember(ask, &told).map_err(AskError::Final)?;
        }
        Ok(said.to)
    }
}

/// What a learn response says (LN-04). A 404 is that of a cell that can name no owner, and nothing
/// is remembered (Z-34).
///
/// # Errors
///
/// The refusal of the request, if the response is invalid or names an unknown cell.
pub fn said(topology: &Topology, status: StatusCode, body: &[u8]) -> Result<Said, Refusal> {
    match status {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND => return Ok(Said { to: Destination::Latest, entry: None }),
        status => {
            tracing::warn!(%status, "pre-flight failed");
            return Err(Refusal::NotLearned);
        }
    }
    let response = preflight::parse(body).map_err(|error| {
        tracing::warn!(%error, "malformed learn response");
        Refusal::NotLearned
    })?;
    let owner = topology.cell_with_id(&response.cell).ok_or_else(|| {
        tracing::warn!(named = ?response.cell, "learn response names an unknown cell");
        Refusal::UnknownCell
    })?;
    let entry = Some((response.path, response.exact, owner));
    Ok(Said { to: Destination::Owner(owner), entry })
}

impl CellResponse {
    /// Cells that follow this protocol do not redirect internally. To follow would be to send the
    /// request twice, and what the response says is not for the user.
    fn once(
        step: Step,
        response: Response<CellBody>,
        place: OwnedSemaphorePermit,
    ) -> Result<Self, Refusal> {
        if response.status() == StatusCode::FOUND && response.headers().contains_key(wire::REDIRECT)
        {
            tracing::warn!("internal redirect although the owner was asked");
            return Err(Refusal::UnexpectedRedirect);
        }
        Ok(Self::new(step, response, place))
    }
}
