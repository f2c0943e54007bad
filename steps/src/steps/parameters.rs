//! The parameters of expressions.

use cell_fleet::{CellId, Region};

use super::argument::{Argument, Source};
use crate::action::ROUTE_PATTERN;
pub(super) use crate::action::{Person, Route};

/// The people whom steps know.
const PEOPLE: &str = "anna|gabe|nina|olga|visitor|the new customer|runner_a|runner_b";

impl Person {
    /// Whether steps know somebody of this name.
    pub(super) fn is_known(name: &str) -> bool {
        PEOPLE.split('|').any(|known| known == name)
    }
}

impl Argument for Person {
    const SOURCE: Source = Source::Parameter { name: "person", pattern: PEOPLE };

    fn parse(text: &str) -> Result<Self, String> {
        read(text)
    }
}

impl Argument for Route {
    const SOURCE: Source = Source::Parameter { name: "route", pattern: ROUTE_PATTERN };

    fn parse(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

/// A region as people write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegionName(pub(super) Region);

impl Argument for RegionName {
    const SOURCE: Source = Source::Parameter { name: "region", pattern: "[A-Z]{2,8}" };

    fn parse(text: &str) -> Result<Self, String> {
        read(text).map(Self)
    }
}

/// A cell as the documents' drawings spell it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cell(pub(super) CellId);

impl Argument for Cell {
    const SOURCE: Source = Source::Parameter { name: "cell", pattern: "cell_[a-z]{2,8}[0-9]{1,3}" };

    fn parse(text: &str) -> Result<Self, String> {
        read(text).map(Self)
    }
}

/// One cell, or every cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cells(pub(super) Option<CellId>);

impl Argument for Cells {
    const SOURCE: Source =
        Source::Parameter { name: "cells", pattern: "every cell|cell_[a-z]{2,8}[0-9]{1,3}" };

    fn parse(text: &str) -> Result<Self, String> {
        if text == "every cell" { Ok(Self(None)) } else { read(text).map(|cell| Self(Some(cell))) }
    }
}

/// A count. ASCII digits, since a pattern of all Unicode digits is slow to compile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number(pub(super) u64);

impl Argument for Number {
    const SOURCE: Source = Source::Parameter { name: "number", pattern: "[0-9]+" };

    fn parse(text: &str) -> Result<Self, String> {
        read(text).map(Self)
    }
}

impl Number {
    /// As a size. A number that does not fit becomes the largest size.
    pub(super) fn size(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// As a count of 32 bits. A number that does not fit becomes the largest count.
    pub(super) fn count(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// A method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Method(pub(super) String);

impl Argument for Method {
    const SOURCE: Source = Source::Parameter { name: "method", pattern: "[A-Z]+" };

    fn parse(text: &str) -> Result<Self, String> {
        Ok(Self(text.to_owned()))
    }
}

/// A status, in quotes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Status(pub(super) u16);

impl Argument for Status {
    const SOURCE: Source = Source::Parameter { name: "status", pattern: "\"[1-5][0-9][0-9]\"" };

    fn parse(text: &str) -> Result<Self, String> {
        read(text.trim_matches('"')).map(Self)
    }
}

/// Several statuses, in quotes, with commas between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Statuses(pub(super) Vec<u16>);

impl Argument for Statuses {
    const SOURCE: Source = Source::Parameter {
        name: "statuses",
        pattern: "\"[1-5][0-9][0-9](?:, [1-5][0-9][0-9])*\"",
    };

    fn parse(text: &str) -> Result<Self, String> {
        text.trim_matches('"').split(", ").map(read).collect::<Result<_, _>>().map(Self)
    }
}

/// `, once`, or nothing: whether the fault happens the first time only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Once(pub(super) bool);

impl Argument for Once {
    const SOURCE: Source = Source::Parameter { name: "once", pattern: "(?:, once)?" };

    fn parse(text: &str) -> Result<Self, String> {
        Ok(Self(!text.is_empty()))
    }
}

/// `a pre-flight about ` before a path, or nothing: what has the fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct About {
    /// Whether it is about a pre-flight, not about a request for the path itself.
    pub(super) preflight: bool,
}

impl Argument for About {
    const SOURCE: Source = Source::Parameter { name: "about", pattern: "(?:a pre-flight about )?" };

    fn parse(text: &str) -> Result<Self, String> {
        Ok(Self { preflight: !text.is_empty() })
    }
}

fn read<T>(text: &str) -> Result<T, String>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}
