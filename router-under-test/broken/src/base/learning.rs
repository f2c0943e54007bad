//! The routes-learning proposal: a pre-flight for the owner, then the request once.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, full, polled};
use crate::base::outcome::{Failure, HALF_ASKED, Refusal, Routed};
use crate::base::owner::{Way, ask_region, decide, guess};
use crate::base::pick::{self, Spelling};
use crate::base::pre_flight::Said;
use crate::base::router::Router;
use crate::base::target::Ask;
use crate::base::{beliefs, collect, flow, forward, resend, retry, routes, waiters};
use crate::kind::{Mutation, Variation};

/// Brings the request to its cell, once (LN-10).
pub(crate) async fn route(
    router: &Arc<Router>,
    asked: &Ask,
    body: Body,
) -> Result<Routed, Refusal> {
    let mut ask = asked.clone();
    if router.has(Mutation::OneSlotForAllRequests) {
        router.extra().current = Some(ask.clone());
    }
    let keeps_body = router.mutation().is_some_and(keeps_body);
    let (body, bytes) = match keeps_body {
        true => {
            let bytes = collect::read(router, body).await?;
            (full(bytes.clone()), bytes)
        }
        // The body is streamed to the cell (LN-12).
        false if router.has(Mutation::ReadsUploadsAhead) && !body.is_end_stream() => {
            (flow::ahead(body), Bytes::new())
        }
        false => (body, Bytes::new()),
    };
    let (way, body) = match router.differs(Variation::AsksWhileTheBodyArrives) {
        true => meanwhile(router, &ask, body).await?,
        false => (way(router, &beliefs::looked_up(router, &ask), &bytes).await?, body),
    };
    let Way { mut cell, known, drawn, unowned } = way;
    pick::allow(router, &ask, cell)?;
    if router.has(Mutation::OneSlotForAllRequests)
        && let Some(current) = router.extra().current.clone()
    {
        ask.target = current.target;
    }
    copies(router, &ask, &bytes, way);
    let failed = |cell: usize| move |failure: Failure| failure.refusal(cell);
    let bodiless = body.is_end_stream();
    let mut answer = retry::send(router, cell, &ask, body, &bytes).await;
    if drawn && bodiless && matches!(answer, Err(Failure::Unreachable)) {
        let others = router.config.own_cells().into_iter().filter(|other| *other != cell);
        for other in others.collect::<Vec<_>>() {
            answer = forward::send(router, other, &ask, full("")).await;
            if !matches!(answer, Err(Failure::Unreachable)) {
                cell = other;
                break;
            }
        }
    }
    let mut response = answer.map_err(failed(cell))?;
    if router.has(Mutation::CountsLifeFromTheResponse) && !known {
        routes::remember_again(router, &ask);
    }
    if router.has(Mutation::RenewsWhatExpiresInFlight) && known {
        router.cache().renew_ended(&ask, Instant::now());
    }
    if !known && beliefs::unheard(router, &ask, &response, 1, known) {
        routes::unlearn(router, &ask);
    }
    if router.has(Mutation::BouncesOnAnyStatus)
        && bodiless
        && let Some(other) = beliefs::pointed_to(router, &response)
    {
        cell = other;
        response =
            forward::send(router, cell, &ask, full(bytes.clone())).await.map_err(failed(cell))?;
    }
    if router.has(Mutation::LearnsAfterA404)
        && !known
        && response.status() == StatusCode::NOT_FOUND
        && let (_, Said::Owner(learnt)) = ask_region(router, &ask, Bytes::new()).await?
    {
        cell = pick::named(router, &learnt.cell, Spelling::Id)?;
        routes::remember_learnt(router, &ask, &learnt, cell);
        response =
            forward::send(router, cell, &ask, full(bytes.clone())).await.map_err(failed(cell))?;
    }
    if router.has(Mutation::FollowsRedirectsForTheUser) {
        response = resend::follow_for_the_user(router, cell, &ask, response).await?;
    }
    if retries(router, &ask, &response) {
        for other in (0..router.config.cells.len()).filter(|other| *other != cell) {
            let Ok(answer) = forward::send(router, other, &ask, full(bytes.clone())).await else {
                continue;
            };
            response = answer;
            if !retries(router, &ask, &response) {
                break;
            }
        }
    }
    if unowned
        && router.differs(Variation::HasAPageForUnknownPaths)
        && response.status() == StatusCode::NOT_FOUND
    {
        response = Response::new(full("There is no such page."));
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    if router.has(Mutation::SignInClearsTheCache)
        && ask.path() == "/users/sign_in"
        && ask.method == Method::POST
    {
        router.cache().clear();
    }
    Ok(Routed { response, cell, known, bounces: Vec::new() })
}

/// The mutations that need the body twice, or early.
fn keeps_body(mutation: Mutation) -> bool {
    matches!(
        mutation,
        Mutation::LearnsAfterA404
            | Mutation::MirrorsWrites
            | Mutation::SendsALateCopy
            | Mutation::HedgesReads
            | Mutation::RetriesFailedWrites
            | Mutation::AsksAroundOn404
            | Mutation::SendsTheBodyWithThePreFlight
            | Mutation::BuffersTheBody
    ) || retry::keeps_body(mutation)
}

/// The cached cell, or the one that a pre-flight names (LN-01, CA-08).
async fn way(router: &Arc<Router>, ask: &Ask, body: &Bytes) -> Result<Way, Refusal> {
    if let Some(cell) = routes::recall(router, ask) {
        return Ok(Way::known(cell));
    }
    if router.has(Mutation::TakesTheFirstCellForWebsockets) && ask.upgrade.is_some() {
        return Ok(Way::learnt(router.config.own_cells()[0]));
    }
    if router.has(Mutation::RefusesWhenFull) && router.cache().is_full() {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no room for another place"));
    }
    if let Some(cell) = guess(router, ask)? {
        return Ok(Way { drawn: true, ..Way::learnt(cell) });
    }
    if router.differs(Variation::SingleFlight) {
        return waiters::single_flight(router, ask).await;
    }
    match router.mutation() {
        Some(Mutation::TurnsWaitersAway) => return waiters::turning_away(router, ask).await,
        Some(Mutation::AbandonsThoseWhoWait) => return waiters::abandoning(router, ask).await,
        Some(Mutation::RefusesWhileLearning) => return waiters::refusing(router, ask).await,
        Some(Mutation::JoinsPreFlightsByTopLevel) => return waiters::joining(router, ask).await,
        _ => {}
    }
    let sends_body = router.has(Mutation::SendsTheBodyWithThePreFlight);
    let body = if sends_body { body.clone() } else { Bytes::new() };
    let evictions = router.cache().evictions();
    let (count, _) = router.extra().responses;
    let (first, said) = ask_region(router, ask, body).await?;
    {
        let mut extra = router.extra();
        let (now, last) = extra.responses;
        extra.crossed = Some(last).filter(|_| now > count);
    }
    let evicted = router.cache().evictions() - evictions;
    let way = decide(router, ask, first, said)?;
    if router.has(Mutation::ReusesTheEvictedKey)
        && !way.unowned
        && evicted >= router.config.max_entries
    {
        router.cache().teach_evicted(evictions, way.cell, Instant::now());
    }
    let mut extra = router.extra();
    extra.responses = (extra.responses.0 + 1, way.cell);
    Ok(way)
}

/// Reads a little of a body while the owner is asked for. Where it goes wrong, the user need not wait,
/// and what the pre-flight teaches stays.
async fn meanwhile(
    router: &Arc<Router>,
    ask: &Ask,
    mut body: Body,
) -> Result<(Way, Body), Refusal> {
    const MOST_FRAMES: usize = 8;
    /// Others may be asked for first.
    const LATER: Duration = Duration::from_millis(20);
    if body.is_end_stream() {
        return Ok((way(router, ask, &Bytes::new()).await?, body));
    }
    let (asking, asked) = (router.clone(), ask.clone());
    let way = tokio::task::spawn_local(async move {
        tokio::time::sleep(LATER).await;
        way(&asking, &asked, &Bytes::new()).await
    });
    let size = body.size_hint();
    let (mut early, mut is_read) = (VecDeque::new(), false);
    tokio::pin!(way);
    let way = loop {
        tokio::select! {
            way = &mut way => break way.map_err(|_| Refusal::bad_gateway("the question ended"))??,
            frame = body.frame(), if !is_read && early.len() < MOST_FRAMES => match frame {
                Some(Ok(frame)) => early.push_back(frame),
                Some(Err(_)) => return Err(Refusal::new(StatusCode::BAD_REQUEST, HALF_ASKED)),
                None => is_read = true,
            },
        }
    };
    let body = polled(size, move |context| match early.pop_front() {
        Some(frame) => Poll::Ready(Some(Ok(frame))),
        None if is_read => Poll::Ready(None),
        None => Pin::new(&mut body).poll_frame(context),
    });
    Ok((way, body))
}

/// The mutations that send the user's request more than once.
fn copies(router: &Arc<Router>, ask: &Ask, bytes: &Bytes, way: Way) {
    let other =
        router.config.own_cells().into_iter().find(|cell| *cell != way.cell).unwrap_or(way.cell);
    match router.mutation() {
        Some(Mutation::MirrorsWrites) if !ask.is_safe() => {
            forward::send_copy(router, other, ask, bytes, Duration::ZERO)
        }
        Some(Mutation::SendsALateCopy) => {
            forward::send_copy(router, other, ask, bytes, Duration::from_millis(30))
        }
        Some(Mutation::HedgesReads) if ask.is_safe() => {
            forward::send_copy(router, way.cell, ask, bytes, Duration::ZERO)
        }
        _ => {}
    }
}

fn retries(router: &Router, ask: &Ask, response: &Response<Body>) -> bool {
    let status = response.status();
    match router.mutation() {
        Some(Mutation::AsksAroundOn404) => status == StatusCode::NOT_FOUND,
        Some(Mutation::RetriesFailedWrites) => {
            !ask.is_safe() && (status.is_server_error() || status == StatusCode::NOT_FOUND)
        }
        _ => false,
    }
}
