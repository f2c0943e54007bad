//! The states in which a flow is run.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// What the router knows when the flow begins.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Cache {
    /// Nothing.
    Cold,
    /// Where the places of the flow are, as far as cells teach it.
    Warm,
    /// Where they were before their organization moved to another cell of its region.
    Stale,
}

/// Where the owner is.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Owner {
    /// In the region of the router.
    Home,
    /// In the other region.
    Abroad,
}

/// A state in which a flow is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct State {
    /// What the router knows.
    pub cache: Cache,
    pub owner: Owner,
}

impl State {
    /// All states: cold, warm, stale, each at home and abroad.
    pub fn all() -> impl Iterator<Item = Self> {
        Cache::VARIANTS.iter().flat_map(|cache| {
            Owner::VARIANTS.iter().map(|owner| Self { cache: *cache, owner: *owner })
        })
    }
}
