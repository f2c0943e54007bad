//! The choice of a cell without a cache entry, and the lookup of cells by name.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use http::{HeaderValue, StatusCode};
use rand::seq::{IndexedRandom, SliceRandom};

use crate::base::alike;
use crate::base::deviate::changed;
use crate::base::outcome::Refusal;
use crate::base::router::Router;
use crate::base::target::{Ask, leading};
use crate::base::wire::{self, Reading};
use crate::deviation::{Element, Seam};
use crate::kind::{Mutation, Variation};

/// Which of a cell's spellings is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `Cell EU0`, in headers.
    Name,
    /// `cell_eu0`, in learn responses.
    Id,
}

/// The cells of the own region in the order of tries: a random one first, picked anew each time
/// (BF-11, LN-17, RG-01); the others only when it cannot be reached.
pub(crate) fn order(router: &Router, ask: &Ask) -> Result<Vec<usize>, Refusal> {
    let mut cells = router.config.own_cells();
    if router.has(Mutation::NeedsTwoCells) && cells.len() < 2 {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "no second cell to choose from"));
    }
    if router.has(Mutation::PicksFromAllRegions) {
        cells = (0..router.config.cells.len()).collect();
    }
    if router.has(Mutation::LeavesOutTheThirdCell) {
        cells.truncate(2);
    }
    if router.has(Mutation::ReadsAbroadAfterAWrite) {
        if !ask.is_safe() {
            router.extra().wrote = true;
        } else if router.extra().wrote {
            cells = (0..router.config.cells.len()).filter(|cell| !cells.contains(cell)).collect();
        }
    }
    cells.shuffle(&mut rand::rng());
    if let Some(first) = first(router, ask, &cells) {
        cells.retain(|cell| *cell != first);
        cells.insert(0, first);
    }
    if router.has(Mutation::LeavesTheRegionTooSoon) {
        let own = std::mem::take(&mut cells);
        let foreign = (0..router.config.cells.len()).filter(|cell| !own.contains(cell));
        cells.extend(own.first().copied().into_iter().chain(foreign));
    }
    let mut cells = changed(Seam::ColdPick, Element::Order, cells);
    let (first, count) = (cells.first().copied(), router.config.cells.len());
    let (other, _) = changed(Seam::ColdPick, Element::Cell, (first, count));
    if let Some(other) = other.filter(|other| Some(*other) != first) {
        cells.retain(|cell| *cell != other);
        cells.insert(0, other);
    }
    Ok(cells)
}

/// The cells in the order in which a pre-flight tries them. A router may leave its region for that
/// (LN-17).
pub(crate) fn order_of_questions(router: &Router, ask: &Ask) -> Result<Vec<usize>, Refusal> {
    let mut cells = order(router, ask)?;
    if router.differs(Variation::AsksTheLatestDeployment)
        && let Some(latest) = router.config.latest
    {
        cells.retain(|cell| *cell != latest);
        cells.insert(0, latest);
    }
    if router.differs(Variation::AsksAnyRegion) {
        cells = (0..router.config.cells.len()).collect();
        cells.shuffle(&mut rand::rng());
    }
    Ok(cells)
}

/// A choice of the first cell that is not random.
fn first(router: &Router, ask: &Ask, shuffled: &[usize]) -> Option<usize> {
    let own = router.config.own_cells();
    let by_number = |number: usize| own[number % own.len()];
    if router.differs(Variation::PicksByWeight) {
        let weight = |cell: &&usize| if **cell == own[0] { 1 } else { 5 };
        return shuffled.choose_weighted(&mut rand::rng(), |cell| weight(&cell)).ok().copied();
    }
    if router.differs(Variation::PicksInTurn) {
        return Some(by_number(router.round()));
    }
    match router.mutation()? {
        // Seven of eight picks are the first cell; the other cells get the eighth in turn.
        Mutation::PrefersTheFirstCell => Some(match router.round() {
            round if round % 8 == 7 => by_number(1 + round / 8 % (own.len() - 1).max(1)),
            _ => own[0],
        }),
        Mutation::AsksByHashOfThePath => Some(by_number(hash(ask.path()))),
        Mutation::AsksByHashOfTheUser => {
            let user = ["cookie", "authorization", "user-agent"].map(|name| ask.headers.get(name));
            Some(by_number(hash(format!("{user:?}"))))
        }
        Mutation::SticksToOneCell => Some(*router.extra().sticky.get_or_insert(shuffled[0])),
        Mutation::StaysWithTheLatestCell => router.extra().sticky,
        Mutation::AsksTheLatestCellFirst => router.config.latest,
        Mutation::ComputesOwnersFromIds => by_id(router, ask),
        _ => None,
    }
}

fn hash(what: impl Hash) -> usize {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    (hasher.finish() % 1_000_003) as usize
}

/// The mutation of computing the owner from a number in the path.
pub(crate) fn by_id(router: &Router, ask: &Ask) -> Option<usize> {
    let id = ask.path().strip_prefix("/api/v4/projects/")?.split('/').next()?;
    id.parse::<usize>().ok().map(|id| id % router.config.cells.len())
}

/// The mutation of a built-in table of owners.
pub(crate) fn built_in(router: &Router, ask: &Ask) -> Option<usize> {
    let id = match leading(ask.path(), 1) {
        "/gitlab-org" => "cell_us0",
        "/my-company" => "cell_eu0",
        "/not-my-company" => "cell_us1",
        _ => return None,
    };
    router.config.cells.iter().position(|cell| cell.id == id)
}

/// The cell of this name; an unknown one is a refusal (Z-02).
pub(crate) fn named(router: &Router, word: &str, spelling: Spelling) -> Result<usize, Refusal> {
    let cells = &router.config.cells;
    let swapped = router.has(Mutation::TakesHeaderCellsForIds)
        || router.has(Mutation::TakesLearntCellsForNames);
    if router.has(Mutation::BuildsIdsFromNames) && spelling == Spelling::Id {
        let built = |name: &str| name.to_ascii_lowercase().replace(' ', "_");
        return cells.iter().position(|cell| built(&cell.name) == word).ok_or_else(unknown);
    }
    let found = cells.iter().position(|cell| match (spelling == Spelling::Id) != swapped {
        _ if router.differs(Variation::ReadsCellsGenerously) => alike::is_any_spelling(cell, word),
        true => alike::is_cell(router.mutation(), &cell.id, word),
        false => alike::is_cell(router.mutation(), &cell.name, word),
    });
    if found.is_none() && router.has(Mutation::ReplacesUnknownCells) {
        let own = router.config.own_cells();
        return own.choose(&mut rand::rng()).copied().ok_or_else(unknown);
    }
    found.ok_or_else(unknown)
}

/// The cell that a redirect field names, if it is known.
pub(crate) fn named_in(router: &Router, line: &HeaderValue) -> Option<usize> {
    let name = wire::member(line.to_str().ok()?, "cell", Reading::default()).ok()?;
    named(router, &name, Spelling::Name).ok()
}

fn unknown() -> Refusal {
    Refusal::bad_gateway("the response named a place that does not exist")
}

/// Runs between the choice of a cell and the request to it; a correct router does nothing here.
pub(crate) fn allow(router: &Router, ask: &Ask, cell: usize) -> Result<(), Refusal> {
    if router.has(Mutation::SendsUsersAbroad)
        && router.config.cells[cell].region != router.config.region
    {
        let location = format!("http://{}{}", router.config.cells[cell].authority, ask.target);
        let refusal = Refusal::new(StatusCode::TEMPORARY_REDIRECT, "served elsewhere");
        return Err(Refusal { location: Some(location), ..refusal });
    }
    if router.has(Mutation::TakesTheLatestCellForUnknown) && Some(cell) == router.config.latest {
        return Err(Refusal::new(StatusCode::NOT_FOUND, "no such page"));
    }
    Ok(())
}
