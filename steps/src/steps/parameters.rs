//! The parameters of expressions. A pattern fits only what can be read: cucumber panics at the rest.

use std::convert::Infallible;
use std::str::FromStr;

use cell_fleet::{CellId, Region, UnknownSpelling};
use cucumber::Parameter;

pub(super) use crate::action::{Person, Route};

/// Names and patterns of all parameters. `{string}` is cucumber's own.
pub(super) const PATTERNS: [(&str, &str); 12] = [
    ("string", r#""[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'"#),
    (Person::NAME, Person::REGEX),
    (Route::NAME, Route::REGEX),
    (RegionName::NAME, RegionName::REGEX),
    (Cell::NAME, Cell::REGEX),
    (Cells::NAME, Cells::REGEX),
    (Number::NAME, Number::REGEX),
    (Method::NAME, Method::REGEX),
    (Status::NAME, Status::REGEX),
    (Statuses::NAME, Statuses::REGEX),
    (Once::NAME, Once::REGEX),
    (About::NAME, About::REGEX),
];

/// A region as people write it.
#[derive(Parameter)]
#[param(name = "region", regex = "[A-Z]{2,8}")]
pub(super) struct RegionName(pub(super) Region);

impl FromStr for RegionName {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A cell as the documents' drawings spell it.
#[derive(Parameter)]
#[param(name = "cell", regex = "cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) struct Cell(pub(super) CellId);

impl FromStr for Cell {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One cell, or every cell.
#[derive(Parameter)]
#[param(name = "cells", regex = "every cell|cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) struct Cells(pub(super) Option<CellId>);

impl FromStr for Cells {
    type Err = UnknownSpelling;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "every cell" { Ok(Self(None)) } else { text.parse().map(|it| Self(Some(it))) }
    }
}

/// A count. ASCII digits, since a pattern of all Unicode digits is slow to compile.
#[derive(Parameter)]
#[param(name = "number", regex = "[0-9]{1,18}")]
pub(super) struct Number(pub(super) u64);

impl FromStr for Number {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Number {
    /// As a size. A number that does not fit becomes the largest size.
    pub(super) fn size(&self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// As a count of 32 bits. A number that does not fit becomes the largest count.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// A method.
#[derive(Parameter)]
#[param(name = "method", regex = "[A-Z]+")]
pub(super) struct Method(pub(super) String);

impl FromStr for Method {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// A status, in quotes.
#[derive(Parameter)]
#[param(name = "status", regex = "\"[1-5][0-9][0-9]\"")]
pub(super) struct Status(pub(super) u16);

impl FromStr for Status {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_matches('"').parse().map(Self)
    }
}

/// Several statuses, in quotes, with commas between.
#[derive(Parameter)]
#[param(name = "statuses", regex = "\"[1-5][0-9][0-9](?:, [1-5][0-9][0-9])*\"")]
pub(super) struct Statuses(pub(super) Vec<u16>);

impl FromStr for Statuses {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim_matches('"').split(", ").map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// `, once`, or nothing: whether the fault happens the first time only.
#[derive(Parameter)]
#[param(name = "once", regex = "(?:, once)?")]
pub(super) struct Once(pub(super) bool);

impl FromStr for Once {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(!text.is_empty()))
    }
}

/// `a pre-flight about ` before a path, or nothing: what has the fault.
#[derive(Parameter)]
#[param(name = "about", regex = "(?:a pre-flight about )?")]
pub(super) struct About {
    /// Whether it is about a pre-flight, not about a request for the path itself.
    pub(super) preflight: bool,
}

impl FromStr for About {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self { preflight: !text.is_empty() })
    }
}
