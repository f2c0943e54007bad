//! Values on the command line that several commands take.

use std::num::NonZeroUsize;
use std::time::Duration;

use cell_fleet::check_host;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Reads one of some values by its name.
pub(super) fn one_of<T>(all: &'static [T]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Into<&'static str> + Send + Sync + 'static,
{
    let names = all.iter().map(|one| (*one).into());
    PossibleValuesParser::new(names.collect::<Vec<&'static str>>()).try_map(|name| {
        let found = all.iter().copied().find(|one| Into::<&'static str>::into(*one) == name);
        found.ok_or("no such value")
    })
}

pub(super) fn host(text: &str) -> Result<String, String> {
    check_host(text).map_err(|error| error.to_string())
}

pub(super) fn one_or_more(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a whole number, 1 or more".to_owned())
}

pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    if time.is_zero() {
        Err("expected a time above 0, like 90s or 10m".to_owned())
    } else {
        Ok(time)
    }
}
