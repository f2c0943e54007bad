//! The words that actions are made of: who acts, and by which route a request goes.

use std::fmt;
use std::str::FromStr;

use cell_fleet::{CellId, Region};
use cucumber::Parameter;

use crate::action::Needs;

/// A person of the documents, a visitor who is never signed in, or the customer who signs up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Parameter)]
#[param(name = "person", regex = "anna|gabe|nina|olga|visitor|the new customer|runner_a|runner_b")]
pub struct Person(pub String);

/// The name under which the customer who signs up is known.
const CUSTOMER: &str = "customer";

impl Person {
    /// Whether steps know somebody of this name.
    pub(crate) fn is_known(name: &str) -> bool {
        Self::REGEX.split('|').any(|known| known == name)
    }

    pub fn visitor() -> Self {
        Self("visitor".to_owned())
    }
}

/// As a step names the person.
impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == CUSTOMER { f.write_str("the new customer") } else { f.write_str(&self.0) }
    }
}

impl FromStr for Person {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.strip_prefix("the new ").unwrap_or(text).to_owned()))
    }
}

/// The route of a request into the installation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Parameter)]
#[param(
    name = "route",
    regex = "(?: through the [A-Z]{2,8} router\
             |, asking cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2}) first\
             | on cell_[a-z]{2,8}(?:0|[1-9][0-9]{0,2}) directly)?"
)]
pub enum Route {
    // A step without a route means this one.
    /// Through the default router of the scenario.
    #[default]
    Default,
    Router(Region),
    /// Through the default router; the cell that it asks first plays this cell.
    Asking(CellId),
    /// To this cell, without a router between.
    Cell(CellId),
}

impl Route {
    /// What a request on this route needs.
    pub(super) fn needs(&self) -> Needs {
        match self {
            Self::Default | Self::Router(_) | Self::Asking(_) => Needs::ROUTER,
            Self::Cell(_) => Needs::NONE,
        }
    }
}

/// The route as a step words it, with the comma or blank that separates it from the words before.
impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => Ok(()),
            Self::Router(region) => write!(f, " through the {} router", region_word(region)),
            Self::Asking(cell) => write!(f, ", asking {cell} first"),
            Self::Cell(cell) => write!(f, " on {cell} directly"),
        }
    }
}

impl FromStr for Route {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let between = |start: &str, end: &str| {
            text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end))
        };
        let unknown = |error: cell_fleet::UnknownSpelling| format!("the route `{text}`: {error}");
        if text.is_empty() {
            Ok(Self::Default)
        } else if let Some(region) = between(" through the ", " router") {
            region.parse().map(Self::Router).map_err(unknown)
        } else if let Some(cell) = between(", asking ", " first") {
            cell.parse().map(Self::Asking).map_err(unknown)
        } else if let Some(cell) = between(" on ", " directly") {
            cell.parse().map(Self::Cell).map_err(unknown)
        } else {
            Err(format!("`{text}` is not a route of a request"))
        }
    }
}

/// What a body is, as a step names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter, strum::EnumString, strum::Display)]
#[param(name = "media", regex = "JSON|form")]
pub enum MediaType {
    #[strum(serialize = "JSON")]
    Json,
    #[strum(serialize = "form")]
    Form,
}

impl MediaType {
    /// The field that says so.
    pub(crate) fn field(self) -> (String, String) {
        let value = match self {
            Self::Json => "application/json",
            Self::Form => "application/x-www-form-urlencoded",
        };
        ("Content-Type".to_owned(), value.to_owned())
    }
}

/// A region as a step names it: `EU`.
pub(crate) fn region_word(region: &Region) -> String {
    region.as_str().to_ascii_uppercase()
}

/// A path of a namespace as in a request.
pub(crate) fn rooted(path: &str) -> String {
    format!("/{}", path.trim_start_matches('/'))
}
