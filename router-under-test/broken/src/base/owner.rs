//! Who owns a path, by what the cells of the region say.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::StatusCode;

use crate::base::outcome::{Failure, Refusal};
use crate::base::pick::{self, Spelling};
use crate::base::pre_flight::{self, NoWord, Said};
use crate::base::router::Router;
use crate::base::routes;
use crate::base::target::{Ask, covers, leading};
use crate::base::wire::Learnt;
use crate::kind::{Mutation, Variation};

/// Where the request goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    pub(crate) cell: usize,
    pub(crate) known: bool,
    /// Picked among the region's cells, so that another one can replace it.
    pub(crate) drawn: bool,
    /// No cell named an owner.
    pub(crate) unowned: bool,
}

impl Way {
    /// To the cell of an entry.
    pub(crate) fn known(cell: usize) -> Self {
        Self { cell, known: true, drawn: false, unowned: false }
    }

    /// To the cell that a pre-flight named.
    pub(crate) fn learnt(cell: usize) -> Self {
        Self { known: false, ..Self::known(cell) }
    }
}

/// Asks the region, and goes by what it says.
pub(crate) async fn learn(router: &Arc<Router>, ask: &Ask) -> Result<Way, Refusal> {
    let (first, said) = ask_region(router, ask, Bytes::new()).await?;
    decide(router, ask, first, said)
}

/// Sending without a pre-flight: permitted for `/` alone.
pub(crate) fn guess(router: &Router, ask: &Ask) -> Result<Option<usize>, Refusal> {
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
pub(crate) async fn ask_region(
    router: &Arc<Router>,
    ask: &Ask,
    body: Bytes,
) -> Result<(usize, Said), Refusal> {
    if router.has(Mutation::CountsFromTheQuestion) {
        router.extra().asked_at.insert(ask.path().to_owned(), Instant::now());
    }
    let mut last = Refusal::bad_gateway("nothing responds");
    let mut cells = pick::order_of_questions(router, ask)?;
    if router.has(Mutation::AsksWithoutEnd) {
        cells = cells.repeat(10_000);
    }
    for (turn, cell) in cells.into_iter().enumerate() {
        if router.has(Mutation::AsksWithoutEnd) && turn > 1 {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        match pre_flight::ask(router, ask, cell, body.clone()).await {
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
                    routes::remember(router, ask, leading(ask.path(), 1), false, cell);
                }
                last = Refusal { cell: Some(cell), ..Refusal::bad_gateway("no usable response") };
            }
        }
        if router.differs(Variation::GivesUpAfterOneFailedPreFlight) {
            break;
        }
    }
    Err(last)
}

/// The cell that gets the request after this learn response.
pub(crate) fn decide(router: &Router, ask: &Ask, first: usize, said: Said) -> Result<Way, Refusal> {
    match said {
        Said::Owner(learnt) => {
            if router.has(Mutation::WantsItsPagesFixed)
                && ask.path() == "/dashboard"
                && learnt.source != "fixed"
            {
                return Err(Refusal::bad_gateway("the response names a guess"));
            }
            let cell = owner(router, &learnt)?;
            let remembered = match router.mutation() {
                Some(Mutation::RemembersTheFirstAsked) => first,
                Some(Mutation::CrossesLearnResponses) => router.extra().crossed.unwrap_or(cell),
                _ => cell,
            };
            routes::remember_learnt(router, ask, &learnt, remembered);
            let odd =
                ["", "/"].contains(&learnt.path.as_str()) || !covers(&learnt.path, ask.path());
            if odd && router.differs(Variation::RefusesOddResponses) {
                return Err(Refusal::bad_gateway("the response was about something else"));
            }
            let to_first = match router.mutation() {
                Some(Mutation::SendsToTheAskedCell) => true,
                Some(Mutation::ServesFixedPagesAnywhere) => learnt.source == "fixed",
                Some(Mutation::ServesNewEndpointsWhereItAsks) => {
                    learnt.exact && Some(cell) == router.config.latest
                }
                Some(Mutation::SignsInWhereItAsks) => ask.path().starts_with("/users/"),
                _ => false,
            };
            Ok(Way::learnt(if to_first { first } else { cell }))
        }
        // Nothing is cached; the cell that got the pre-flight is in the region, and it responds
        // (Z-34).
        Said::Nobody => {
            let drawn = asks_anywhere(router);
            unknown(router, ask, first).map(|cell| Way {
                drawn,
                unowned: true,
                ..Way::learnt(cell)
            })
        }
    }
}

fn owner(router: &Router, learnt: &Learnt) -> Result<usize, Refusal> {
    if router.has(Mutation::TakesUnknownCellsForHosts)
        && !router.config.cells.iter().any(|cell| cell.id == learnt.cell)
    {
        let authority = learnt.cell.parse().map_err(|_| Refusal::bad_gateway("no such host"))?;
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
        routes::remember_path(router, ask, asked);
    }
    match router.mutation() {
        Some(Mutation::TakesNoOwnerForAnError) => Err(Refusal::bad_gateway("nobody has this")),
        Some(Mutation::ServesUnknownPlacesItself) => {
            Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"))
        }
        Some(Mutation::TakesTheLegacyCellForTheLatest) => {
            let cells = &router.config.cells;
            Ok(cells.iter().position(|cell| cell.name == "Cell US0").unwrap_or(asked))
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
