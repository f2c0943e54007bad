//! What steps are filled with.

use std::str::FromStr;

use cell_fleet::{CellId, Region, UnknownSpelling};
use cucumber::Parameter;

/// A person of the documents, somebody who is never signed in, or a customer who has just come.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "person", regex = "anna|gabe|nina|olga|visitor|the new customer")]
pub(super) struct Person(pub(super) String);

impl FromStr for Person {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.replace("the new ", "")))
    }
}

/// A region as people write it.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "region", regex = "EU|US")]
pub(super) struct RegionName(pub(super) Region);

impl FromStr for RegionName {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A cell as the documents' drawings spell it.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "cell", regex = "cell_[a-z]{2,8}[0-9]{1,3}")]
pub(super) struct Cell(pub(super) CellId);

impl FromStr for Cell {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One cell, or every cell.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "cells", regex = "every cell|cell_[a-z]{2,8}[0-9]{1,3}")]
pub(super) struct Cells(pub(super) Option<CellId>);

impl FromStr for Cells {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "every cell" {
            Ok(Self(None))
        } else {
            text.parse().map(|cell| Self(Some(cell)))
        }
    }
}

/// A count. ASCII digits, since a pattern of all Unicode digits is slow to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter)]
#[param(name = "number", regex = "[0-9]+")]
pub(super) struct Number(pub(super) u64);

impl FromStr for Number {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Number {
    /// As a size; what does not fit is more than any machine has.
    pub(super) fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// As a count of something that is counted in 32 bits, where more is without end.
    pub(super) fn count(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// A method.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "method", regex = "[A-Z]+")]
pub(super) struct Method(pub(super) String);

impl FromStr for Method {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// A status, in quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter)]
#[param(name = "status", regex = "\"[1-5][0-9][0-9]\"")]
pub(super) struct Status(pub(super) u16);

impl FromStr for Status {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_matches('"').parse().map(Self)
    }
}

/// Several statuses, in quotes, with commas between.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(name = "statuses", regex = "\"[1-5][0-9][0-9](?:, [1-5][0-9][0-9])*\"")]
pub(super) struct Statuses(pub(super) Vec<u16>);

impl FromStr for Statuses {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_matches('"').split(", ").map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// `, once` behind what a cell does, or nothing: the fault happens the first time only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter)]
#[param(name = "once", regex = "(?:, once)?")]
pub(super) struct Once(pub(super) bool);

impl FromStr for Once {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(!text.is_empty()))
    }
}

/// `a pre-flight about ` before a path, or nothing: what the fault is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter)]
#[param(name = "about", regex = "(?:a pre-flight about )?")]
pub(super) struct About {
    /// Whether it is about a pre-flight, not about a request for the path itself.
    pub(super) preflight: bool,
}

impl FromStr for About {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { preflight: !text.is_empty() })
    }
}
