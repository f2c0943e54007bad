//! Settings that an operator gives in variables alone; the topology file has none of them.

use std::collections::HashSet;
use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use super::environment::Environment;
use super::error::ConfigError;
use super::proxies::Proxies;
use super::user_timeouts::{BodyTimeout, UserTimeouts};
use crate::wire;

/// Requests that may be under way in the process, unless the operator says otherwise.
pub(super) const MAX_REQUESTS: usize = 10_000;
/// Connections of users that may be open, unless the operator says otherwise. Each takes a file
/// descriptor.
pub(super) const MAX_CONNECTIONS: usize = 20_000;
/// Bytes that users' bodies may take at once, unless the operator says otherwise.
const MAX_BUFFERED: usize = 1 << 30;
/// How long users may keep the router waiting, unless the operator says otherwise: for heads and
/// bodies as servers are usually told to (Apache's `mod_reqtimeout`). Users who close the sending
/// half and wait for a response are rare and pages take less than the limit; whoever has gone looks
/// the same, and should hold nothing for longer.
const USER_TIMEOUTS: UserTimeouts = UserTimeouts {
    head: Duration::from_secs(20),
    body: BodyTimeout { grace: Duration::from_secs(20), rate: 500, pause: Duration::from_secs(60) },
    half_closed: Duration::from_secs(10),
    tunnel: Duration::from_secs(600),
};
/// A key of fewer bytes could be guessed. Blanks do not count.
const SHORTEST_KEY: usize = 16;
/// A key that repeats a few bytes could be guessed, too.
const FEWEST_DIFFERENT: usize = 5;

/// The operator's settings.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Requests that may be under way; more are refused. Read for the process, then divided among
    /// threads.
    pub(crate) max_requests: usize,
    /// Connections of users that may be open; more wait to be accepted. Divided in the same way.
    pub(crate) max_connections: usize,
    /// Requests of users that one cell may have under way; more are refused. Divided in the same
    /// way, as are those that follow.
    pub(crate) max_cell_requests: usize,
    /// Pre-flights that one cell may have under way; another cell is asked beyond it.
    pub(crate) max_cell_pre_flights: usize,
    /// Connections to one cell, idle ones and tunnels included.
    pub(crate) max_cell_connections: usize,
    /// Connections of one address. Divided in the same way.
    pub(crate) max_address_connections: usize,
    /// Bytes that users' bodies may take at once. Divided in the same way.
    pub(crate) max_buffered_bytes: usize,
    /// How long users may keep the router waiting.
    pub(crate) user_timeouts: UserTimeouts,
    /// The proxies that speak for users.
    pub(crate) trusted_proxies: Proxies,
    /// Whether those proxies say in front of each connection whose it is, and nobody else connects.
    pub(crate) proxy_protocol: bool,
    /// Where the access log goes, if anywhere.
    pub(crate) access_log: Option<Stream>,
    /// Whether each request gets an id.
    pub(crate) request_ids: bool,
    /// Where metrics are served, if anywhere.
    pub(crate) metrics: Option<SocketAddr>,
    /// The secret behind the second-level cookie, where one is given.
    pub(crate) cookie_key: Option<Key>,
}

/// A stream of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Output,
    Error,
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
            max_cell_requests: MAX_REQUESTS,
            max_cell_pre_flights: MAX_REQUESTS,
            max_cell_connections: MAX_CONNECTIONS,
            max_address_connections: MAX_CONNECTIONS,
            max_buffered_bytes: MAX_BUFFERED,
            user_timeouts: USER_TIMEOUTS,
            trusted_proxies: Proxies::default(),
            proxy_protocol: false,
            access_log: None,
            request_ids: false,
            metrics: None,
            cookie_key: None,
        }
    }
}

impl Settings {
    /// Reads the variables; one that is not set has its default.
    ///
    /// Of `cells` cells none may have more than half of everything, and a quarter of that for
    /// pre-flights; one cell alone may have all.
    pub(super) fn read(environment: &dyn Environment, cells: usize) -> Result<Self, ConfigError> {
        let usual = Self::default();
        let or = |name, usual| Ok(number(environment, name)?.unwrap_or(usual));
        let part = |whole: usize| if cells > 1 { whole.div_ceil(2) } else { whole };
        let max_requests = or(wire::MAX_REQUESTS_VARIABLE, usual.max_requests)?;
        let max_connections = or(wire::MAX_CONNECTIONS_VARIABLE, usual.max_connections)?;
        let trusted_proxies = proxies(environment)?;
        let max_cell_requests = or(wire::CELL_REQUESTS_VARIABLE, part(max_requests))?;
        Ok(Self {
            max_requests,
            max_connections,
            max_cell_requests,
            max_cell_pre_flights: or(
                wire::CELL_PREFLIGHTS_VARIABLE,
                max_cell_requests.div_ceil(4),
            )?,
            max_cell_connections: or(wire::CELL_CONNECTIONS_VARIABLE, part(max_connections))?,
            max_address_connections: or(wire::ADDRESS_CONNECTIONS_VARIABLE, max_connections)?,
            max_buffered_bytes: or(wire::BUFFERED_VARIABLE, usual.max_buffered_bytes)?,
            user_timeouts: user_timeouts(environment)?,
            proxy_protocol: proxy_protocol(environment, &trusted_proxies)?,
            trusted_proxies,
            access_log: one_of(
                environment,
                wire::ACCESS_LOG_VARIABLE,
                &[("off", None), ("stdout", Some(Stream::Output)), ("stderr", Some(Stream::Error))],
            )?,
            request_ids: one_of(
                environment,
                wire::REQUEST_ID_VARIABLE,
                &[("off", false), ("on", true)],
            )?,
            metrics: address(environment, wire::METRICS_VARIABLE)?,
            cookie_key: key(environment, wire::COOKIE_KEY_VARIABLE)?,
        })
    }
}

/// The text of a variable; none where it is not set.
pub(super) fn text_variable(
    environment: &dyn Environment,
    name: &'static str,
) -> Result<Option<String>, ConfigError> {
    environment
        .variable(name)
        .map(|value| {
            value
                .into_string()
                .map_err(|_| ConfigError::Variable { name, problem: "is not UTF-8".to_owned() })
        })
        .transpose()
}

fn number(environment: &dyn Environment, name: &'static str) -> Result<Option<usize>, ConfigError> {
    let Some(text) = text_variable(environment, name)? else { return Ok(None) };
    match text.parse() {
        Ok(number) if number > 0 => Ok(Some(number)),
        _ => Err(ConfigError::Variable {
            name,
            problem: format!("`{text}` is not a whole number of at least 1"),
        }),
    }
}

fn user_timeouts(environment: &dyn Environment) -> Result<UserTimeouts, ConfigError> {
    let or = |name, usual| Ok(millis(environment, name)?.unwrap_or(usual));
    let rate = number(environment, wire::BODY_RATE_VARIABLE)?;
    Ok(UserTimeouts {
        head: or(wire::HEAD_TIMEOUT_VARIABLE, USER_TIMEOUTS.head)?,
        body: BodyTimeout {
            grace: or(wire::BODY_GRACE_VARIABLE, USER_TIMEOUTS.body.grace)?,
            rate: rate.map_or(USER_TIMEOUTS.body.rate, |rate| rate as u64),
            ..USER_TIMEOUTS.body
        },
        tunnel: or(wire::TUNNEL_IDLE_VARIABLE, USER_TIMEOUTS.tunnel)?,
        half_closed: or(wire::HALF_CLOSED_VARIABLE, USER_TIMEOUTS.half_closed)?,
    })
}

fn millis(
    environment: &dyn Environment,
    name: &'static str,
) -> Result<Option<Duration>, ConfigError> {
    Ok(number(environment, name)?.map(|number| Duration::from_millis(number as u64)))
}

fn proxies(environment: &dyn Environment) -> Result<Proxies, ConfigError> {
    let name = wire::PROXIES_VARIABLE;
    let text = text_variable(environment, name)?.unwrap_or_default();
    text.parse().map_err(|part| ConfigError::Variable {
        name,
        problem: format!("`{part}` is neither an address nor a network like `10.0.0.0/8`"),
    })
}

fn proxy_protocol(environment: &dyn Environment, trusted: &Proxies) -> Result<bool, ConfigError> {
    let name = wire::PROXY_PROTOCOL_VARIABLE;
    let is_on = one_of(environment, name, &[("off", false), ("v2", true)])?;
    if is_on && trusted.is_empty() {
        let problem = format!(
            "needs {}: from nobody else is a connection accepted then",
            wire::PROXIES_VARIABLE
        );
        return Err(ConfigError::Variable { name, problem });
    }
    Ok(is_on)
}

/// What one of these words stands for; the first one where the variable is not set.
fn one_of<T: Copy>(
    environment: &dyn Environment,
    name: &'static str,
    words: &[(&str, T)],
) -> Result<T, ConfigError> {
    let text = text_variable(environment, name)?;
    let text = text.as_deref().unwrap_or(words[0].0);
    let found = words.iter().find(|(word, _)| *word == text);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words: Vec<_> = words.iter().map(|(word, _)| format!("`{word}`")).collect();
        ConfigError::Variable {
            name,
            problem: format!("`{text}` is neither {}", words.join(" nor ")),
        }
    })
}

fn address(
    environment: &dyn Environment,
    name: &'static str,
) -> Result<Option<SocketAddr>, ConfigError> {
    let Some(text) = text_variable(environment, name)? else { return Ok(None) };
    let address = text.parse().map_err(|_| ConfigError::Variable {
        name,
        problem: format!("`{text}` is not an address and a port"),
    })?;
    Ok(Some(address))
}

fn key(environment: &dyn Environment, name: &'static str) -> Result<Option<Key>, ConfigError> {
    let Some(text) = text_variable(environment, name)? else { return Ok(None) };
    let bytes = || text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let different: HashSet<u8> = bytes().collect();
    let problem = if bytes().count() < SHORTEST_KEY {
        format!("has fewer than {SHORTEST_KEY} bytes")
    } else if different.len() < FEWEST_DIFFERENT {
        format!("has fewer than {FEWEST_DIFFERENT} different bytes, and could be guessed")
    } else {
        return Ok(Some(Key(text.into_bytes())));
    };
    Err(ConfigError::Variable { name, problem })
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
        Settings::read(&environment, 2).map_err(|error| error.to_string())
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
        assert_eq!(read("CELLS_MAX_REQUESTS_PER_CELL", "9").unwrap().max_cell_requests, 9);
        assert_eq!(read("CELLS_MAX_PREFLIGHTS_PER_CELL", "3").unwrap().max_cell_pre_flights, 3);
        assert_eq!(read("CELLS_MAX_CONNECTIONS_PER_CELL", "5").unwrap().max_cell_connections, 5);
        assert_eq!(
            read("CELLS_HALF_CLOSED_MS", "250").unwrap().user_timeouts.half_closed,
            Duration::from_millis(250)
        );
        let address = read("CELLS_MAX_CONNECTIONS_PER_ADDRESS", "5").unwrap();
        assert_eq!(address.max_address_connections, 5);
        assert_eq!(read("CELLS_MAX_BUFFERED_BYTES", "5").unwrap().max_buffered_bytes, 5);
        let second = Duration::from_secs(1);
        assert_eq!(read("CELLS_HEAD_TIMEOUT_MS", "1000").unwrap().user_timeouts.head, second);
        assert_eq!(read("CELLS_BODY_GRACE_MS", "1000").unwrap().user_timeouts.body.grace, second);
        assert_eq!(read("CELLS_BODY_RATE", "9").unwrap().user_timeouts.body.rate, 9);
        assert_eq!(read("CELLS_TUNNEL_IDLE_MS", "1000").unwrap().user_timeouts.tunnel, second);
        let usual = read("OTHER", "").unwrap();
        assert_eq!(usual.max_cell_requests, MAX_REQUESTS / 2);
        assert_eq!(usual.max_cell_pre_flights, MAX_REQUESTS / 8);
        assert_eq!(usual.max_cell_connections, MAX_CONNECTIONS / 2);
        assert_eq!((usual.max_requests, usual.max_connections), (MAX_REQUESTS, MAX_CONNECTIONS));
        assert!(usual.metrics.is_none() && usual.cookie_key.is_none());
    }

    #[test]
    fn invalid_variables_are_named() {
        for (name, value, problem) in [
            ("CELLS_MAX_REQUESTS", "0", "`0` is not a whole number of at least 1"),
            ("CELLS_MAX_CONNECTIONS", "many", "`many` is not a whole number of at least 1"),
            ("CELLS_METRICS", "9090", "`9090` is not an address and a port"),
            (
                "CELLS_TRUSTED_PROXIES",
                "1.2.3.4, x",
                "`x` is neither an address nor a network like `10.0.0.0/8`",
            ),
            ("CELLS_COOKIE_KEY", "short", "has fewer than 16 bytes"),
            ("CELLS_COOKIE_KEY", "                ", "has fewer than 16 bytes"),
            ("CELLS_COOKIE_KEY", "\tshort          \n", "has fewer than 16 bytes"),
            (
                "CELLS_COOKIE_KEY",
                "abcabcabcabcabcabcabc",
                "has fewer than 5 different bytes, and could be guessed",
            ),
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
