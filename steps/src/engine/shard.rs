//! Shards: the selected cases, cut for several machines.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::record::{PartOfRun, SuiteRecord};
use crate::catalog::Case;

/// Shard `index` of `count`, written `2/8`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Shard {
    /// Which, counted from 1.
    pub index: usize,
    /// How many there are.
    pub count: usize,
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
    /// The cases of the shard, in the order of all cases.
    ///
    /// The cases are dealt out, protocol by protocol, so that a router of one protocol has work in
    /// every shard. The cut depends on names alone, not on the order of the cases or on the machine.
    pub(crate) fn of(self, cases: Vec<Case>) -> Vec<Case> {
        let mut order: Vec<_> = (0..cases.len()).collect();
        order.sort_by_cached_key(|at| (cases[*at].protocol.as_str(), cases[*at].name.clone()));
        let own = order.into_iter().skip(self.index - 1).step_by(self.count);
        let own: BTreeSet<_> = own.collect();
        let cases = cases.into_iter().enumerate();
        cases.filter_map(|(at, case)| own.contains(&at).then_some(case)).collect()
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
            Self::Shard(shard) => Some(*shard),
            Self::Trial => None,
        }
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
