//! Settings that an operator gives in variables alone; the topology file has none of them.

use std::fmt;
use std::net::SocketAddr;

use super::ConfigError;
use crate::environment::Environment;
use crate::wire;

/// Requests that may be under way in the process, unless the operator says otherwise.
pub(super) const MAX_REQUESTS: usize = 10_000;
/// Connections of users that may be open, unless the operator says otherwise. Each takes a file
/// descriptor.
pub(super) const MAX_CONNECTIONS: usize = 20_000;
/// A key of fewer bytes could be guessed.
const SHORTEST_KEY: usize = 16;

/// The operator's settings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Requests that may be under way; more are refused. Read for the process, then divided among
    /// threads.
    pub(crate) max_requests: usize,
    /// Connections of users that may be open; more wait to be accepted. Divided in the same way.
    pub(crate) max_connections: usize,
    /// Where metrics are served, if anywhere.
    pub(crate) metrics: Option<SocketAddr>,
    /// The secret behind the second-level cookie, where one is given.
    pub(crate) cookie_key: Option<Key>,
}

/// A secret that is never logged.
#[derive(Clone)]
pub(crate) struct Key(Vec<u8>);

impl Key {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_requests: MAX_REQUESTS,
            max_connections: MAX_CONNECTIONS,
            metrics: None,
            cookie_key: None,
        }
    }
}

impl Settings {
    /// Reads the variables; one that is not set has its default.
    pub(super) fn read(environment: &dyn Environment) -> Result<Self, ConfigError> {
        let usual = Self::default();
        Ok(Self {
            max_requests: number(environment, wire::MAX_REQUESTS_VARIABLE)?
                .unwrap_or(usual.max_requests),
            max_connections: number(environment, wire::MAX_CONNECTIONS_VARIABLE)?
                .unwrap_or(usual.max_connections),
            metrics: address(environment, wire::METRICS_VARIABLE)?,
            cookie_key: key(environment, wire::COOKIE_KEY_VARIABLE)?,
        })
    }
}

fn number(environment: &dyn Environment, name: &'static str) -> Result<Option<usize>, ConfigError> {
    let Some(text) = super::text_variable(environment, name)? else { return Ok(None) };
    match text.parse() {
        Ok(number) if number > 0 => Ok(Some(number)),
        _ => Err(ConfigError::Variable {
            name,
            problem: format!("`{text}` is not a whole number of at least 1"),
        }),
    }
}

fn address(
    environment: &dyn Environment,
    name: &'static str,
) -> Result<Option<SocketAddr>, ConfigError> {
    let Some(text) = super::text_variable(environment, name)? else { return Ok(None) };
    let address = text.parse().map_err(|_| ConfigError::Variable {
        name,
        problem: format!("`{text}` is not an address and a port"),
    })?;
    Ok(Some(address))
}

fn key(environment: &dyn Environment, name: &'static str) -> Result<Option<Key>, ConfigError> {
    let Some(text) = super::text_variable(environment, name)? else { return Ok(None) };
    if text.len() < SHORTEST_KEY {
        return Err(ConfigError::Variable {
            name,
            problem: format!("has fewer than {SHORTEST_KEY} bytes"),
        });
    }
    Ok(Some(Key(text.into_bytes())))
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(test)]
impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn read(name: &'static str, value: &'static str) -> Result<Settings, String> {
        let environment = move |asked: &str| (asked == name).then(|| OsString::from(value));
        Settings::read(&environment).map_err(|error| error.to_string())
    }

    #[test]
    fn each_variable_is_read() {
        assert_eq!(read("CELLS_MAX_REQUESTS", "7").unwrap().max_requests, 7);
        assert_eq!(read("CELLS_MAX_CONNECTIONS", "8").unwrap().max_connections, 8);
        assert_eq!(
            read("CELLS_METRICS", "127.0.0.1:9090").unwrap().metrics,
            Some("127.0.0.1:9090".parse().unwrap())
        );
        assert_eq!(
            read("CELLS_COOKIE_KEY", "0123456789abcdef").unwrap().cookie_key.unwrap().bytes(),
            b"0123456789abcdef"
        );
        let usual = read("OTHER", "").unwrap();
        assert_eq!((usual.max_requests, usual.max_connections), (MAX_REQUESTS, MAX_CONNECTIONS));
        assert!(usual.metrics.is_none() && usual.cookie_key.is_none());
    }

    #[test]
    fn invalid_variables_are_named() {
        for (name, value, problem) in [
            ("CELLS_MAX_REQUESTS", "0", "`0` is not a whole number of at least 1"),
            ("CELLS_MAX_CONNECTIONS", "many", "`many` is not a whole number of at least 1"),
            ("CELLS_METRICS", "9090", "`9090` is not an address and a port"),
            ("CELLS_COOKIE_KEY", "short", "has fewer than 16 bytes"),
        ] {
            assert_eq!(read(name, value).unwrap_err(), format!("variable {name}: {problem}"));
        }
    }

    #[test]
    fn a_key_is_not_shown() {
        let settings = read("CELLS_COOKIE_KEY", "0123456789abcdef").unwrap();
        assert!(!format!("{settings:?}").contains("0123"));
    }
}
