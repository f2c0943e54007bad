//! Both: the first pick, and cells of other regions.

use crate::entry::{Mutant, both, buffering, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    buffering(
        "always-asks-the-first-cell",
        "BF-11",
        Mutation::FirstCell,
        "the first cell of the region is always picked",
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
        "the first cell of the region is always picked",
    ),
    learning(
        "pre-flights-by-hash-of-the-path",
        "LN-17",
        Mutation::HashOfPath,
        "the cell of a pre-flight is a hash of the path",
    ),
    learning(
        "pre-flights-by-hash-of-the-user",
        "LN-17",
        Mutation::HashOfUser,
        "the cell of a pre-flight is a hash of the user's cookie",
    ),
    learning(
        "pre-flights-one-cell",
        "LN-17",
        Mutation::StickyPick,
        "the cell of pre-flights is picked once per process",
    ),
    both(
        "prefers-the-first-cell",
        "Z-76",
        Mutation::PrefersTheFirst,
        "the first cell of the region gets seven of eight picks",
    ),
    buffering(
        "picks-from-all-regions",
        "RG-01",
        Mutation::AllRegions,
        "the random pick is made among the cells of all regions",
    ),
    learning(
        "pre-flights-all-regions",
        "LN-17",
        Mutation::AllRegions,
        "the cell of a pre-flight is picked among all regions",
    ),
    buffering(
        "asks-the-latest-cell-first",
        "RG-01",
        Mutation::AsksLatest,
        "a request without a cache entry goes to the latest cell",
    ),
    both(
        "loads-its-own-region-only",
        "RT-06",
        Mutation::OwnRegionOnly,
        "cells of other regions are ignored",
    ),
    both(
        "sends-users-abroad",
        "RG-02",
        Mutation::SendsUserAbroad,
        "the user is redirected to a cell of another region instead of served through this router",
    ),
    buffering(
        "takes-the-latest-cell-for-unknown",
        "UN-02",
        Mutation::LatestMeansUnknown,
        "a bounce to the latest cell is read as a 404",
    ),
    learning(
        "takes-the-latest-cell-for-nobody",
        "UN-01",
        Mutation::LatestMeansUnknown,
        "a learn response that names the latest cell is read as a 404",
    ),
    both(
        "has-routes-built-in",
        "RT-02",
        Mutation::BuiltInRoutes,
        "well-known namespaces are routed by a built-in table",
    ),
    both(
        "knows-how-paths-look",
        "RT-10",
        Mutation::KnowsPathShapes,
        "a first segment with unusual characters gets a 404 of the router",
    ),
    both(
        "takes-unknown-cells-for-hosts",
        "Z-02",
        Mutation::UnknownCellIsHost,
        "the name of an unknown cell is used as a host name",
    ),
    both(
        "replaces-unknown-cells",
        "Z-02",
        Mutation::UnknownCellIsAny,
        "an unknown cell is replaced by any cell of the region",
    ),
    both(
        "needs-two-cells",
        "SC-04",
        Mutation::NeedsTwoCells,
        "requests are refused where the region has a single cell",
    ),
];
