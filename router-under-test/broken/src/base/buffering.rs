//! The buffering proposal: send, and resend where the response says so.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode};
use http_body::Body as _;
use http_body_util::BodyExt;

use crate::base::body::{Body, BoxError, full};
use crate::base::deviate::{At, changed, deviate};
use crate::base::outcome::{Failure, Refusal, Routed};
use crate::base::pick::{self, Spelling};
use crate::base::router::Router;
use crate::base::target::{Ask, covers, leading};
use crate::base::wire::{self, CACHE, REDIRECT, Reading};
use crate::base::{beliefs, collect, forward, pre_flight, resend, retry, routes};
use crate::deviation::{Element, Seam};
use crate::kind::{Mutation, Variation};

/// Brings the request to the cell that gives the final response (BF-03, BF-11, CA-18).
pub(crate) async fn route(
    router: &Arc<Router>,
    asked: &Ask,
    body: Body,
) -> Result<Routed, Refusal> {
    let mut ask = asked.clone();
    let (candidates, known) = candidates(router, &beliefs::looked_up(router, &ask))?;
    let too_long = body.size_hint().lower() > router.config.max_body as u64;
    if known
        && too_long
        && (router.has(Mutation::KeepsTheEntryOfAnUpload)
            || router.differs(Variation::StreamsUploads))
    {
        return streamed(router, &ask, body, candidates[0]).await;
    }
    let mut body = match router.has(Mutation::CutsBodiesForKnownCells) && known {
        true => collect::start_of(body, router.config.max_body).await,
        false => collect::read(router, body).await?,
    };
    body = changed(Seam::BodyBuffer, Element::Bytes, body);
    if router.has(Mutation::AsksTheLearnEndpointToo) && !known {
        // The response has no use in this protocol.
        let _ = pre_flight::ask(router, &ask, candidates[0], Bytes::new()).await;
    }
    if router.has(Mutation::OneSlotForAllRequests) || router.has(Mutation::OneTargetForStaleEntries)
    {
        router.extra().current = Some(ask.clone());
    }
    if router.has(Mutation::OneBodyForAllRequests) {
        router.extra().current_body = body.clone();
    }
    if router.has(Mutation::RewritesForms) {
        body = resend::rewritten_form(&ask, body);
    }
    if router.has(Mutation::SendsToAllOfTheRegion) && !known {
        for cell in &candidates[1..] {
            forward::send_copy(router, *cell, &ask, &body, Duration::ZERO);
        }
    }
    if !known && let Some(probe) = resend::probe(router, &ask) {
        return probed(router, &ask, &probe, body, &candidates).await;
    }
    let mut bounces = Vec::new();
    let (mut cell, mut response, known) =
        send_first(router, &ask, &body, &candidates, known).await?;
    let first = cell;
    if router.has(Mutation::ConfirmsTheOwner) && !known && response.status() != StatusCode::FOUND {
        response = send(router, cell, &ask, &body).await?;
    }
    let mut sent = 1;
    while let Some(next) = next_cell(router, &ask, &response, sent == 1 && known)? {
        if sent == 1 && known && router.differs(Variation::DropsAnEntryThatBounced) {
            router.cache().forget_used(asked);
        }
        if router.has(Mutation::StaysWithTheLatestCell) && Some(next) == router.config.latest {
            router.extra().sticky = Some(next);
        }
        if sent == 1 && known && router.has(Mutation::DropsTheBodyOfTheMoved) {
            body = Bytes::new();
        }
        if router.has(Mutation::BelievesTheBouncingCell) {
            remember_told(router, asked, response.headers(), cell)?;
        }
        beliefs::of_bounce(router, asked, response.headers(), next);
        if !resend::follows(router, &ask) {
            break;
        }
        let counted = changed(Seam::HopCount, Element::Count, sent as u64);
        if counted >= router.config.max_hops as u64
            || (router.differs(Variation::RefusesARepeatedCell) && next == cell)
        {
            return Err(Refusal::new(StatusCode::LOOP_DETECTED, "the responses point in a circle"));
        }
        if router.has(Mutation::RemembersBounces) {
            routes::remember(router, asked, leading(asked.path(), 1), false, next);
        }
        resend::prepare(router, &mut ask, &mut body, &response)?;
        if sent == 1 && known && router.has(Mutation::OneTargetForStaleEntries) {
            ask.target = router.extra().current.clone().unwrap_or_default().target;
        }
        let (parts, _) = response.into_parts();
        bounces.push(parts);
        cell = next;
        response = send(router, cell, &ask, &body).await?;
        sent += 1;
    }
    if router.has(Mutation::TakesUnknownCellsForHosts)
        && let Some(host) = resend::host_of_unknown_cell(router, &response)
    {
        let answer = forward::send_to(router, &host, &ask, full(body.clone())).await;
        response = answer.map_err(|failure| failure.refusal(cell))?;
    }
    if router.has(Mutation::FollowsRedirectsForTheUser) {
        response = resend::follow_for_the_user(router, cell, &ask, response).await?;
    }
    response = ask_around(router, &ask, &body, cell, response).await?;
    learn_from(router, asked, &response, Steps { first, cell, known, sent })?;
    let keeps =
        router.has(Mutation::KeepsNarrowerEntries) || router.has(Mutation::CorrectsAnEntryOnce);
    if known && cell != first && !keeps {
        router.cache().forget_leading(asked, first);
    }
    if router.has(Mutation::KeepsAMemoOfPaths) && sent > 1 {
        router.extra().memo.remove(ask.path());
    }
    if router.has(Mutation::SignInClearsTheCache)
        && ask.path() == "/users/sign_in"
        && !ask.is_safe()
    {
        router.cache().clear();
    }
    Ok(Routed { response, cell, known, bounces })
}

/// The cells to try, best first, and whether the first comes from the cache.
fn candidates(router: &Router, ask: &Ask) -> Result<(Vec<usize>, bool), Refusal> {
    if let Some(cell) = routes::recall(router, ask) {
        return Ok((vec![cell], true));
    }
    if router.has(Mutation::RefusesWhenFull) && router.cache().is_full() {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no room for another place"));
    }
    if router.has(Mutation::HasRoutesBuiltIn)
        && let Some(cell) = pick::built_in(router, ask)
    {
        return Ok((vec![cell], true));
    }
    Ok((pick::order(router, ask)?, false))
}

async fn send(
    router: &Arc<Router>,
    cell: usize,
    ask: &Ask,
    body: &Bytes,
) -> Result<Response<Body>, Refusal> {
    pick::allow(router, ask, cell)?;
    retry::send(router, cell, ask, full(body.clone()), body)
        .await
        .map_err(|failure| failure.refusal(cell))
}

/// Sends a body beyond the limit to the cell of an entry while it arrives. Where that cell is not
/// the owner, the body is gone.
async fn streamed(
    router: &Arc<Router>,
    ask: &Ask,
    body: Body,
    cell: usize,
) -> Result<Routed, Refusal> {
    pick::allow(router, ask, cell)?;
    let response =
        forward::send(router, cell, ask, body).await.map_err(|failure| failure.refusal(cell))?;
    if next_cell(router, ask, &response, true)?.is_some() {
        if router.differs(Variation::StreamsUploads) {
            router.cache().forget_leading(ask, cell);
        }
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"));
    }
    learn_from(router, ask, &response, Steps { first: cell, cell, known: true, sent: 1 })?;
    Ok(Routed { response, cell, known: true, bounces: Vec::new() })
}

/// Sends the first time: a picked cell that cannot be reached is replaced by another of the region
/// (Z-16), and so is the cell of an entry, since the place may have moved (Z-81). Tells also
/// whether the cell is that of an entry.
async fn send_first(
    router: &Arc<Router>,
    ask: &Ask,
    body: &Bytes,
    candidates: &[usize],
    known: bool,
) -> Result<(usize, Response<Body>, bool), Refusal> {
    let mut last = Refusal::bad_gateway("nothing responds");
    for cell in candidates {
        if known {
            pick::allow(router, ask, *cell)?;
        }
        match retry::send(router, *cell, ask, full(body.clone()), body).await {
            Ok(response) => return Ok((*cell, response, known)),
            Err(Failure::Unreachable) => last = Failure::Unreachable.refusal(*cell),
            Err(failure) => return Err(failure.refusal(*cell)),
        }
    }
    if known && !router.has(Mutation::WaitsForDeadOwners) {
        let mut others = pick::order(router, ask)?;
        others.retain(|cell| !candidates.contains(cell));
        return Box::pin(send_first(router, ask, body, &others, false)).await;
    }
    Err(last)
}

/// The cell that the response names, if any (BF-03, BF-09, BF-10, Z-37).
fn next_cell(
    router: &Router,
    ask: &Ask,
    response: &Response<Body>,
    from_memory: bool,
) -> Result<Option<usize>, Refusal> {
    let malformed = || Refusal::bad_gateway("the response pointed nowhere");
    let status = response.status();
    let bounce = match router.mutation() {
        Some(Mutation::BouncesOnAnyStatus) => true,
        Some(Mutation::BouncesOnEveryRedirect) => status.is_redirection(),
        _ => status == StatusCode::FOUND,
    };
    if !bounce || !response.headers().contains_key(REDIRECT) {
        return Ok(None);
    }
    if (router.has(Mutation::ServesGraphqlAnywhere) && ask.path().ends_with("/graphql"))
        || (router.has(Mutation::ComputesOwnersFromIds) && pick::by_id(router, ask).is_some())
    {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "not found here"));
    }
    if router.has(Mutation::TrustsItsCache) && from_memory {
        return Err(malformed());
    }
    let line = match wire::single(response.headers(), &REDIRECT) {
        Ok(line) => line,
        Err(_) if router.has(Mutation::TakesTheFirstOfTwoRedirects) => {
            response.headers().get(REDIRECT).and_then(|line| line.to_str().ok())
        }
        Err(_) => return Err(malformed()),
    };
    let Some(line) = line else { return Err(malformed()) };
    match wire::member(line, "cell", reading(router)) {
        Ok(name) if router.has(Mutation::TakesUnknownCellsForHosts) => {
            Ok(pick::named(router, &name, Spelling::Name).ok())
        }
        Ok(name) => match deviate(Seam::RedirectField, At(Element::CellName, name)).now() {
            Some(At(_, name)) => pick::named(router, &name, Spelling::Name).map(Some),
            None => Ok(None),
        },
        Err(_) if router.has(Mutation::ShowsMalformedBounces) => Ok(None),
        Err(_) => Err(malformed()),
    }
}

fn reading(router: &Router) -> Reading {
    Reading {
        keep_blanks: router.has(Mutation::KeepsBlanksInHeaders),
        refuse_others: router.has(Mutation::RefusesUnknownHeaderMembers),
        json: router.has(Mutation::WantsJsonInHeaders),
        anywhere: router.has(Mutation::FindsHeaderMembersAnywhere),
        last_colon: router.has(Mutation::SplitsMembersAtTheLastColon),
        first_only: router.has(Mutation::ReadsTheFirstHeaderMemberOnly),
        any_case: router.differs(Variation::ReadsCellsGenerously),
    }
}

/// The cell that got the request first, the one that responded, and whether a cache entry named it.
#[derive(Clone, Copy)]
struct Steps {
    first: usize,
    cell: usize,
    known: bool,
    sent: usize,
}

/// Caches what the final response says, and nothing else (CA-03, CA-04, CA-18).
fn learn_from(
    router: &Router,
    ask: &Ask,
    response: &Response<Body>,
    steps: Steps,
) -> Result<(), Refusal> {
    let Steps { first, cell, known, .. } = steps;
    let path = ask.path();
    let untold = !response.headers().contains_key(CACHE);
    let wrongly = (router.has(Mutation::RemembersTheRoot) && path == "/")
        || (router.has(Mutation::RemembersTheDashboard) && path == "/dashboard")
        || (router.has(Mutation::LandingPagesStick) && ["/", "/dashboard"].contains(&path))
        || (router.has(Mutation::RemembersGraphql) && path == "/api/graphql");
    if wrongly && untold {
        routes::remember_path(router, ask, cell);
    }
    if router.has(Mutation::RemembersWithoutBeingTold) && untold {
        routes::remember(router, ask, leading(path, 1), false, cell);
    }
    if beliefs::unheard(router, ask, response, steps.sent, known) {
        return Ok(());
    }
    let owner = if router.has(Mutation::RemembersTheFirstAsked) { first } else { cell };
    remember_told(router, ask, response.headers(), owner)
}

/// Reads the cache header; an invalid one is ignored (Z-36).
fn remember_told(
    router: &Router,
    ask: &Ask,
    headers: &HeaderMap,
    cell: usize,
) -> Result<(), Refusal> {
    let told = wire::single(headers, &CACHE).and_then(|line| match line {
        Some(line) => wire::member(line, "path_prefix", reading(router)).map(Some),
        None => Ok(None),
    });
    let passed = |prefix| deviate(Seam::CacheField, At(Element::Prefix, prefix)).now();
    match told.map(|told| told.and_then(passed).map(|At(_, prefix)| prefix)) {
        Ok(Some(prefix)) => routes::remember(
            router,
            ask,
            &prefix,
            false,
            beliefs::claimed_owner(router, headers).unwrap_or(cell),
        ),
        Ok(None) => {}
        Err(_) if router.has(Mutation::RefusesBadCacheHeaders) => {
            return Err(Refusal::bad_gateway("the response has a malformed header"));
        }
        Err(_) if router.has(Mutation::GuessesAtBadCacheHeaders) => {
            let text = headers.get(CACHE).and_then(|line| line.to_str().ok()).unwrap_or_default();
            let guess = text.find('/').map(|at| text[at..].trim_end_matches(['}', ' ', '"']));
            let guess =
                guess.filter(|guess| covers(guess, ask.path())).unwrap_or(leading(ask.path(), 1));
            routes::remember(router, ask, guess, false, cell);
        }
        Err(_) => {}
    }
    Ok(())
}

/// Mutations that ask other cells after a final response.
async fn ask_around(
    router: &Arc<Router>,
    ask: &Ask,
    body: &Bytes,
    cell: usize,
    mut response: Response<Body>,
) -> Result<Response<Body>, Refusal> {
    let cooling_down = router.has(Mutation::DistrustsUnclaimedApiResponses)
        && ask.path().starts_with("/api/")
        && !response.headers().contains_key(CACHE);
    let missing =
        router.has(Mutation::AsksAroundOn404) && response.status() == StatusCode::NOT_FOUND;
    if cooling_down || missing {
        for other in (0..router.config.cells.len()).filter(|other| *other != cell) {
            let Ok(answer) = send(router, other, ask, body).await else { continue };
            response = answer;
            if missing && response.status() != StatusCode::NOT_FOUND {
                return Ok(response);
            }
        }
    }
    match cooling_down {
        true => Err(Refusal::new(StatusCode::LOOP_DETECTED, "nobody claims this")),
        false => Ok(response),
    }
}

/// The mutations that find the owner with less than the whole request.
async fn probed(
    router: &Arc<Router>,
    ask: &Ask,
    probe: &Ask,
    body: Bytes,
    candidates: &[usize],
) -> Result<Routed, Refusal> {
    let (first, answer, _) = send_first(router, probe, &Bytes::new(), candidates, false).await?;
    let next = next_cell(router, ask, &answer, false)?;
    let _: Result<_, BoxError> = answer.into_body().collect().await;
    let cell = next.unwrap_or(first);
    let response = send(router, cell, ask, &body).await?;
    if next_cell(router, ask, &response, false)?.is_some() {
        return Err(Refusal::bad_gateway("the owner changed its mind"));
    }
    learn_from(router, ask, &response, Steps { first, cell, known: false, sent: 1 })?;
    Ok(Routed { response, cell, known: false, bounces: Vec::new() })
}
