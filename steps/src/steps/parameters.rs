//! The parameters of expressions. A pattern fits only what can be read: cucumber panics at the rest.

use std::convert::Infallible;
use std::num::ParseIntError;
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

/// How a parameter is read from its text.
macro_rules! read {
    ($parameter:ident, $error:ty, |$text:ident| $read:expr) => {
        impl FromStr for $parameter {
            type Err = $error;

            fn from_str($text: &str) -> Result<Self, Self::Err> {
                $read
            }
        }
    };
}

/// A region as people write it.
#[derive(Parameter)]
#[param(name = "region", regex = "[A-Z]{2,8}")]
pub(super) struct RegionName(pub(super) Region);

read!(RegionName, UnknownSpelling, |text| text.parse().map(Self));

/// A cell as the documents' drawings spell it.
#[derive(Parameter)]
#[param(name = "cell", regex = "cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) struct Cell(pub(super) CellId);

read!(Cell, UnknownSpelling, |text| text.parse().map(Self));

/// One cell, or every cell.
#[derive(Parameter)]
#[param(name = "cells", regex = "every cell|cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2})")]
pub(super) struct Cells(pub(super) Option<CellId>);

read!(Cells, UnknownSpelling, |text| match text {
    "every cell" => Ok(Self(None)),
    cell => cell.parse().map(|cell| Self(Some(cell))),
});

/// A count. ASCII digits, since a pattern of all Unicode digits is slow to compile.
#[derive(Parameter)]
#[param(name = "number", regex = "[0-9]{1,18}")]
pub(super) struct Number(pub(super) u64);

read!(Number, ParseIntError, |text| text.parse().map(Self));

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

read!(Method, Infallible, |text| Ok(Self(text.to_owned())));

/// A status, in quotes.
#[derive(Parameter)]
#[param(name = "status", regex = "\"[1-5][0-9][0-9]\"")]
pub(super) struct Status(pub(super) u16);

read!(Status, ParseIntError, |text| text.trim_matches('"').parse().map(Self));

/// Several statuses, in quotes, with commas between.
#[derive(Parameter)]
#[param(name = "statuses", regex = "\"[1-5][0-9][0-9](?:, [1-5][0-9][0-9])*\"")]
pub(super) struct Statuses(pub(super) Vec<u16>);

read!(Statuses, ParseIntError, |text| text
    .trim_matches('"')
    .split(", ")
    .map(str::parse)
    .collect::<Result<_, _>>()
    .map(Self));

/// `, once`, or nothing: whether the fault happens the first time only.
#[derive(Parameter)]
#[param(name = "once", regex = "(?:, once)?")]
pub(super) struct Once(pub(super) bool);

read!(Once, Infallible, |text| Ok(Self(!text.is_empty())));

/// `a pre-flight about ` before a path, or nothing: what has the fault.
#[derive(Parameter)]
#[param(name = "about", regex = "(?:a pre-flight about )?")]
pub(super) struct About {
    /// Whether it is about a pre-flight, not about a request for the path itself.
    pub(super) preflight: bool,
}

read!(About, Infallible, |text| Ok(Self { preflight: !text.is_empty() }));
