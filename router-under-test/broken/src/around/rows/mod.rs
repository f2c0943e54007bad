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
            protocols: $crate::entry::Protocols::$protocols,
            summary: $summary,
            capability: [$(Some($capability),)? None][0],
            seams: $seams,
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
            protocols: $crate::entry::Protocols::$protocols,
            summary: $summary,
            capability: [$(Some($capability),)? None][0],
            warnings: &[$($($warning),*)?],
            seams: $seams,
        }),*];
    };
}
use variants;

/// Wrong routers and correct ones that differ.
pub(crate) const TABLES: &[(&[Mutant], &[Variant])] = &[
    (again::WRONG, again::VARIANTS),
    (bodies::WRONG, bodies::VARIANTS),
    (connections::WRONG, connections::VARIANTS),
    (forget::WRONG, forget::VARIANTS),
    (learn::WRONG, learn::VARIANTS),
    (limits::WRONG, limits::VARIANTS),
    (look_up::WRONG, look_up::VARIANTS),
    (pick::WRONG, pick::VARIANTS),
    (pre_flight::WRONG, pre_flight::VARIANTS),
    (redirect::WRONG, redirect::VARIANTS),
    (refusal::WRONG, refusal::VARIANTS),
    (remember::WRONG, remember::VARIANTS),
    (request::WRONG, request::VARIANTS),
    (response::WRONG, response::VARIANTS),
    (start::WRONG, start::VARIANTS),
    (to_cells::WRONG, to_cells::VARIANTS),
    (to_users::WRONG, to_users::VARIANTS),
];

/// Routers that do not route.
pub(crate) const NULL: &[Mutant] = null::WRONG;
