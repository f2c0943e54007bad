//! The routes-learning proposal: a pre-flight for the owner, then the request once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Method, Response, StatusCode};
use http_body::Body as _;

use crate::base::body::full;
use crate::base::forward::Failure;
use crate::base::pick::{self, Spelling};
use crate::base::pre_flight::{self, NoWord, Said};
use crate::base::retry;
use crate::base::router::{Body, Refusal, Routed, Router};
use crate::base::target::{Ask, leading};
use crate::base::wire::Learnt;
use crate::base::{beliefs, buffering, flow, memory, resend};
use crate::kind::{Mutation, Variation};

/// Where the request goes.
#[derive(Debug, Clone, Copy)]
struct Way {
    cell: usize,
    known: bool,
    /// Picked among the region's cells, so that another one can replace it.
    drawn: bool,
    /// No cell named an owner.
    unowned: bool,
}

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
            let bytes = buffering::read(router, body).await?;
            (full(bytes.clone()), bytes)
        }
        // The body is streamed to the cell (LN-12).
        false if router.has(Mutation::ReadsUploadsAhead) && !body.is_end_stream() => {
            (flow::ahead(body), Bytes::new())
        }
        false => (body, Bytes::new()),
    };
    let way = way(router, &beliefs::looked_up(router, &ask), &bytes).await?;
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
            answer = router.send(other, &ask, full("")).await;
            if !matches!(answer, Err(Failure::Unreachable)) {
                cell = other;
                break;
            }
        }
    }
    let mut response = answer.map_err(failed(cell))?;
    if router.has(Mutation::CountsLifeFromTheResponse) && !known {
        memory::remember_again(router, &ask);
    }
    if router.has(Mutation::RenewsWhatExpiresInFlight) && known {
        router.cache().renew_ended(&ask, Instant::now());
    }
    if !known && beliefs::unheard(router, &ask, &response, 1, known) {
        memory::unlearn(router, &ask);
    }
    if router.has(Mutation::BouncesOnAnyStatus)
        && bodiless
        && let Some(other) = beliefs::pointed_to(router, &response)
    {
        cell = other;
        response = router.send(cell, &ask, full(bytes.clone())).await.map_err(failed(cell))?;
    }
    if router.has(Mutation::LearnsAfterA404)
        && !known
        && response.status() == StatusCode::NOT_FOUND
        && let (_, Said::Owner(learnt)) = ask_region(router, &ask, Bytes::new()).await?
    {
        cell = pick::named(router, &learnt.cell, Spelling::Id)?;
        memory::remember_learnt(router, &ask, &learnt, cell);
        response = router.send(cell, &ask, full(bytes.clone())).await.map_err(failed(cell))?;
    }
    if router.has(Mutation::FollowsRedirectsForTheUser) {
        response = resend::follow_for_the_user(router, cell, &ask, response).await?;
    }
    if retries(router, &ask, &response) {
        for other in (0..router.config.cells.len()).filter(|other| *other != cell) {
            let Ok(answer) = router.send(other, &ask, full(bytes.clone())).await else { continue };
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
    if let Some(cell) = memory::recall(router, ask) {
        return Ok(Way { cell, known: true, drawn: false, unowned: false });
    }
    if router.has(Mutation::TakesTheFirstCellForWebsockets) && ask.upgrade.is_some() {
        let cell = router.config.own_cells()[0];
        return Ok(Way { cell, known: false, drawn: false, unowned: false });
    }
    if router.has(Mutation::RefusesWhenFull) && router.cache().is_full() {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no room for another place"));
    }
    if let Some(cell) = guess(router, ask)? {
        return Ok(Way { cell, known: false, drawn: true, unowned: false });
    }
    if router.differs(Variation::SingleFlight) {
        return single_flight(router, ask).await;
    }
    if router.has(Mutation::TurnsWaitersAway) {
        return turning_away(router, ask).await;
    }
    if router.has(Mutation::AbandonsThoseWhoWait) {
        return abandoning(router, ask).await;
    }
    if router.has(Mutation::RefusesWhileLearning) || router.has(Mutation::JoinsPreFlightsByTopLevel)
    {
        return crowded(router, ask).await;
    }
    let body = if router.has(Mutation::SendsTheBodyWithThePreFlight) {
        body.clone()
    } else {
        Bytes::new()
    };
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

/// Sending without a pre-flight: permitted for `/` alone.
fn guess(router: &Router, ask: &Ask) -> Result<Option<usize>, Refusal> {
    let path = ask.path();
    let anywhere = match router.mutation() {
        Some(Mutation::LearnsAfterA404) => true,
        Some(Mutation::TreatsTheDashboardLikeRoot) => path == "/dashboard",
        Some(Mutation::ServesAdminAnywhere) => path == "/admin",
        Some(Mutation::ServesGraphqlAnywhere) => path.ends_with("/graphql"),
        Some(Mutation::HasRoutesBuiltIn) => return Ok(pick::built_in(router, ask)),
        Some(Mutation::ComputesOwnersFromIds) => return Ok(pick::by_id(router, ask)),
        _ => router.differs(Variation::RootWithoutPreFlight) && path == "/",
    };
    Ok(if anywhere { pick::order(router, ask)?.first().copied() } else { None })
}

/// Sends a pre-flight to a cell of the region, and to another one if the first response is invalid
/// (Z-14).
async fn ask_region(
    router: &Arc<Router>,
    ask: &Ask,
    body: Bytes,
) -> Result<(usize, Said), Refusal> {
    if router.has(Mutation::CountsFromTheQuestion) {
        router.extra().asked_at.insert(ask.path().to_owned(), Instant::now());
    }
    let mut last = Refusal::new(StatusCode::BAD_GATEWAY, "nothing responds");
    let mut cells = pick::order_of_questions(router, ask)?;
    if router.has(Mutation::AsksWithoutEnd) {
        cells = cells.repeat(10_000);
    }
    for (turn, cell) in cells.into_iter().enumerate() {
        if router.has(Mutation::AsksWithoutEnd) && turn > 1 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        match pre_flight::ask_with(router, ask, cell, body.clone()).await {
            Ok(said) => return Ok((cell, said)),
            // It got no pre-flight yet (Z-16).
            Err(NoWord::Failed(Failure::Unreachable)) => {
                last = Failure::Unreachable.refusal(cell);
                continue;
            }
            Err(NoWord::Failed(failure)) => last = failure.refusal(cell),
            Err(word @ (NoWord::Malformed | NoWord::TooLong)) => {
                let mistaken = if word == NoWord::TooLong {
                    Mutation::RemembersCellsThatSayTooMuch
                } else {
                    Mutation::RemembersFailedCells
                };
                if router.has(mistaken) {
                    memory::remember(router, ask, leading(ask.path(), 1), false, cell);
                }
                last = Refusal {
                    cell: Some(cell),
                    ..Refusal::new(StatusCode::BAD_GATEWAY, "no usable response")
                };
            }
        }
        if router.differs(Variation::GivesUpAfterOneFailedPreFlight) {
            break;
        }
    }
    Err(last)
}

/// The cell that gets the request after this learn response.
fn decide(router: &Router, ask: &Ask, first: usize, said: Said) -> Result<Way, Refusal> {
    let to = |cell| Way { cell, known: false, drawn: false, unowned: false };
    match said {
        Said::Owner(learnt) => {
            if router.has(Mutation::WantsItsPagesFixed)
                && ask.path() == "/dashboard"
                && learnt.source != "fixed"
            {
                return Err(Refusal::new(StatusCode::BAD_GATEWAY, "the response names a guess"));
            }
            let cell = owner(router, &learnt)?;
            let remembered = match router.mutation() {
                Some(Mutation::RemembersTheFirstAsked) => first,
                Some(Mutation::CrossesLearnResponses) => router.extra().crossed.unwrap_or(cell),
                _ => cell,
            };
            memory::remember_learnt(router, ask, &learnt, remembered);
            let odd = !crate::base::target::covers(&learnt.path, ask.path());
            if odd && router.differs(Variation::RefusesOddResponses) {
                return Err(Refusal::new(
                    StatusCode::BAD_GATEWAY,
                    "the response was about something else",
                ));
            }
            match router.mutation() {
                Some(Mutation::SendsToTheAskedCell) => Ok(to(first)),
                Some(Mutation::ServesFixedPagesAnywhere) if learnt.source == "fixed" => {
                    Ok(to(first))
                }
                Some(Mutation::ServesNewEndpointsWhereItAsks)
                    if learnt.exact && Some(cell) == router.config.latest =>
                {
                    Ok(to(first))
                }
                Some(Mutation::SignsInWhereItAsks) if ask.path().starts_with("/users/") => {
                    Ok(to(first))
                }
                _ => Ok(to(cell)),
            }
        }
        // Nothing is cached; the cell that got the pre-flight is in the region, and it responds
        // (Z-34).
        Said::Nobody => {
            let drawn = asks_anywhere(router);
            unknown(router, ask, first).map(|cell| Way { drawn, unowned: true, ..to(cell) })
        }
    }
}

fn owner(router: &Router, learnt: &Learnt) -> Result<usize, Refusal> {
    if router.has(Mutation::TakesUnknownCellsForHosts)
        && !router.config.cells.iter().any(|cell| cell.id == learnt.cell)
    {
        let authority = learnt
            .cell
            .parse()
            .map_err(|_| Refusal::new(StatusCode::BAD_GATEWAY, "no such host"))?;
        return Ok(router.adopt(authority));
    }
    pick::named(router, &learnt.cell, Spelling::Id)
}

/// The cell of a request without an owner.
fn unknown(router: &Router, ask: &Ask, asked: usize) -> Result<usize, Refusal> {
    let remembers = router.has(Mutation::RemembersThatNobodyKnew)
        || (router.has(Mutation::RemembersTheRoot) && ask.path() == "/")
        || (router.has(Mutation::RemembersGraphql) && ask.path() == "/api/graphql");
    if remembers {
        memory::remember_path(router, ask, asked);
    }
    match router.mutation() {
        Some(Mutation::TakesNoOwnerForAnError) => {
            Err(Refusal::new(StatusCode::BAD_GATEWAY, "nobody has this"))
        }
        Some(Mutation::ServesUnknownPlacesItself) => {
            Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"))
        }
        Some(Mutation::SendsUnknownPlacesAnywhere) => Ok(abroad(router).unwrap_or(asked)),
        // The cell that got the pre-flight may be in another region, where the request must not go.
        _ if asks_anywhere(router) => {
            Ok(pick::order(router, ask)?.first().copied().unwrap_or(asked))
        }
        _ => Ok(router
            .config
            .latest
            .filter(|_| router.differs(Variation::UnknownToTheLatest))
            .unwrap_or(asked)),
    }
}

/// Whether pre-flights leave the region.
fn asks_anywhere(router: &Router) -> bool {
    router.differs(Variation::AsksTheLatestDeployment) || router.differs(Variation::AsksAnyRegion)
}

/// A cell of another region that is not the latest.
fn abroad(router: &Router) -> Option<usize> {
    let cells = router.config.cells.iter();
    let mut positions = cells.enumerate().filter(|(_, cell)| cell.region != router.config.region);
    positions
        .find(|(position, _)| Some(*position) != router.config.latest)
        .map(|(position, _)| position)
}

/// Simultaneous misses of one path share a pre-flight: the first sends it, the others wait and look
/// again.
async fn single_flight(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = format!("{} {}", ask.method, ask.path());
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let guard = flight.lock().await;
    if let Some(cell) = memory::recall(router, ask) {
        return Ok(Way { cell, known: true, drawn: false, unowned: false });
    }
    let response = ask_region(router, ask, Bytes::new()).await;
    router.extra().flights.remove(&key);
    drop(guard);
    let (first, said) = response?;
    decide(router, ask, first, said)
}

/// The mutation of single flight whose followers are told by the first user's request alone: where
/// that one is given up, nobody tells them.
async fn abandoning(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let key = ask.path().to_owned();
    let flight = router.extra().followers.get(&key).cloned();
    if let Some(flight) = flight {
        flight.notified().await;
        if let Some(cell) = memory::recall(router, ask) {
            return Ok(Way { cell, known: true, drawn: false, unowned: false });
        }
        let (first, said) = ask_region(router, ask, Bytes::new()).await?;
        return decide(router, ask, first, said);
    }
    router.extra().followers.insert(key.clone(), Arc::default());
    let response = ask_region(router, ask, Bytes::new()).await;
    let way = response.and_then(|(first, said)| decide(router, ask, first, said));
    if let Some(flight) = router.extra().followers.remove(&key) {
        flight.notify_waiters();
    }
    way
}

/// The mutation of single flight that forgets its waiters.
async fn turning_away(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let flight = router.extra().flights.entry(ask.path().to_owned()).or_default().clone();
    let waits = flight.try_lock().is_err();
    let _guard = flight.lock().await;
    if waits {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "come again"));
    }
    let (first, said) = ask_region(router, ask, Bytes::new()).await?;
    decide(router, ask, first, said)
}

/// The mutations of requests that arrive while a pre-flight is in flight.
async fn crowded(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let joins = router.has(Mutation::JoinsPreFlightsByTopLevel);
    let key = if joins { leading(ask.path(), 1) } else { ask.path() }.to_owned();
    if !joins {
        if router.extra().learning.contains_key(&key) {
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "already being asked for"));
        }
        router.extra().learning.insert(key.clone(), 0);
        let response = ask_region(router, ask, Bytes::new()).await;
        router.extra().learning.remove(&key);
        let (first, said) = response?;
        return decide(router, ask, first, said);
    }
    let flight = router.extra().flights.entry(key.clone()).or_default().clone();
    let mut shared = flight.lock().await;
    if let Some(learnt) = shared.clone() {
        let cell = pick::named(router, &learnt.cell, Spelling::Id)?;
        return Ok(Way { cell, known: true, drawn: false, unowned: false });
    }
    let response = ask_region(router, ask, Bytes::new()).await;
    router.extra().flights.remove(&key);
    let (first, said) = response?;
    if let Said::Owner(learnt) = &said {
        *shared = Some(learnt.clone());
    }
    decide(router, ask, first, said)
}

/// The mutations that send the user's request more than once.
fn copies(router: &Arc<Router>, ask: &Ask, bytes: &Bytes, way: Way) {
    let other =
        router.config.own_cells().into_iter().find(|cell| *cell != way.cell).unwrap_or(way.cell);
    match router.mutation() {
        Some(Mutation::MirrorsWrites) if !ask.is_safe() => {
            router.send_copy(other, ask, bytes, Duration::ZERO)
        }
        Some(Mutation::SendsALateCopy) => {
            router.send_copy(other, ask, bytes, Duration::from_millis(30))
        }
        Some(Mutation::HedgesReads) if ask.is_safe() => {
            router.send_copy(way.cell, ask, bytes, Duration::ZERO)
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
