//! What the tables have in each row: a mutant or a variant.

use crate::kind::Change;
use crate::protocol::Protocols;

/// A router with one mutation.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    /// Its name on the command line and in the kill matrix: kebab-case, unique.
    pub name: &'static str,
    /// The one requirement that it breaks, such as `BF-03`.
    pub requirement: &'static str,
    /// Where it can be seen; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// What the mutation does, in one fragment.
    pub summary: &'static str,
    /// The capability whose scenarios detect it, such as `upgrade`; the router claims it.
    pub capability: Option<&'static str>,
    pub(crate) change: Change,
}

/// A correct router that makes another choice where the documents leave one open.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    /// Its name on the command line: kebab-case, unique, also among mutants.
    pub name: &'static str,
    /// Where the choice exists; under another protocol the router exits with 69 before it listens.
    pub protocols: Protocols,
    /// The choice that it makes, in one sentence.
    pub summary: &'static str,
    /// The capability that it claims, if any.
    pub capability: Option<&'static str>,
    /// The SHOULDs that it does not follow for a reason: a warning under one of them is expected,
    /// any other is not.
    pub warnings: &'static [&'static str],
    pub(crate) change: Change,
}

/// A table of mutants. A row makes the mutant, and its switch `Mutation::Name`:
/// `Name: Protocols, "requirement", "summary";`, with `claims "capability",` before the summary if
/// the router claims one. With `is Deviation,` there it has no switch: it is that deviation.
///
/// `Name as Other` is a mutant with the switch of `Other`: one mistake that breaks another
/// requirement under the other protocol.
macro_rules! mutants {
    ($($name:ident $(as $other:ident)?: $protocols:ident, $requirement:literal,
        $(claims $capability:literal,)? $(is $deviation:expr,)? $summary:literal;)*) => {
        #[expect(non_upper_case_globals, reason = "they stand for the variants of an enum")]
        impl $crate::kind::Mutation {
            $($crate::entry::mutants!(@constant $name $($other)? $($deviation)?);)*
        }

        pub(crate) const TABLE: &[$crate::entry::Mutant] = &[$($crate::entry::Mutant {
            name: $crate::name::kebab!($name),
            requirement: $requirement,
            protocols: $crate::protocol::Protocols::$protocols,
            summary: $summary,
            capability: $crate::entry::optional!($($capability)?),
            change: $crate::entry::mutants!(@change $name $($other)? $($deviation)?),
        }),*];
    };
    (@constant $name:ident) => {
        pub(crate) const $name: Self = Self($crate::name::kebab!($name));
    };
    (@constant $name:ident $other:tt) => {};
    // Not by its constant, so that the compiler finds a switch that nobody reads.
    (@change $name:ident) => {
        $crate::kind::Change::Mutation($crate::kind::Mutation($crate::name::kebab!($name)))
    };
    (@change $name:ident $other:ident) => {
        $crate::kind::Change::Mutation($crate::kind::Mutation::$other)
    };
    (@change $name:ident $deviation:expr) => {{
        use $crate::deviation::rows::*;
        $crate::kind::Change::Deviation($deviation)
    }};
}
pub(crate) use mutants;

/// `Some` of a value, `None` of nothing.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}
pub(crate) use optional;
