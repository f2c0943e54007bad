//! Regions and cells, and the three spellings in which the documents write a cell.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A region of the installation: `us` or `eu` in the documents, any short lower-case word in a
/// topology file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Region(Arc<str>);

impl Region {
    /// The region of the documents' US cells, which has the primaries of the shared databases.
    pub fn us() -> Self {
        Self("us".into())
    }

    /// The region of the documents' EU cells.
    pub fn eu() -> Self {
        Self("eu".into())
    }

    /// The lower-case word, `eu`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Region {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.to_ascii_lowercase();
        let well_formed =
            (1..=8).contains(&lower.len()) && lower.bytes().all(|b| b.is_ascii_lowercase());
        if well_formed { Ok(Self(lower.into())) } else { Err(UnknownSpelling(text.to_owned())) }
    }
}

impl From<Region> for String {
    fn from(region: Region) -> Self {
        region.to_string()
    }
}

impl TryFrom<String> for Region {
    type Error = UnknownSpelling;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// A cell: its region and its number in that region.
///
/// The documents spell a cell in three ways: [`name`](Self::name) (`Cell US0`) in the two response
/// headers, [`id`](Self::id) (`cell_us0`) in a learn response, and [`slug`](Self::slug) (`cellus0`)
/// below `/admin/cells/`. `cell_0` is an alias of Cell US0, the original installation (AD-05).
/// Parsing accepts all of them.
///
/// ```
/// use cell_fleet::CellId;
/// let cell: CellId = "Cell EU1".parse()?;
/// assert_eq!(cell, "cell_eu1".parse()?);
/// assert_eq!(cell.slug(), "celleu1");
/// assert_eq!("cell_0".parse::<CellId>()?.name(), "Cell US0");
/// # Ok::<(), cell_fleet::UnknownSpelling>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct CellId {
    region: Region,
    number: u16,
}

impl CellId {
    /// The cell with this number in this region.
    pub fn new(region: Region, number: u16) -> Self {
        Self { region, number }
    }

    /// A US cell of the documents.
    pub fn us(number: u16) -> Self {
        Self::new(Region::us(), number)
    }

    /// An EU cell of the documents.
    pub fn eu(number: u16) -> Self {
        Self::new(Region::eu(), number)
    }

    /// The cell's region.
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// Its number within the region.
    pub fn number(&self) -> u16 {
        self.number
    }

    /// `Cell US0`: the spelling of the redirect header (BF-10) and of pages.
    pub fn name(&self) -> String {
        format!("Cell {}{}", self.region.as_str().to_ascii_uppercase(), self.number)
    }

    /// `cell_us0`: the spelling of a learn response (LN-04) and of diagrams.
    pub fn id(&self) -> String {
        format!("cell_{}{}", self.region, self.number)
    }

    /// `cellus0`: the spelling of the Admin Area's paths (AD-01).
    pub fn slug(&self) -> String {
        format!("cell{}{}", self.region, self.number)
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

impl FromStr for CellId {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || UnknownSpelling(text.to_owned());
        if text == "cell_0" {
            return Ok(Self::us(0));
        }
        let (rest, upper) = match (text.strip_prefix("Cell "), text.strip_prefix("cell_")) {
            (Some(rest), _) => (rest, true),
            (None, Some(rest)) => (rest, false),
            (None, None) => (text.strip_prefix("cell").ok_or_else(unknown)?, false),
        };
        let digits = rest.find(|c: char| c.is_ascii_digit()).ok_or_else(unknown)?;
        let (region, number) = rest.split_at(digits);
        let case_fits = |b: u8| if upper { b.is_ascii_uppercase() } else { b.is_ascii_lowercase() };
        let number_fits = number.bytes().all(|b| b.is_ascii_digit())
            && (number == "0" || !number.starts_with('0'));
        if !region.bytes().all(case_fits) || !number_fits {
            return Err(unknown());
        }
        Ok(Self::new(
            region.parse().map_err(|_| unknown())?,
            number.parse().map_err(|_| unknown())?,
        ))
    }
}

impl From<CellId> for String {
    fn from(cell: CellId) -> Self {
        cell.id()
    }
}

impl TryFrom<String> for CellId {
    type Error = UnknownSpelling;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// A text that is not a valid spelling of a cell or of a region.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a cell: expected `Cell EU0`, `cell_eu0`, `celleu0` or the alias `cell_0`")]
pub struct UnknownSpelling(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_do_not_spell_a_cell_are_refused() {
        for text in [
            "",
            "cell",
            "cell_",
            "Cell eu0",
            "cell_EU0",
            "cell_eu",
            "cell_eu01",
            "POD EU0",
            "cell_1",
            "cell_eu0 ",
            "cell_eu70000",
        ] {
            assert!(text.parse::<CellId>().is_err(), "{text:?}");
        }
    }
}
