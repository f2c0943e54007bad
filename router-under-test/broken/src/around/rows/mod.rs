//! The tables: which name has what wrong.

mod again;
mod bodies;
mod connections;
mod forget;
mod learn;
mod limits;
mod look_up;
mod null;
mod pick;
mod pre_flight;
mod redirect;
mod refusal;
mod remember;
mod request;
mod response;
mod start;
mod to_cells;
mod to_users;

use crate::entry::{Mutant, Variant};

/// Wrong routers, one in a row: name, protocols, the requirement that it violates, perhaps a
/// capability that it claims, what is wrong, and where.
macro_rules! wrong {
    ($($name:literal: $protocols:ident, $requirement:literal,
        $(claims $capability:literal,)? $summary:literal => $seams:expr;)*) => {
        pub(crate) const WRONG: &[$crate::entry::Mutant] = &[$($crate::entry::Mutant {
            name: $name,
            requirement: $requirement,
            protocols: $crate::protocol::Protocols::$protocols,
            summary: $summary,
            capability: $crate::entry::optional!($($capability)?),
            seams: $crate::around::Seams($seams),
        }),*];
    };
}
use wrong;

/// Correct routers that differ where the documents leave a choice: `warned_of` has the SHOULDs that
/// they do not follow for a reason.
macro_rules! variants {
    ($($name:literal: $protocols:ident, $(claims $capability:literal,)?
        $(warned_of [$($warning:literal),*],)? $summary:literal => $seams:expr;)*) => {
        pub(crate) const VARIANTS: &[$crate::entry::Variant] = &[$($crate::entry::Variant {
            name: $name,
            protocols: $crate::protocol::Protocols::$protocols,
            summary: $summary,
            capability: $crate::entry::optional!($($capability)?),
            warnings: &[$($($warning),*)?],
            seams: $crate::around::Seams($seams),
        }),*];
    };
}
use variants;

/// All wrong routers, in the order in which a request meets what is wrong.
pub(crate) fn all_wrong() -> impl Iterator<Item = &'static Mutant> {
    let tables = [
        again::WRONG,
        bodies::WRONG,
        connections::WRONG,
        forget::WRONG,
        learn::WRONG,
        limits::WRONG,
        look_up::WRONG,
        pick::WRONG,
        pre_flight::WRONG,
        redirect::WRONG,
        refusal::WRONG,
        remember::WRONG,
        request::WRONG,
        response::WRONG,
        start::WRONG,
        to_cells::WRONG,
        to_users::WRONG,
    ];
    tables.into_iter().flatten()
}

/// Routers that do not route.
pub(crate) const NULL: &[Mutant] = null::WRONG;

/// All correct routers that differ.
pub(crate) fn all_variants() -> impl Iterator<Item = &'static Variant> {
    let tables = [
        again::VARIANTS,
        bodies::VARIANTS,
        connections::VARIANTS,
        forget::VARIANTS,
        learn::VARIANTS,
        limits::VARIANTS,
        look_up::VARIANTS,
        pick::VARIANTS,
        pre_flight::VARIANTS,
        redirect::VARIANTS,
        refusal::VARIANTS,
        remember::VARIANTS,
        request::VARIANTS,
        response::VARIANTS,
        start::VARIANTS,
        to_cells::VARIANTS,
        to_users::VARIANTS,
    ];
    tables.into_iter().flatten()
}
