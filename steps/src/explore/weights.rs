//! How often exploration draws what: `fixtures/exploration.toml`.

use std::collections::BTreeMap;

use proptest::strategy::Just;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::deed::{Deed, Situation};

/// The embedded file, which documents its members.
const FILE: &str = include_str!("../../fixtures/exploration.toml");

/// The largest weight. The weights of all pairs are added up.
const LARGEST: u32 = 1_000;
/// The most situations in one journey that may be asked for.
const MOST_SCENES: usize = 50;

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

    /// The weights of a file of one's own.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the text, and where.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let weights: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        weights.check()?;
        Ok(weights)
    }

    /// SHA-256 of the text of a file; of the embedded one if there is none.
    pub(crate) fn digest(text: Option<&str>) -> String {
        let digest = Sha256::digest(text.unwrap_or(FILE));
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Refuses numbers from which nothing can be drawn.
    fn check(&self) -> Result<(), String> {
        for (name, share) in [
            ("second-router", self.second_router),
            ("signed-in", self.signed_in),
            ("fault", self.fault),
        ] {
            if !(0.0..=1.0).contains(&share) {
                return Err(format!("{name} is a share from 0 to 1, not {share}"));
            }
        }
        for (name, weights) in [
            ("situations", self.situations.values().collect::<Vec<_>>()),
            ("deeds", self.deeds.values().collect()),
            ("cells-in-region", self.cells_in_region.iter().map(|(weight, _)| weight).collect()),
        ] {
            if weights.iter().all(|weight| **weight == 0) {
                return Err(format!("{name}: every weight is 0, so nothing can be drawn"));
            }
            if let Some(large) = weights.iter().find(|weight| ***weight > LARGEST) {
                return Err(format!("{name}: the weight {large} is greater than {LARGEST}"));
            }
        }
        let cells = self.cells_in_region.iter().map(|(_, cells)| cells);
        if let Some(cells) = cells.clone().find(|cells| !(1..=5).contains(*cells)) {
            return Err(format!("cells-in-region: a region has 1 to 5 cells, not {cells}"));
        }
        if !(1..=MOST_SCENES).contains(&self.scenes) {
            return Err(format!("scenes is from 1 to {MOST_SCENES}, not {}", self.scenes));
        }
        Ok(())
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
    fn a_file_that_cannot_be_drawn_from_is_refused() {
        assert!(Weights::parse(FILE).is_ok());
        for (from, to, why) in [
            ("scenes = 4", "scenes = 0", "scenes is from 1 to 50, not 0"),
            ("scenes = 4", "scenes = \"four\"", "expected usize"),
            ("scenes = 4", "sceens = 4", "unknown field `sceens`"),
            ("fault = 0.1", "fault = 1.5", "fault is a share from 0 to 1, not 1.5"),
            ("fault = 0.1", "fault = nan", "fault is a share"),
            ("\nvisited = 5", "\nvisitted = 5", "unknown variant `visitted`"),
            ("\nvisited = 5", "\nvisited = -5", "invalid value"),
            ("\nvisited = 5", "\nvisited = 5000", "5000 is greater than 1000"),
        ] {
            assert!(FILE.contains(from), "{from}");
            let error = Weights::parse(&FILE.replace(from, to)).unwrap_err();
            assert!(error.contains(why), "{to}: {error}");
        }
        let mut none = Weights::embedded();
        none.deeds.values_mut().for_each(|weight| *weight = 0);
        assert!(none.check().unwrap_err().contains("deeds: every weight is 0"));
        none = Weights::embedded();
        none.cells_in_region[0].1 = 6;
        assert!(none.check().unwrap_err().contains("1 to 5 cells, not 6"));
        assert_ne!(Weights::digest(None), Weights::digest(Some("")));
    }

    #[test]
    fn the_embedded_weights_name_every_situation_and_deed() {
        let weights = Weights::embedded();
        assert!(Situation::ALL.iter().all(|it| weights.situations.contains_key(it)));
        assert!(Deed::ALL.iter().all(|it| weights.deeds.contains_key(it)));
    }
}
