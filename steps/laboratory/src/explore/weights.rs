//! How often exploration draws each thing: `fixtures/exploration.toml`.

use std::collections::BTreeMap;

use proptest::strategy::Just;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use strum::VariantArray as _;

use super::deed::{Deed, Situation};
use conformance_suite::engine::hex;

/// The embedded file, which documents its members.
const FILE: &str = include_str!("../../fixtures/exploration.toml");

/// The most cells of a region, and the most situations of a journey: journeys stay short.
const MOST_CELLS: u16 = 5;
const MOST_SCENES: usize = 20;

/// How often each thing is drawn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// How many cells a region has: pairs of a weight and a number of cells.
    pub(crate) cells_in_region: Vec<(u32, u16)>,
    /// The share of journeys with two routers.
    pub(crate) second_router: f64,
    /// The share of people with a session.
    pub(crate) signed_in: f64,
    /// The share of journeys in which a fault happens once.
    pub(crate) fault: f64,
    /// The share of journeys with their own hop limit.
    pub(crate) hop_limit: f64,
    /// The share of groups and projects that are private.
    pub(crate) private: f64,
    /// The share of groups that belong to an organization.
    pub(crate) of_organization: f64,
    /// The share of projects on another cell than their group.
    pub(crate) apart: f64,
    /// The share of worlds whose cells have numbers and regions that begin alike.
    pub(crate) cells_alike: f64,
    /// The share of worlds of learning whose original cell has the id that printed responses name.
    pub(crate) printed_id: f64,
    /// The share of worlds in which a few places lie inside and next to each other.
    pub(crate) related: f64,
    /// The share of situations at the place of the one before, or at one near it.
    pub(crate) near: f64,
    /// The most situations in one journey.
    pub(crate) scenes: usize,
    /// How often each kind of place is drawn.
    pub(crate) places: BTreeMap<Drawn, u32>,
    /// How often each situation is drawn.
    pub(crate) situations: BTreeMap<Situation, u32>,
    /// How often each deed is drawn.
    pub(crate) deeds: BTreeMap<Deed, u32>,
}

/// What kind of place is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Drawn {
    /// A row of the routes table, with pages at every path below it.
    Namespace,
    /// A page that covers nothing below it.
    Exact,
    /// A group.
    Group,
    /// A project, with its group.
    Project,
}

impl Weights {
    /// The weights of the embedded file.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub fn embedded() -> Self {
        Self::parse(FILE).expect("fixtures/exploration.toml is tested")
    }

    /// Reads weights.
    ///
    /// # Errors
    ///
    /// Where the text is not TOML, lacks a key, has an unknown one, or has a value that nothing can
    /// be drawn by.
    pub fn parse(text: &str) -> Result<Self, String> {
        let weights: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let shares = [
            ("second-router", weights.second_router),
            ("signed-in", weights.signed_in),
            ("fault", weights.fault),
            ("hop-limit", weights.hop_limit),
            ("private", weights.private),
            ("of-organization", weights.of_organization),
            ("apart", weights.apart),
            ("cells-alike", weights.cells_alike),
            ("printed-id", weights.printed_id),
            ("related", weights.related),
            ("near", weights.near),
        ];
        if let Some((key, share)) = shares.iter().find(|(_, share)| !(0.0..=1.0).contains(share)) {
            return Err(format!("`{key}` is {share}; a share is from 0 to 1"));
        }
        if !(1..=MOST_SCENES).contains(&weights.scenes) {
            return Err(format!(
                "`scenes` is {}; a journey has 1 to {MOST_SCENES} situations",
                weights.scenes
            ));
        }
        let cells = &weights.cells_in_region;
        if let Some((_, count)) = cells.iter().find(|(_, count)| !(1..=MOST_CELLS).contains(count))
        {
            return Err(format!(
                "`cells-in-region` has {count} cells; a region has 1 to {MOST_CELLS}"
            ));
        }
        some("cells-in-region", cells.iter().map(|(weight, _)| weight))?;
        some("places", weights.places.values())?;
        some("situations", weights.situations.values())?;
        some("deeds", weights.deeds.values())?;
        Ok(weights)
    }

    /// SHA-256 of the text of a file; of the embedded one if there is none.
    pub fn digest(text: Option<&str>) -> String {
        hex(Sha256::digest(text.unwrap_or(FILE)))
    }

    /// All pairs with their weights.
    pub(super) fn pairs(&self) -> Vec<(u32, Just<(Situation, Deed)>)> {
        let mut pairs = Vec::new();
        for situation in Situation::VARIANTS {
            for deed in Deed::VARIANTS {
                let own = self.situations.get(situation).copied().unwrap_or(0)
                    * self.deeds.get(deed).copied().unwrap_or(0);
                if own > 0 {
                    pairs.push((own, Just((*situation, *deed))));
                }
            }
        }
        pairs
    }
}

/// Refuses weights whose sum is 0, so that nothing can be drawn, or too large.
fn some<'w>(key: &str, weights: impl Iterator<Item = &'w u32>) -> Result<(), String> {
    const MOST: u64 = 10_000;
    match weights.map(|weight| u64::from(*weight)).sum::<u64>() {
        0 => Err(format!("`{key}` has no weight above 0, so nothing can be drawn")),
        sum if sum > MOST => Err(format!("the weights of `{key}` are {sum} together; use less")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_name_every_situation_and_deed() {
        let weights = Weights::embedded();
        for situation in Situation::VARIANTS {
            assert!(weights.situations.get(situation).is_some_and(|it| *it > 0), "{situation:?}");
        }
        for deed in Deed::VARIANTS {
            assert!(weights.deeds.get(deed).is_some_and(|it| *it > 0), "{deed:?}");
        }
    }

    #[test]
    fn every_key_of_the_embedded_weights_is_explained() {
        let mut explained = false;
        for line in FILE.lines() {
            match line.split_once(" = ") {
                _ if line.is_empty() => explained = false,
                Some((key, _)) if !line.starts_with('#') => {
                    assert!(explained || line.contains('#'), "{key}");
                }
                _ => explained = true,
            }
        }
    }

    #[test]
    fn weights_by_which_nothing_can_be_drawn_are_refused() {
        for (from, to, said) in [
            ("fault = 0.1", "fault = 1.5", "`fault` is 1.5; a share is from 0 to 1"),
            ("scenes = 4", "scenes = 0", "a journey has 1 to 20 situations"),
            ("[1, 5]]", "[1, 6]]", "a region has 1 to 5"),
            ("scenes = 4", "scenery = 4", "unknown field `scenery`"),
            ("visit = 4", "vizit = 4", "unknown variant `vizit`"),
            ("visit = 4", "visit = -4", "invalid value"),
            ("visit = 4", "visit = 40000", "use less"),
        ] {
            assert_eq!(FILE.matches(&format!("{from}\n")).count(), 1, "{from}");
            let text = FILE.replacen(&format!("{from}\n"), &format!("{to}\n"), 1);
            let error = Weights::parse(&text).expect_err(to);
            assert!(error.contains(said), "{error}");
        }
        let (before, _) = FILE.split_once("[deeds]").expect("there are deeds");
        let error = Weights::parse(&format!("{before}[deeds]\nvisit = 0\n")).expect_err("no deed");
        assert!(error.contains("`deeds` has no weight above 0"), "{error}");
    }
}
