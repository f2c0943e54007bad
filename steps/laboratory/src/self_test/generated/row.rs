//! What became of one drawn mutant, as a line of text that can be read again.

use std::fmt;
use std::str::FromStr;

use broken_routers::deviation::{Draw, draw};

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A scenario fails, twice; the base passes it, twice.
    Scenarios(String),
    /// No scenario does, but a journey of exploration.
    Exploration(String),
    /// A line of `allowed.toml` permits it.
    Allowed(String),
    /// Nothing that was played made it happen.
    NeverFired,
    /// It happened, and nothing saw it.
    Survived,
}

impl Fate {
    fn word(&self) -> &'static str {
        match self {
            Self::Scenarios(_) => "scenarios",
            Self::Exploration(_) => "exploration",
            Self::Allowed(_) => "allowed",
            Self::NeverFired => "never-fired",
            Self::Survived => "survived",
        }
    }

    fn by(&self) -> &str {
        match self {
            Self::Scenarios(by) | Self::Exploration(by) | Self::Allowed(by) => by,
            Self::NeverFired | Self::Survived => "",
        }
    }

    /// Whether anything saw it.
    pub fn is_killed(&self) -> bool {
        matches!(self, Self::Scenarios(_) | Self::Exploration(_))
    }
}

/// One drawn mutant, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The mutant.
    pub draw: Draw,
    /// What became of it.
    pub fate: Fate,
    /// It fails more than half of the control scenarios: anything kills it.
    pub is_coarse: bool,
    /// It changed a byte or a choice.
    pub has_changed: bool,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Draw { seed, protocol, deviation } = self.draw;
        let coarse = if self.is_coarse { "coarse" } else { "-" };
        let changed = if self.has_changed { "changed" } else { "-" };
        write!(f, "{:<11} {seed:<16} {coarse:<6} {changed:<7} ", self.fate.word())?;
        write!(f, "{protocol}: {deviation} | {}", self.fate.by())
    }
}

impl FromStr for Row {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("no row of drawn mutants: {line}");
        let (head, by) = line.split_once(" | ").ok_or_else(wrong)?;
        let mut words = head.split_whitespace();
        let mut next = || words.next().ok_or_else(wrong);
        let fate = match next()? {
            "scenarios" => Fate::Scenarios(by.to_owned()),
            "exploration" => Fate::Exploration(by.to_owned()),
            "allowed" => Fate::Allowed(by.to_owned()),
            "never-fired" => Fate::NeverFired,
            "survived" => Fate::Survived,
            _ => return Err(wrong()),
        };
        let draw = draw(next()?.parse().map_err(|_| wrong())?);
        let (is_coarse, has_changed) = (next()? == "coarse", next()? == "changed");
        let row = Self { draw, fate, is_coarse, has_changed };
        // The tables may have changed since the row was written.
        if row.to_string() != line { Err(format!("of another version: {line}")) } else { Ok(row) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let fates = [
            Fate::Scenarios("a | scenario".to_owned()),
            Fate::Exploration("7".to_owned()),
            Fate::Allowed("any-order".to_owned()),
            Fate::NeverFired,
            Fate::Survived,
        ];
        for (seed, fate) in (3_000_000..).zip(fates) {
            let row = Row { draw: draw(seed), fate, is_coarse: seed % 2 == 0, has_changed: true };
            assert_eq!(row.to_string().parse(), Ok(row));
        }
        assert!("x".parse::<Row>().is_err());
        let other = "survived    5                -      -       buffering: something else | ";
        assert!(other.parse::<Row>().unwrap_err().starts_with("of another version"));
    }
}
