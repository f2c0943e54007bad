//! Shards: the selected cases, cut for several machines.

use crate::engine::hex;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::record::{PartOfRun, RunRecord, SuiteRecord};
use crate::catalog::Case;
use crate::verdict::OutcomeWord;

/// Shard `index` of `count`, written `2/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which, counted from 1.
    index: usize,
    /// How many there are.
    count: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').map(|(index, count)| (index.parse(), count.parse()));
        let Some((Ok(index), Ok(count))) = numbers else {
            return Err("expected INDEX/COUNT, like 2/8".to_owned());
        };
        match (index, count) {
            (_, 0) => Err("a run has at least one shard: 1/1".to_owned()),
            (0, _) => Err(format!("shards are counted from 1: the first is 1/{count}")),
            _ if index > count => Err(format!("the last of {count} shards is {count}/{count}")),
            _ => Ok(Self { index, count }),
        }
    }
}

impl Shard {
    /// Which, counted from 1.
    pub fn index(self) -> usize {
        self.index
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.count
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.index, self.count)
    }
}

impl PartOfRun {
    /// The shard; `None` for another part.
    pub(crate) fn shard(&self) -> Option<Shard> {
        match self {
            Self::Shard { index, count, .. } => Some(Shard { index: *index, count: *count }),
            Self::Trial => None,
        }
    }
}

/// Times that cases took earlier, by name, in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Timings(BTreeMap<String, u64>);

impl Timings {
    /// The times that records have. A case that was not run has none.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a RunRecord>) -> Self {
        let cases = records.into_iter().flat_map(|record| &record.scenarios);
        let ran = cases.filter(|case| {
            !matches!(
                case.outcome.word,
                OutcomeWord::CouldNotRun | OutcomeWord::NotAsked | OutcomeWord::NotRun
            )
        });
        Self(ran.map(|case| (case.name.clone(), case.took_ms)).collect())
    }

    /// Whether one of the cases has a time.
    pub fn has_any_of(&self, cases: &[Case]) -> bool {
        cases.iter().any(|case| self.0.contains_key(&case.name))
    }

    /// SHA-256 of names and times: shards with different digests are of different cuts.
    fn digest(&self) -> String {
        let mut hash = Sha256::new();
        for (name, took) in &self.0 {
            hash.update(format!("{took} {name}\n"));
        }
        hex(hash.finalize())
    }

    /// The median, which stands for the time of a case that has none.
    fn median(&self) -> u64 {
        let mut times: Vec<_> = self.0.values().copied().collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }
}

/// How the selected cases are cut, and which part is to be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    shard: Shard,
    /// Expected times; without them all cases are expected to take the same time.
    timings: Option<Timings>,
}

impl Cut {
    /// A shard of a cut by expected times.
    pub fn new(shard: Shard, timings: Option<Timings>) -> Self {
        Self { shard, timings }
    }

    /// What a record says of its part.
    pub(crate) fn part(&self) -> PartOfRun {
        PartOfRun::Shard {
            index: self.shard.index,
            count: self.shard.count,
            timings: self.timings.as_ref().map(Timings::digest),
        }
    }

    /// The cases of the shard, in the order of all cases.
    ///
    /// The longest case goes to the emptiest shard, then the next. Without times this deals the
    /// cases out, protocol by protocol, so that a router of one protocol has work in every shard.
    /// The cut depends on names and times alone, not on the order of the cases or on the machine.
    pub(crate) fn of(&self, cases: Vec<Case>) -> Vec<Case> {
        let places = self.places(&cases);
        let own = self.shard.index - 1;
        let cases = cases.into_iter().zip(places);
        cases.filter_map(|(case, place)| (place == own).then_some(case)).collect()
    }

    /// The shard of each case, counted from 0.
    fn places(&self, cases: &[Case]) -> Vec<usize> {
        let (times, median) = match &self.timings {
            Some(timings) => (timings.0.clone(), timings.median()),
            None => (BTreeMap::new(), 1),
        };
        // A case counts at least a millisecond: otherwise all cases that took none would go to one
        // shard.
        let expected = |case: &Case| times.get(&case.name).copied().unwrap_or(median).max(1);
        let mut order: Vec<_> = (0..cases.len()).collect();
        order.sort_by_cached_key(|at| {
            let case = &cases[*at];
            (Reverse(expected(case)), case.protocol.as_str(), case.name.clone())
        });
        // Shards beyond the number of cases stay empty, however many they are.
        let mut loads = vec![0; self.shard.count.min(cases.len())];
        let mut places = vec![0; cases.len()];
        for at in order {
            let emptiest = (0..loads.len()).min_by_key(|place| (loads[*place], *place));
            let place = emptiest.unwrap_or_default();
            loads[place] += expected(&cases[at]);
            places[at] = place;
        }
        places
    }
}

/// The seed of shards whose seed nobody chose: it follows from the features, the ledger and the
/// words of the selection, so every machine has the same.
pub fn seed_of(selection: &[String], suite: &SuiteRecord) -> u64 {
    let mut hash = Sha256::new();
    let digests = [&suite.features_digest, &suite.ledger_digest];
    for part in digests.into_iter().chain(selection) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let digest: [u8; 32] = hash.finalize().into();
    // Four bytes, as in a seed that is drawn: short enough to be typed.
    u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]).into()
}

#[cfg(test)]
mod tests;
