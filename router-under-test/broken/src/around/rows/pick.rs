//! The cells that are tried where none is known.

use rand::seq::{IndexedRandom as _, SliceRandom as _};

use crate::around::prelude::*;

const HASH: &[Seam] = &[Pick(|at, _| with_first(at, nth_own(at, hash(at.path()))))];

super::wrong! {
    "picks-from-all-regions": Buffering, "RG-01",
        "the random pick is made among the cells of all regions" => &[Pick(|at, _| {
            Some(ColdPick::in_order(shuffled(at.ask.topology.all()), Vec::new()))
        })];
    "asks-by-hash-of-the-path": Buffering, "BF-11", "the picked cell is a hash of the path" => HASH;
    "pre-flights-by-hash-of-the-path": Learning, "LN-17",
        "the cell of a pre-flight is a hash of the path" => HASH;
    "prefers-the-first-cell": Both, "Z-76",
        "the first cell of the region gets seven of eight picks" =>
        &[Pick(|at, _| {
            let round = at.state.round();
            // The others get the eighth in turn.
            let others = at.own().len().max(2) as u64 - 1;
            let place = if round % 8 == 7 { 1 + round / 8 % others } else { 0 };
            with_first(at, nth_own(at, place))
        })];
    "takes-regions-that-begin-alike": Buffering, "RG-01",
        "a cell of the region euw counts as one of eu" =>
        &[Pick(|at, _| {
            let topology = at.ask.topology;
            let begins_alike =
                |cell: &CellIndex| topology.cell(*cell).region.starts_with(&topology.region);
            let (own, others): (Vec<_>, Vec<_>) = topology.all().partition(begins_alike);
            Some(ColdPick::in_order(shuffled(own), shuffled(others)))
        })];
    "leaves-the-region-too-soon": Both, "Z-16",
        "a picked cell that cannot be reached is replaced by one of another region first" =>
        &[Pick(|at, _| {
            let (own, others) = at.ask.topology.by_region();
            let (mut own, mut others) = (shuffled(own), shuffled(others));
            others.extend(own.split_off(1));
            Some(ColdPick::in_order(own, others))
        })];
    "reads-abroad-after-a-write": Both, "Z-32",
        "reads after a write go to cells of another region first" =>
        &[Pick(|at, _| {
            let is_read = at.note().method.is_safe();
            if !is_read {
                at.state.texts().insert("write".to_owned(), at.path().to_owned());
            }
            let is_abroad = is_read && !at.state.texts().is_empty();
            let (own, others) = at.ask.topology.by_region();
            is_abroad.then(|| ColdPick::in_order(shuffled(others), own))
        })];
    "stays-with-the-latest-cell": Buffering, "UN-02",
        "after a redirect to the latest cell, that cell gets every request without an entry" =>
        &[
            Pick(|at, _| with_first(at, *at.state.cells().get("latest")?)),
            Redirected(|at, _, _, next| {
                if Some(next) == at.ask.topology.latest() {
                    at.state.cells().insert("latest".to_owned(), next);
                }
                Ok(next)
            }),
        ];
    "computes-owners-from-ids": Both, "ID-02",
        "the owner of a project is its id modulo the number of cells" =>
        &[
            Pick(|at, _| with_first(at, by_id(at)?)),
            Knows(|at| by_id(at).map(Destination::Owner)),
            Redirected(|at, _, _, next| by_id(at).map_or(Ok(next), |_| Err(Refusal::Internal))),
        ];
    "serves-graphql-anywhere": Both, "TD-05", "a path that ends in /graphql goes to any cell" =>
        &[
            Knows(|at| is_graphql(at).then_some(Destination::Anywhere)),
            Redirected(|at, _, _, next| {
                if is_graphql(at) { Err(Refusal::Internal) } else { Ok(next) }
            }),
        ];
    "needs-two-cells": Both, "SC-04", "requests are refused where the region has one cell only" =>
        &[RefuseIf(|at| (at.own().len() < 2).then_some(503))];
}

super::variants! {
    "picks-in-turn": Both, "the cells of the region are picked in turn" =>
        &[Pick(|at, purpose| {
            // Picks of one kind are counted apart, or those of the other would take every second.
            let is_known = at.ask.cache.entry(at.path()).is_some();
            let mut last = at.state.cells();
            let last = last.entry(format!("{purpose:?} {is_known}")).or_insert(CellIndex::nth(0));
            let own = at.own();
            *last = *own.iter().find(|cell| **cell > *last).unwrap_or(&own[0]);
            with_first(at, *last)
        })];
    "picks-by-weight": Both, warned_of ["Z-76"],
        "the cells of the region are picked at random, the first one less often" =>
        &[Pick(|at, _| {
            let own = at.own();
            let weight = |cell: &CellIndex| if *cell == own[0] { 1 } else { 5 };
            let picked = own.choose_weighted(&mut rand::rng(), weight);
            with_first(at, *picked.unwrap_or(&own[0]))
        })];
    "asks-the-latest-deployment": Learning, warned_of ["LN-17", "Z-16"],
        "every pre-flight goes to the latest deployment, and to a cell of the region only when \
         that one is down" =>
        &[Pick(|at, purpose| match at.ask.topology.latest() {
            Some(latest) if purpose == Purpose::PreFlight => with_first(at, latest),
            _ => None,
        })];
    "asks-any-region": Learning, warned_of ["LN-17", "Z-16"],
        "a pre-flight goes to a cell picked among all regions" =>
        &[Pick(|at, purpose| {
            let all = shuffled(at.ask.topology.all());
            (purpose == Purpose::PreFlight).then(|| ColdPick::in_order(all, Vec::new()))
        })];
}

fn shuffled(cells: impl IntoIterator<Item = CellIndex>) -> Vec<CellIndex> {
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.shuffle(&mut rand::rng());
    cells
}

/// This cell, and then the others as they should be.
fn with_first(at: &At<'_>, cell: CellIndex) -> Option<ColdPick> {
    Some(ColdPick::new(at.ask.topology).with_first(cell))
}

/// A cell of the region; after the last one comes the first again.
fn nth_own(at: &At<'_>, number: u64) -> CellIndex {
    let own = at.own();
    own[(number % own.len() as u64) as usize]
}

/// The cell of a project whose number the path has.
fn by_id(at: &At<'_>) -> Option<CellIndex> {
    let id = at.path().strip_prefix("/api/v4/projects/")?.split('/').next()?;
    let id: usize = id.parse().ok()?;
    Some(CellIndex::nth(id % at.ask.topology.cells.len()))
}

fn is_graphql(at: &At<'_>) -> bool {
    at.path().ends_with("/graphql")
}
