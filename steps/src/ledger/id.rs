//! Ids of requirements.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The stable id of a requirement: an area of one to three letters and a number of two digits
/// or, from 100 on, three: `BF-03`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct RequirementId(String);

impl RequirementId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Splits the citation off the text of a step: ` (BF-03)`, or
    /// ` (buffering Z-17, learning LN-10)` where each protocol has its own. Returns the rest, the id
    /// under buffering and the id under learning.
    pub(crate) fn split_citation(text: &str) -> Option<(&str, [Self; 2])> {
        let (rest, citation) = text.strip_suffix(')')?.rsplit_once(" (")?;
        let (buffering, learning) = match citation.split_once(", ") {
            Some((one, other)) => {
                (one.strip_prefix("buffering ")?, other.strip_prefix("learning ")?)
            }
            None => (citation, citation),
        };
        Some((rest, [buffering.parse().ok()?, learning.parse().ok()?]))
    }
}

impl FromStr for RequirementId {
    type Err = MalformedId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let well_formed = text.split_once('-').is_some_and(|(area, number)| {
            (1..=3).contains(&area.len())
                && area.bytes().all(|b| b.is_ascii_uppercase())
                && (number.len() == 2 || number.len() == 3 && !number.starts_with('0'))
                && number.bytes().all(|b| b.is_ascii_digit())
        });
        if well_formed { Ok(Self(text.to_owned())) } else { Err(MalformedId(text.to_owned())) }
    }
}

impl TryFrom<String> for RequirementId {
    type Error = MalformedId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<RequirementId> for String {
    fn from(id: RequirementId) -> Self {
        id.0
    }
}

impl fmt::Display for RequirementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A text that is not a valid requirement id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a valid requirement id: expected one like `BF-03`")]
pub struct MalformedId(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_is_split_off_the_end_of_a_step() {
        let id: RequirementId = "RT-08".parse().unwrap();
        assert_eq!(
            RequirementId::split_citation("anna sees it (RT-08)"),
            Some(("anna sees it", [id.clone(), id.clone()]))
        );
        let other = "LN-10".parse().unwrap();
        assert_eq!(
            RequirementId::split_citation("anna sees it (buffering RT-08, learning LN-10)"),
            Some(("anna sees it", [id, other]))
        );
        assert_eq!(RequirementId::split_citation("anna sees it"), None);
        assert_eq!(RequirementId::split_citation("anna sees it (soon)"), None);
    }

    #[test]
    fn an_id_in_another_form_is_refused() {
        assert!("RT-100".parse::<RequirementId>().is_ok());
        for text in ["RT-1", "rt-01", "RT01", "RT-001", "RT-1000", "", "-01", "ABCD-01"] {
            assert!(text.parse::<RequirementId>().is_err(), "{text:?}");
        }
    }
}
