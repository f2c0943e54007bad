//! The configuration: variables, and the topology file that one of them names. Both are checked
//! here, once, and held against each other.

use std::collections::HashSet;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, fs, io};

use http::uri::PathAndQuery;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::topology::{Cell, CellIndex, CellUrl, CellUrlError, Limits, Protocol, Topology};
use crate::wire;

/// The version of the contract that this router follows.
const VERSION: u64 = 1;
/// A secret of fewer bytes could be guessed. Blanks do not count.
const SHORTEST_SECRET: usize = 16;
/// A secret that repeats a few bytes could be guessed, too.
const FEWEST_DIFFERENT: usize = 5;

/// A source of the variables that configure the router.
pub trait Environment {
    /// The value of a variable, or `None` where it is not set.
    fn variable(&self, name: &str) -> Option<OsString>;
}

/// The environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }
}

impl<F: Fn(&str) -> Option<OsString>> Environment for F {
    fn variable(&self, name: &str) -> Option<OsString> {
        self(name)
    }
}

/// All that the router is told.
#[derive(Clone, Debug)]
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
pub fn load(environment: &dyn Environment) -> Result<Config, ConfigError> {
    let variables = Variables(environment);
    let path =
        environment.variable(wire::TOPOLOGY_VARIABLE).map(PathBuf::from).ok_or_else(|| {
            let name = wire::TOPOLOGY_VARIABLE;
            ConfigError(format!("variable {name} is not set; it names the topology file (JSON)"))
        })?;
    let file = format!("topology file {}", path.display());
    let text =
        read(&path).map_err(|error| ConfigError(format!("{file} cannot be read: {error}")))?;
    let document = serde_json::from_slice(&text)
        .map_err(|error| ConfigError(format!("{file} is not JSON: {error}")))?;
    let topology =
        topology(document).map_err(|problem| ConfigError(format!("{file}: {problem}")))?;

    let listen = topology.listen.to_string();
    for (member, value, variable) in [
        ("protocol", topology.protocol.name(), wire::PROTOCOL_VARIABLE),
        ("region", &topology.region, wire::REGION_VARIABLE),
        ("listen", &listen, wire::LISTEN_VARIABLE),
    ] {
        let Some(said) = variables.text(variable)? else { continue };
        let is_same_address = member == "listen" && said.parse() == Ok(topology.listen);
        if said != value && !is_same_address {
            let problem = wrong(member, format!("is `{value}`, but {variable} is `{said}`"));
            return Err(ConfigError(format!("{file}: {problem}")));
        }
    }
    let settings = Settings::read(&variables, topology.cells.len())?;
    if topology.cookie_cache && settings.cookie_key.is_none() {
        let problem = "is not set, and `capabilities.cookie_cache` switches the route cookie on: \
                       give all routers of the fleet the same secret";
        return Err(unusable(wire::COOKIE_KEY_VARIABLE, problem));
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

// The document. Members that are not known are skipped (Z-40). Each object has the member `_others`
// for them, because serde would take an array for a struct without it.

#[derive(Deserialize)]
struct Document {
    version: Whole<0>,
    protocol: Text,
    #[serde(default, deserialize_with = "given")]
    learn_path: Option<Text>,
    region: Text,
    listen: Text,
    cache: CacheMember,
    limits: LimitsMember,
    #[serde(default)]
    capabilities: Capabilities,
    #[serde(default, deserialize_with = "given")]
    latest_cell: Option<Text>,
    cells: Vec<CellMember>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Deserialize)]
struct CacheMember {
    ttl_ms: Whole<0>,
    max_entries: Whole<1>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Deserialize)]
struct LimitsMember {
    max_hops: Whole<1>,
    max_buffered_body_bytes: Whole<0>,
    connect_timeout_ms: Whole<1>,
    response_timeout_ms: Whole<1>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Capabilities {
    cookie_cache: bool,
    not_found_delay_ms: Whole<0>,
    #[serde(flatten)]
    _others: IgnoredAny,
}

#[derive(Deserialize)]
struct CellMember {
    id: Text,
    name: Text,
    url: Text,
    region: Text,
    #[serde(flatten)]
    _others: IgnoredAny,
}

/// A string that is not empty.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Text(String);

impl TryFrom<String> for Text {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        if text.is_empty() { Err("is empty") } else { Ok(Self(text)) }
    }
}

/// A whole number of at least `LEAST`.
#[derive(Default, Deserialize)]
#[serde(try_from = "Value")]
struct Whole<const LEAST: u64>(u64);

impl<const LEAST: u64> TryFrom<Value> for Whole<LEAST> {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value.as_u64() {
            Some(number) if number >= LEAST => Ok(Self(number)),
            Some(number) => Err(format!("is {number}, must be at least {LEAST}")),
            None => Err(format!("expected a whole number that is not negative, found {value}")),
        }
    }
}

impl<const LEAST: u64> Whole<LEAST> {
    fn millis(&self) -> Duration {
        Duration::from_millis(self.0)
    }
}

/// What may be missing, but is not `null` where it is there.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// What is wrong with a member, after its path.
fn wrong(member: impl fmt::Display, problem: impl fmt::Display) -> String {
    format!("member `{member}`: {problem}")
}

/// Checks the document, and what its members say of each other.
fn topology(document: Value) -> Result<Topology, String> {
    let document: Document =
        serde_path_to_error::deserialize(document).map_err(|error| match error.path() {
            path if path.iter().len() == 0 => error.inner().to_string(),
            path => wrong(path, error.inner()),
        })?;
    let version = document.version.0;
    if version != VERSION {
        return Err(wrong("version", format!("is {version}, this router knows {VERSION}")));
    }
    let protocol = match document.protocol.0.as_str() {
        wire::BUFFERING => Protocol::Buffering,
        wire::LEARNING => Protocol::Learning { learn_path: learn_path(document.learn_path)? },
        other => return Err(wrong("protocol", format!("unknown protocol `{other}`"))),
    };
    let listen = document.listen.0.parse().map_err(|_| {
        wrong("listen", format!("`{}` is not an address and a port", document.listen.0))
    })?;
    let region = document.region.0;
    let cells = cells(document.cells)?;
    if let Some(cell) = cells.iter().find(|cell| is_reached_at(&cell.url, listen)) {
        let problem = "is the address of the router itself: its requests would come back";
        return Err(wrong("cells", format!("the url of `{}` {problem}", cell.id)));
    }
    let (own, others): (Vec<_>, Vec<_>) =
        (0..cells.len()).map(CellIndex::nth).partition(|at| cells[at.index()].region == region);
    if own.is_empty() {
        return Err(wrong("cells", format!("no cell is in the router's region `{region}`")));
    }
    let latest_cell = document.latest_cell.map(|Text(id)| {
        let index = cells.iter().position(|cell| cell.id == id).map(CellIndex::nth);
        index.ok_or_else(|| wrong("latest_cell", format!("`{id}` is not the id of a cell")))
    });
    Ok(Topology {
        protocol,
        region,
        listen,
        ttl: document.cache.ttl_ms.millis(),
        max_entries: usize::try_from(document.cache.max_entries.0).unwrap_or(usize::MAX),
        limits: Limits {
            max_hops: document.limits.max_hops.0,
            max_buffered_body_bytes: document.limits.max_buffered_body_bytes.0,
            connect_timeout: document.limits.connect_timeout_ms.millis(),
            response_timeout: document.limits.response_timeout_ms.millis(),
        },
        not_found_delay: document.capabilities.not_found_delay_ms.millis(),
        latest_cell: latest_cell.transpose()?,
        cookie_cache: document.capabilities.cookie_cache,
        cells,
        own,
        others,
    })
}

fn learn_path(path: Option<Text>) -> Result<String, String> {
    let Text(path) = path.ok_or_else(|| wrong("learn_path", "is missing"))?;
    if path.starts_with('/') && !path.contains(['?', '#']) && PathAndQuery::from_str(&path).is_ok()
    {
        return Ok(path);
    }
    Err(wrong("learn_path", format!("`{path}` is not an absolute path without query")))
}

/// The cells; no two share an id, a name or an address.
fn cells(members: Vec<CellMember>) -> Result<Vec<Cell>, String> {
    if members.len() > CellIndex::MOST {
        return Err(wrong("cells", format!("more than {} cells", CellIndex::MOST)));
    }
    let mut taken = HashSet::new();
    let mut cells = Vec::with_capacity(members.len());
    for (index, member) in members.into_iter().enumerate() {
        let at = |name: &str| format!("cells[{index}].{name}");
        let (Text(id), Text(name), Text(region)) = (member.id, member.name, member.region);
        if !can_stand_in_fields(&name) {
            let problem = "cannot stand in a response field, which takes no comma, closing brace \
                           or control character, and no blank at either end";
            return Err(wrong(at("name"), format!("`{name}` {problem}")));
        }
        let url: CellUrl =
            member.url.0.parse().map_err(|error: CellUrlError| wrong(at("url"), error))?;
        for (what, value) in [("id", &*id), ("name", &name), ("url", url.authority())] {
            if !taken.insert((what, value.to_owned())) {
                return Err(wrong(at(what), format!("duplicate {what} `{value}`")));
            }
        }
        cells.push(Cell { id, name, url, region });
    }
    Ok(cells)
}

/// Whether a name can be a value of a member list: a redirect names the cell by it (BF-10).
fn can_stand_in_fields(name: &str) -> bool {
    let is_outside = |character: char| ",}".contains(character) || character.is_ascii_control();
    !name.contains(is_outside) && name.trim_ascii() == name
}

/// Whether this address of a cell leads to a router that listens there.
fn is_reached_at(url: &CellUrl, listen: SocketAddr) -> bool {
    url.fixed().is_some_and(|cell| {
        let same_host = cell.ip() == listen.ip()
            || listen.ip().is_unspecified() && cell.ip().is_loopback()
            || cell.ip().is_unspecified() && listen.ip().is_loopback();
        same_host && cell.port() == listen.port() && cell.port() != 0
    })
}

/// What the operator sets in variables alone.
#[derive(Clone, Debug)]
pub struct Settings {
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
    pub cookie_key: Option<Secret>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_requests: 10_000,
            max_connections: 20_000,
            max_cell_requests: 10_000,
            max_buffered_bytes: 1 << 30,
            head_timeout: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            metrics: None,
            cookie_key: None,
        }
    }
}

impl Settings {
    /// Reads the variables; one that is not set has its default. Of several cells none may have
    /// more than half of all requests; one cell alone may have all.
    fn read(variables: &Variables<'_>, cells: usize) -> Result<Self, ConfigError> {
        let usual = Self::default();
        let number = |name, usual| Ok(variables.number(name)?.unwrap_or(usual));
        let millis = |name, usual| {
            Ok(variables.number(name)?.map_or(usual, |millis| Duration::from_millis(millis as u64)))
        };
        let max_requests = number(wire::MAX_REQUESTS_VARIABLE, usual.max_requests)?;
        let share = if cells > 1 { max_requests.div_ceil(2) } else { max_requests };
        Ok(Self {
            max_requests,
            max_connections: number(wire::MAX_CONNECTIONS_VARIABLE, usual.max_connections)?,
            max_cell_requests: number(wire::CELL_REQUESTS_VARIABLE, share)?,
            max_buffered_bytes: number(wire::BUFFERED_VARIABLE, usual.max_buffered_bytes)?,
            head_timeout: millis(wire::HEAD_TIMEOUT_VARIABLE, usual.head_timeout)?,
            silence: millis(wire::SILENCE_VARIABLE, usual.silence)?,
            metrics: variables.address(wire::METRICS_VARIABLE)?,
            cookie_key: variables.secret(wire::COOKIE_KEY_VARIABLE)?,
        })
    }
}

/// A secret that is never logged.
#[derive(Clone)]
pub struct Secret(Vec<u8>);

impl Secret {
    /// The secret itself.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

#[cfg(test)]
impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

/// The variables by what they hold; `None` where one is not set.
struct Variables<'a>(&'a dyn Environment);

impl Variables<'_> {
    fn text(&self, name: &'static str) -> Result<Option<String>, ConfigError> {
        let text = self.0.variable(name).map(OsString::into_string).transpose();
        text.map_err(|_| unusable(name, "is not UTF-8"))
    }

    fn number(&self, name: &'static str) -> Result<Option<usize>, ConfigError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        match text.parse() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(unusable(name, format!("`{text}` is not a whole number of at least 1"))),
        }
    }

    fn address(&self, name: &'static str) -> Result<Option<SocketAddr>, ConfigError> {
        let address = self.text(name)?.map(|text| {
            text.parse()
                .map_err(|_| unusable(name, format!("`{text}` is not an address and a port")))
        });
        address.transpose()
    }

    fn secret(&self, name: &'static str) -> Result<Option<Secret>, ConfigError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let bytes = || text.bytes().filter(|byte| !byte.is_ascii_whitespace());
        if bytes().count() < SHORTEST_SECRET {
            Err(unusable(name, format!("has fewer than {SHORTEST_SECRET} bytes")))
        } else if bytes().collect::<HashSet<_>>().len() < FEWEST_DIFFERENT {
            let problem = "different bytes, and could be guessed";
            Err(unusable(name, format!("has fewer than {FEWEST_DIFFERENT} {problem}")))
        } else {
            Ok(Some(Secret(text.into_bytes())))
        }
    }
}

fn unusable(name: &str, problem: impl fmt::Display) -> ConfigError {
    ConfigError(format!("variable {name}: {problem}"))
}

#[cfg(test)]
pub(crate) mod tests;
