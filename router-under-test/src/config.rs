//! The configuration: variables, and the topology file that one of them names. Both are checked
//! here, once, and held against each other.

use std::collections::HashSet;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, fs, io};

use http::uri::PathAndQuery;
use serde_json::Value;
use tracing_subscriber::filter::LevelFilter;

use crate::topology::{Limits, Protocol, Topology};

/// The version of the contract that this router follows.
const VERSION: u64 = 1;
/// A secret of fewer bytes could be guessed. Blanks do not count.
const SHORTEST_SECRET: usize = 16;
/// A secret that repeats a few bytes could be guessed, too.
const FEWEST_DIFFERENT: usize = 5;

/// Gives the variables that configure the router; none where one is not set.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// All that the router is told.
#[derive(Clone)]
pub struct Config {
    /// What the topology file says.
    pub topology: Topology,
    /// What the operator sets in variables.
    pub settings: Settings,
}

/// Why the configuration is unusable: the operator's error, never a cell's or a user's. It names
/// the variable, or the file and its member, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// Reads the variables and the topology file.
///
/// # Errors
///
/// Whatever of it is missing, malformed, or at odds with the rest.
pub fn load(environment: Environment<'_>) -> Result<Config, ConfigError> {
    let path = environment("CELLS_TOPOLOGY").map(PathBuf::from);
    let unset = "variable CELLS_TOPOLOGY is not set; it names the topology file (JSON)";
    let path = path.ok_or_else(|| ConfigError(unset.to_owned()))?;
    let in_file = |what: String| ConfigError(format!("topology file {}{what}", path.display()));
    let text = read(&path).map_err(|error| in_file(format!(" cannot be read: {error}")))?;
    let document = serde_json::from_slice(&text);
    let document = document.map_err(|error| in_file(format!(" is not JSON: {error}")))?;
    let topology = topology(document).map_err(|problem| in_file(format!(": {problem}")))?;

    let listen = topology.listen.to_string();
    for (member, value, variable) in [
        ("protocol", topology.protocol.name(), "CELLS_PROTOCOL"),
        ("region", &topology.region, "CELLS_REGION"),
        ("listen", &listen, "CELLS_LISTEN"),
    ] {
        let Some(said) = text_of(environment, variable)? else { continue };
        // An address has several spellings.
        if said != value && said.parse() != Ok(topology.listen) {
            return Err(in_file(format!(": {member}: is `{value}`, but {variable} is `{said}`")));
        }
    }
    let settings = Settings::read(environment, topology.cells.len())?;
    if topology.capabilities.cookie_cache && settings.cookie_key.is_none() {
        let problem = "is not set, and `capabilities.cookie_cache` switches the route cookie on: \
                       give all routers of the fleet the same secret";
        return Err(unusable("CELLS_COOKIE_KEY", problem));
    }
    Ok(Config { topology, settings })
}

/// Reads a regular file; to open a pipe would be to wait until somebody writes.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    fs::read(path)
}

/// Reads the topology, and checks what its members say of each other.
fn topology(document: Value) -> Result<Topology, String> {
    let topology: Topology =
        serde_path_to_error::deserialize(document).map_err(|error| error.to_string())?;
    let Topology { version, region, listen, .. } = &topology;
    if *version != VERSION {
        return Err(format!("version: is {version}, this router knows {VERSION}"));
    }
    if let Protocol::Learning { learn_path: path } = &topology.protocol
        && (!path.starts_with('/')
            || path.contains(['?', '#'])
            || PathAndQuery::from_str(path).is_err())
    {
        return Err(format!("learn_path: `{path}` is not an absolute path without query"));
    }
    let Limits { max_hops, connect_timeout, response_timeout, .. } = topology.limits;
    if max_hops == 0 || connect_timeout.is_zero() || response_timeout.is_zero() {
        return Err("limits: `max_hops` and both timeouts must be at least 1".to_owned());
    }
    if topology.by_region().0.is_empty() {
        return Err(format!("cells: no cell is in the router's region `{region}`"));
    }
    if topology.latest().is_none()
        && let Some(id) = &topology.latest_cell
    {
        return Err(format!("latest_cell: `{id}` is not the id of a cell"));
    }
    // One that listens at all addresses is reached at those of the machine itself, too.
    let leads_here = |address: SocketAddr| {
        let is_own = listen.ip().is_unspecified() && address.ip().is_loopback();
        address.port() == listen.port() && (is_own || address.ip() == listen.ip())
    };
    let mut taken = HashSet::new();
    for (index, cell) in topology.cells.iter().enumerate() {
        let (name, url) = (&*cell.name, cell.url.authority());
        for (what, value) in [("id", &*cell.id), ("name", name), ("url", url)] {
            if value.is_empty() || !taken.insert((what, value)) {
                return Err(format!("cells[{index}].{what}: empty or duplicate: `{value}`"));
            }
        }
        if !can_stand_in_fields(name) {
            let problem = "cannot stand in a response field, which takes no comma, closing brace \
                           or control character, and no blank at either end";
            return Err(format!("cells[{index}].name: `{name}` {problem}"));
        }
        if url.parse().is_ok_and(leads_here) {
            let problem = "is the address of the router itself: its requests would come back";
            return Err(format!("cells[{index}].url: `{url}` {problem}"));
        }
    }
    Ok(topology)
}

/// Whether a name can be a value of a member list: a redirect names the cell by it (BF-10).
fn can_stand_in_fields(name: &str) -> bool {
    let is_outside = |character: char| ",}".contains(character) || character.is_ascii_control();
    !name.contains(is_outside) && name.trim_ascii() == name
}

/// What the operator sets in variables alone. It cannot be printed, so that no log has the secret.
#[derive(Clone)]
pub struct Settings {
    /// How much is logged.
    pub log: LevelFilter,
    /// Requests that may be under way; more are refused.
    pub max_requests: usize,
    /// Connections of users that may be open; more wait to be accepted. Each takes a file
    /// descriptor.
    pub max_connections: usize,
    /// Requests of users that one cell may have under way; more are refused.
    pub max_cell_requests: usize,
    /// Bytes that users' bodies may take at once.
    pub max_buffered_bytes: usize,
    /// How long a user may take for a head, from when the router waits for it.
    pub head_timeout: Duration,
    /// How long a user may send nothing of a body, and a user or a cell take nothing of a message.
    pub silence: Duration,
    /// Where metrics are served, if anywhere.
    pub metrics: Option<SocketAddr>,
    /// The secret behind the second-level cookie, where one is given (CA-15).
    pub cookie_key: Option<String>,
}

impl Settings {
    /// Reads the variables; one that is not set has its default. Of several cells none may have
    /// more than half of all requests; one cell alone may have all.
    fn read(environment: Environment<'_>, cells: usize) -> Result<Self, ConfigError> {
        let number = |name, usual| -> Result<usize, ConfigError> {
            let number = parsed(environment, name, "a whole number of at least 1")?;
            Ok(number.map_or(usual, NonZeroUsize::get))
        };
        let millis = |name, usual| Ok(Duration::from_millis(number(name, usual)? as u64));
        let max_requests = number("CELLS_MAX_REQUESTS", 10_000)?;
        let share = if cells > 1 { max_requests.div_ceil(2) } else { max_requests };
        let levels = "`off`, `error`, `warn`, `info`, `debug` or `trace`";
        Ok(Self {
            log: parsed(environment, "CELLS_LOG", levels)?.unwrap_or(LevelFilter::WARN),
            max_requests,
            max_connections: number("CELLS_MAX_CONNECTIONS", 20_000)?,
            max_cell_requests: number("CELLS_MAX_REQUESTS_PER_CELL", share)?,
            max_buffered_bytes: number("CELLS_MAX_BUFFERED_BYTES", 1 << 30)?,
            head_timeout: millis("CELLS_HEAD_TIMEOUT_MS", 20_000)?,
            silence: millis("CELLS_SILENCE_MS", 60_000)?,
            metrics: parsed(environment, "CELLS_METRICS", "an address and a port")?,
            cookie_key: secret(environment, "CELLS_COOKIE_KEY")?,
        })
    }
}

fn text_of(environment: Environment<'_>, name: &str) -> Result<Option<String>, ConfigError> {
    let text = environment(name).map(OsString::into_string).transpose();
    text.map_err(|_| unusable(name, "is not UTF-8"))
}

/// A variable that has to be `what`; none where it is not set.
fn parsed<T: FromStr>(
    environment: Environment<'_>,
    name: &str,
    what: &str,
) -> Result<Option<T>, ConfigError> {
    let Some(text) = text_of(environment, name)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| unusable(name, format!("`{text}` is not {what}")))
}

fn secret(environment: Environment<'_>, name: &str) -> Result<Option<String>, ConfigError> {
    let Some(text) = text_of(environment, name)? else { return Ok(None) };
    let bytes = || text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    if bytes().count() < SHORTEST_SECRET {
        Err(unusable(name, format!("has fewer than {SHORTEST_SECRET} bytes")))
    } else if bytes().collect::<HashSet<_>>().len() < FEWEST_DIFFERENT {
        let problem = "different bytes, and could be guessed";
        Err(unusable(name, format!("has fewer than {FEWEST_DIFFERENT} {problem}")))
    } else {
        Ok(Some(text))
    }
}

fn unusable(name: &str, problem: impl fmt::Display) -> ConfigError {
    ConfigError(format!("variable {name}: {problem}"))
}

#[cfg(test)]
pub(crate) mod tests;
