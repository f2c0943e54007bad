//! What a router sends again.

use http_body_util::Limited;

use super::learn::believed;
use crate::around::bytes::Heads;
use crate::around::prelude::*;

const FOLLOWS: &[Seam] = &[Resend(|at, step, outcome| {
    let response = outcome.ok().filter(|response| response.status() == StatusCode::FOUND)?;
    let is_internal = response.headers().contains_key(wire::REDIRECT);
    let mut request = followed(at, step, response).filter(|_| !is_internal)?;
    *request.method_mut() = Method::GET;
    Some((step.cell, Some(request)))
})];

const KNOWS_KEYS: &[Seam] = &[
    SILENT,
    // Keeps the body of a request with a key.
    ToCellLater(|at, _, request, _| {
        Box::pin(async move {
            if has_key(at) {
                let body = all_of(request.body_mut()).await;
                *at.state.bytes() = body.to_vec();
                *request.body_mut() = Outgoing::whole(body);
            }
        })
    }),
    Resend(|at, step, outcome| {
        let is_again = may_go(step) && has_key(at) && was_silent(outcome);
        is_again.then(|| {
            let body = Outgoing::whole(at.state.bytes().clone().into());
            (step.cell, Some(at.ask.arrival.to_cell(body)))
        })
    }),
];

const KNOWS_METHODS: &[Seam] = &[
    SILENT,
    Resend(|at, step, outcome| {
        again(at, step).filter(|_| at.note().method.is_idempotent() && was_silent(outcome))
    }),
];

const TRIES_FAILURES_AGAIN: &[Seam] = &[Resend(|at, step, outcome| {
    let has_failed = outcome.is_ok_and(|it| [502, 504].contains(&it.status().as_u16()));
    again(at, step).filter(|_| has_failed)
})];

super::wrong! {
    "follows-redirects-of-pre-flights": Learning, "Z-73",
        "the HTTP library follows the Location of a learn response" =>
        &[PreFlightLater(|at, cell, mut question, cells| Box::pin(async move {
            let Ok(response) = cells.send(cell, bare(&question, Method::GET)).await else {
                return Question::Send(question);
            };
            match target(&response) {
                Some(target) => *question.uri_mut() = target,
                None => return believe(at, response).await,
            }
            Question::Send(question)
        }))];
    "follows-redirects-for-the-user": Buffering, "BF-09",
        "every 302 is followed by the router, even one to another page" => FOLLOWS;
    "follows-redirects-inside": Learning, "RT-08",
        "every 302 is followed by the router, even one to another page" => FOLLOWS;
    "confirms-the-owner": Buffering, "BF-12",
        "the first response of a picked cell only confirms the owner, and the request is sent \
         again" =>
        &[Resend(|_, step, outcome| {
            let is_cold = step.sent == 0 && !step.known;
            let is_response = outcome.is_ok_and(|response| response.status() != StatusCode::FOUND);
            (is_cold && is_response).then_some((step.cell, None))
        })];
    "waits-for-dead-owners": Buffering, "Z-81",
        "an entry whose cell cannot be reached keeps its place from the new owner" =>
        &[Pick(|at, _| {
            at.ask.cache.entry(at.path()).map(|_| ColdPick::in_order(Vec::new(), Vec::new()))
        })];
    "resends-after-a-timeout": Buffering, "Z-17",
        "a request that is not idempotent is resent when it timed out" =>
        &[Resend(|at, step, outcome| {
            let is_change = !at.note().method.is_idempotent();
            let is_late = matches!(outcome, Err(SendError::TimedOut));
            (may_go(step) && is_change && is_late).then_some((step.cell, None))
        })];
    "resends-by-idempotency-key": Buffering, "Z-17",
        "a POST with an idempotency key is sent again when its connection broke before the \
         response" => KNOWS_KEYS;
    "resends-by-idempotency-key-too": Learning, "LN-10",
        "a POST with an idempotency key is sent again when its connection broke before the \
         response" => KNOWS_KEYS;
    "resends-what-is-idempotent": Buffering, "Z-52",
        "an idempotent request is sent again when its connection broke before the response" =>
        KNOWS_METHODS;
    "resends-idempotent-requests": Learning, "LN-25",
        "an idempotent request is sent again when its connection broke before the response" =>
        KNOWS_METHODS;
    "asks-around-on-404": Both, "PR-01",
        "a 404 of the owner is read as a wrong route, and the request goes to the other cells" =>
        &[Resend(|at, step, outcome| {
            let is_404 = outcome.is_ok_and(|response| response.status() == StatusCode::NOT_FOUND);
            next(at, step).filter(|_| is_404 && can_be_sent_again(at)).map(|cell| (cell, None))
        })];
    "distrusts-unclaimed-api-responses": Buffering, "TD-04",
        "an API response without a cache header is dropped, and the next cell gets the request" =>
        &[
            Resend(|at, step, outcome| {
                let is_unclaimed = outcome.is_ok_and(|response| is_unclaimed(at, response));
                next(at, step).filter(|_| is_unclaimed).map(|cell| (cell, None))
            }),
            Redirect(|at, _, response| match is_unclaimed(at, response) {
                true => Err(Refusal::TooManyHops),
                false => buffering::redirect(response, at.ask.topology),
            }),
        ];
    "resends-what-got-502": Buffering, "Z-17",
        "a cell's own 502 or 504 is taken for a failed connection, and the request is sent again" =>
        TRIES_FAILURES_AGAIN;
    "resends-what-got-504": Learning, "LN-10",
        "a cell's own 502 or 504 is taken for a failed connection, and the request is sent again" =>
        TRIES_FAILURES_AGAIN;
    "follows-307-and-308": Both, "RT-08",
        "a 307 or 308 is followed by the router, without the content" =>
        &[Resend(|at, step, outcome| {
            let response = outcome.ok().filter(|it| [307, 308].contains(&it.status().as_u16()))?;
            Some((step.cell, Some(followed(at, step, response)?)))
        })];
}

super::variants! {
    "gives-up-after-one-failed-pre-flight": Learning,
        "no other cell gets a pre-flight after one failed or timed out" =>
        &[PreFlightLater(|at, cell, question, cells| Box::pin(async move {
            match cells.send(cell, bare(&question, Method::GET)).await {
                Ok(response) => believe(at, response).await,
                // Nobody is asked yet.
                Err(SendError::Unsent { .. }) => Question::Send(question),
                Err(error) => Question::Refused(error.into()),
            }
        }))];
    "sends-a-get-again": Both, warned_of ["LN-25", "Z-52"],
        "a GET or HEAD is resent once when its connection broke before a byte of the response" =>
        &[
            SILENT,
            Resend(|at, step, outcome| {
                let is_read = [Method::GET, Method::HEAD].contains(&at.note().method);
                again(at, step).filter(|_| is_read && was_silent(outcome))
            }),
        ];
}

/// The request to where a response redirects, without its content; up to five times.
fn followed(at: &At<'_>, step: Step, response: &Response<CellBody>) -> Option<Request<Outgoing>> {
    let target = target(response).filter(|_| step.sent < 5)?;
    let mut request = at.ask.arrival.to_cell(Outgoing::default());
    *request.uri_mut() = target;
    request.headers_mut().remove(CONTENT_LENGTH);
    Some(request)
}

/// Whether the request may be sent again: once where the cell was known, else twice, because another
/// cell may have named it.
fn may_go(step: Step) -> bool {
    step.sent <= u64::from(!step.known)
}

/// Tells a response that ends in its head from one that did not begin: it is no HTTP.
const SILENT: Seam = CellBytes(|| {
    let ending = |head: Vec<u8>| if head.is_empty() { head } else { b"\0\r\n\r\n".to_vec() };
    Box::new(Heads { ending, ..Heads::default() })
});

/// Whether the connection broke before the response; see [`SILENT`].
fn was_silent(outcome: Outcome<'_>) -> bool {
    matches!(outcome, Err(SendError::Broken(error)) if !error.is_parse())
}

/// Sends it again, if it may and can be.
fn again(at: &At<'_>, step: Step) -> Again {
    (may_go(step) && can_be_sent_again(at)).then_some((step.cell, None))
}

/// Whether there is no body, or it is kept.
fn can_be_sent_again(at: &At<'_>) -> bool {
    let headers = &at.note().headers;
    let has_body = headers.contains_key(CONTENT_LENGTH) || headers.contains_key(TRANSFER_ENCODING);
    !at.is_learning() || !has_body
}

/// Whether an API response, and no redirect within the router, says nothing about its path.
fn is_unclaimed(at: &At<'_>, response: &Response<CellBody>) -> bool {
    let headers = response.headers();
    at.path().starts_with("/api/")
        && !headers.contains_key(wire::CACHE)
        && !headers.contains_key(wire::REDIRECT)
}

/// The next cell in the order of the topology, until all have had the request.
fn next(at: &At<'_>, step: Step) -> Option<CellIndex> {
    let cells = at.ask.topology.cells.len();
    let is_left = step.sent + 1 < cells as u64;
    is_left.then(|| CellIndex::nth((step.cell.index() + 1) % cells))
}

fn has_key(at: &At<'_>) -> bool {
    at.note().method == Method::POST && at.note().headers.contains_key("idempotency-key")
}

/// Where a redirect leads, on the same cell.
fn target(response: &Response<CellBody>) -> Option<Uri> {
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let target = location.parse::<Uri>().ok()?.into_parts().path_and_query?;
    Some(target.into()).filter(|_| response.status().is_redirection())
}

async fn believe(at: &At<'_>, response: Response<CellBody>) -> Question {
    let (head, body) = response.into_parts();
    let Ok(body) = Limited::new(body, 64 * 1024).collect().await else {
        return Question::Refused(Refusal::NotLearned);
    };
    believed(at, &head, &body.to_bytes()).map_or_else(Question::Refused, Question::Known)
}
