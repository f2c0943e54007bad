//! How often exploration draws what: `fixtures/exploration.toml`.

use std::collections::BTreeMap;

use proptest::strategy::Just;
use serde::Deserialize;

use super::deed::{Deed, Situation};

/// The embedded file, which documents its members.
const FILE: &str = include_str!("../../fixtures/exploration.toml");

/// How often what is drawn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Weights {
    /// How often a region has so many cells: pairs of weight and number.
    pub(crate) cells_in_region: Vec<(u32, u16)>,
    /// The share of journeys with two routers.
    pub(crate) second_router: f64,
    /// The share of people with a session.
    pub(crate) signed_in: f64,
    /// The share of journeys in which a fault happens once.
    pub(crate) fault: f64,
    /// The most situations in one journey.
    pub(crate) scenes: usize,
    /// How often each situation is drawn.
    pub(crate) situations: BTreeMap<Situation, u32>,
    /// How often each deed is drawn.
    pub(crate) deeds: BTreeMap<Deed, u32>,
}

impl Weights {
    /// The weights of the embedded file.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub(crate) fn embedded() -> Self {
        toml::from_str(FILE).expect("fixtures/exploration.toml is tested")
    }

    /// All pairs with their weights.
    pub(super) fn pairs(&self) -> Vec<(u32, Just<(Situation, Deed)>)> {
        let mut pairs = Vec::new();
        for situation in Situation::ALL {
            for deed in Deed::ALL {
                let own = self.situations.get(&situation).copied().unwrap_or(0)
                    * self.deeds.get(&deed).copied().unwrap_or(0);
                if own > 0 {
                    pairs.push((own, Just((situation, deed))));
                }
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_name_every_situation_and_deed() {
        let weights = Weights::embedded();
        assert!(Situation::ALL.iter().all(|it| weights.situations.contains_key(it)));
        assert!(Deed::ALL.iter().all(|it| weights.deeds.contains_key(it)));
    }
}
