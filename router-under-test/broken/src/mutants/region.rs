//! Both: whom to ask first, and cells of other regions.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "always-asks-the-first-cell",
        "BF-11",
        Mutation::FirstCell,
        "the first cell of the region is the default one",
    ),
    buffering(
        "asks-by-hash-of-the-path",
        "BF-11",
        Mutation::HashOfPath,
        "the picked cell is a hash of the path",
    ),
    buffering(
        "asks-by-hash-of-the-user",
        "BF-11",
        Mutation::HashOfUser,
        "the picked cell is a hash of the user's cookie",
    ),
    buffering(
        "sticks-to-one-cell",
        "BF-11",
        Mutation::StickyPick,
        "the cell is picked once per process",
    ),
    learning(
        "always-pre-flights-the-first-cell",
        "LN-17",
        Mutation::FirstCell,
        "the first cell of the region is the default one",
    ),
    learning(
        "pre-flights-by-hash-of-the-path",
        "LN-17",
        Mutation::HashOfPath,
        "the asked cell is a hash of the path",
    ),
    learning(
        "pre-flights-by-hash-of-the-user",
        "LN-17",
        Mutation::HashOfUser,
        "the asked cell is a hash of the user's cookie",
    ),
    learning(
        "pre-flights-one-cell",
        "LN-17",
        Mutation::StickyPick,
        "the asked cell is picked once per process",
    ),
    buffering(
        "picks-from-all-regions",
        "RG-01",
        Mutation::AllRegions,
        "the random choice is made among all cells",
    ),
    learning(
        "pre-flights-all-regions",
        "LN-17",
        Mutation::AllRegions,
        "the asked cell is drawn among all cells",
    ),
    buffering(
        "asks-the-latest-cell-first",
        "RG-01",
        Mutation::AsksLatest,
        "what is not remembered goes to the latest cell",
    ),
    both(
        "loads-its-own-region-only",
        "RT-06",
        Mutation::OwnRegionOnly,
        "cells of other regions are left out of the topology",
    ),
    both(
        "sends-users-abroad",
        "RG-02",
        Mutation::SendsUserAbroad,
        "the user is redirected to a cell of another region instead of being served through this router",
    ),
    buffering(
        "takes-the-latest-cell-for-unknown",
        "UN-02",
        Mutation::LatestMeansUnknown,
        "being sent to the latest cell is taken as a sign that the path does not exist",
    ),
    learning(
        "takes-the-latest-cell-for-nobody",
        "UN-01",
        Mutation::LatestMeansUnknown,
        "a response that names the latest cell is taken as a sign that the path does not exist",
    ),
    both(
        "has-routes-built-in",
        "RT-02",
        Mutation::BuiltInRoutes,
        "some well-known namespaces are sent to the cells of a table that was compiled in",
    ),
    both(
        "knows-how-paths-look",
        "RT-10",
        Mutation::KnowsPathShapes,
        "a first segment with other than letters, digits, dash, dot and underscore is a 404 of the router",
    ),
    both(
        "takes-unknown-cells-for-hosts",
        "Z-02",
        Mutation::UnknownCellIsHost,
        "a cell that is not in the topology is taken for the address of a new one",
    ),
    both(
        "replaces-unknown-cells",
        "Z-02",
        Mutation::UnknownCellIsAny,
        "for a cell that is not in the topology any cell of the region is taken",
    ),
    both(
        "needs-two-cells",
        "SC-04",
        Mutation::NeedsTwoCells,
        "a region with a single cell has nothing to choose from and is refused",
    ),
];
