//! The router file: what a vendor declares about a router, instead of flags.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cell_fleet::{Protocol, WRITTEN_BY_PEOPLE, check_host, read_input};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use strum::VariantArray;

use crate::engine::record::KnownFailure;
use crate::stage::{FleetPlace, RouterCommand, placeholders};

/// What a router can claim beyond the protocols (the router contract, *Capabilities*).
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::Display,
    strum::IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Capability {
    /// A second-level cache in the user's cookies (CA-15).
    CookieCache,
    /// Responses with 404 from a cell are delayed by a random time (Z-80).
    NotFoundDelay,
    /// WebSocket (Z-23).
    Upgrade,
    /// 1xx responses other than 100 reach the user.
    EarlyHints,
    /// HTTP/1.0 users.
    Http10Clients,
    /// Limits hold exactly, not only approximately.
    ExactLimits,
    /// Requests go to another region's cell if no cell of the router's region can be reached.
    CrossRegionFallback,
    /// Cells are asked for their health on a declared path.
    HealthChecks,
}

/// What the reference router of this project claims.
pub const REFERENCE_CLAIMS: [Capability; 6] = [
    Capability::CookieCache,
    Capability::NotFoundDelay,
    Capability::Upgrade,
    Capability::Http10Clients,
    Capability::ExactLimits,
    Capability::CrossRegionFallback,
];

/// Whether scenarios that need this capability, or none, are about the reference router.
pub fn reference_claims(capability: Option<&str>) -> bool {
    capability
        .is_none_or(|needed| REFERENCE_CLAIMS.iter().any(|claimed| claimed.as_str() == needed))
}

impl Capability {
    /// All capabilities of the router contract.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// The spelling of router files and tags.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The requirement that says what the capability is, where it is weaker than a MUST. A router
    /// that lacks what it claims violates a MUST otherwise.
    pub(crate) fn promise(self) -> Option<&'static str> {
        match self {
            Self::CookieCache => Some("CA-15"),
            Self::Upgrade => Some("Z-23"),
            Self::CrossRegionFallback => Some("Z-16"),
            Self::NotFoundDelay
            | Self::EarlyHints
            | Self::Http10Clients
            | Self::ExactLimits
            | Self::HealthChecks => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RouterFile {
    pub name: String,
    #[serde(default)]
    pub version: Option<String>,
    /// Where to read about it.
    #[serde(default)]
    pub url: Option<String>,
    /// Whom to ask.
    #[serde(default)]
    pub contact: Option<String>,
    /// The command that starts it; a relative program is resolved from the file's folder. It may be
    /// missing where there are `addresses`.
    #[serde(default)]
    pub command: Vec<String>,
    /// The protocols that it claims to follow.
    protocols: Vec<Protocol>,
    #[serde(default)]
    pub capabilities: Vec<Capability>,
    /// The path on which it asks cells for their health, with `health-checks`.
    #[serde(default)]
    pub health_check_path: Option<String>,
    /// How long it may take until it accepts connections, where that is not the ten seconds of the
    /// contract.
    #[serde(default, deserialize_with = "start_timeout")]
    pub start_timeout: Option<Duration>,
    /// The address on which the cells listen, for routers in containers or on other machines.
    #[serde(default)]
    bind: Option<Ipv4Addr>,
    /// The host under which routers reach the cells, if it is another one than the cells listen on.
    #[serde(default)]
    advertise: Option<String>,
    /// Where its routers listen that run already, by region: `run --attach` asks them.
    #[serde(default)]
    pub addresses: BTreeMap<String, String>,
    /// The shell command that empties the cache of the running router of `CELLS_REGION` and makes it
    /// read the topology file in `CELLS_TOPOLOGY`.
    #[serde(default)]
    pub reset: Option<String>,
    /// Files and folders that `run --watch` watches, in addition to the command's own.
    #[serde(default)]
    watch: Vec<PathBuf>,
    /// Scenarios that are known not to pass.
    #[serde(default, rename = "known_failure")]
    pub known_failures: Vec<KnownFailure>,
    /// The file's folder.
    #[serde(skip)]
    folder: PathBuf,
}

/// The longest start that a router file may ask for.
const LONGEST_START: Duration = Duration::from_secs(600);

/// Seconds, or a text with a unit.
fn start_timeout<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let read = match toml::Value::deserialize(from)? {
        toml::Value::Integer(seconds) => u64::try_from(seconds).ok().map(Duration::from_secs),
        toml::Value::String(text) => humantime::parse_duration(&text).ok(),
        _ => None,
    };
    let fits = read.filter(|time| !time.is_zero() && *time <= LONGEST_START);
    fits.map(Some).ok_or_else(|| {
        D::Error::custom(
            "`start_timeout` needs seconds, like 30, or a text with a unit, like \"30s\"; it is more \
             than nothing and at most ten minutes",
        )
    })
}

/// Why a router file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the router file {}: {}; `cells-conformance init` writes an example",
    .path.display(),
    .why.trim_end()
)]
pub struct RouterFileError {
    path: PathBuf,
    why: String,
}

impl RouterFile {
    pub fn read(path: &Path) -> Result<Self, RouterFileError> {
        let error = |why: String| RouterFileError { path: path.to_owned(), why };
        let text = read_input(path, WRITTEN_BY_PEOPLE).map_err(|why| error(why.to_string()))?;
        let mut file = Self::parse(&text).map_err(error)?;
        file.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(file)
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let program = file.command.first().map_or("", |program| program.trim());
        if program.is_empty() && (file.addresses.is_empty() || !file.command.is_empty()) {
            return Err(
                "`command` is empty: it needs the program that starts the router".to_owned()
            );
        }
        placeholders::check(file.arguments()).map_err(|why| format!("`command`: {why}"))?;
        if let Some(host) = &file.advertise {
            check_host(host).map_err(|why| format!("`advertise`: {why}"))?;
        }
        // The topology file of routers that run already says where they reach the cells.
        let listens_everywhere = file.bind.is_some_and(|bind| bind.is_unspecified());
        if listens_everywhere && file.advertise.is_none() && file.addresses.is_empty() {
            return Err(
                "with `bind = \"0.0.0.0\"`, routers need to be told where the cells are: add \
                        `advertise = \"HOST\"`"
                    .to_owned(),
            );
        }
        if file.protocols.is_empty() {
            return Err("`protocols` is empty: a router that follows no protocol cannot be tested"
                .to_owned());
        }
        let mut known = file.known_failures.iter();
        match known.find(|entry| entry.reason.trim().is_empty()) {
            None => Ok(file),
            Some(entry) => Err(format!(
                "the known failure `{}` needs a reason: say why it fails, for the readers of reports",
                entry.scenario
            )),
        }
    }

    /// Whether it claims to follow a protocol.
    pub fn claims_protocol(&self, protocol: Protocol) -> bool {
        self.protocols.contains(&protocol)
    }

    /// The command, resolved so that it starts from any folder. `{folder}` stands for the folder of
    /// the file.
    pub fn router_command(&self) -> std::io::Result<RouterCommand> {
        let program = self.command.first().map_or("", String::as_str);
        RouterCommand::new(OsStr::new(program), self.arguments(), &self.folder)
    }

    pub(crate) fn place(&self) -> FleetPlace {
        FleetPlace { bind: self.bind, advertise: self.advertise.clone() }
    }

    /// The files that it names for `run --watch`, from its own folder.
    pub fn watched(&self) -> Vec<PathBuf> {
        self.watch.iter().map(|path| self.folder.join(path)).collect()
    }

    /// A note on an argument of the command that the router will not find.
    pub fn note_on_command(&self) -> Option<String> {
        placeholders::note_on_file(self.arguments(), &self.folder)
    }

    fn arguments(&self) -> impl Iterator<Item = &OsStr> {
        self.command.iter().skip(1).map(OsStr::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = concat!(
        "name = \"r\"\ncommand = [\"./start\"]\n",
        "protocols = [\"learning\"]\ncapabilities = [\"exact-limits\"]\n",
    );

    #[test]
    fn a_router_file_is_read() {
        let file = RouterFile::parse(VALID).unwrap();
        assert!(
            file.claims_protocol(Protocol::Learning) && !file.claims_protocol(Protocol::Buffering)
        );
        assert_eq!(file.capabilities, [Capability::ExactLimits]);
        assert!(Path::new(&file.router_command().unwrap().program).is_absolute());
    }

    #[test]
    fn an_unknown_or_missing_value_is_refused_by_name() {
        for (from, to, word) in [
            ("exact-limits", "telepathy", "telepathy"),
            ("learning", "guessing", "guessing"),
            ("[\"./start\"]", "[]", "command"),
            ("[\"learning\"]", "[]", "protocols"),
            ("name = \"r\"\n", "", "name"),
            ("name", "nom", "nom"),
            ("./start", "./start\", \"{listne}", "{listen} is meant"),
        ] {
            let error = RouterFile::parse(&VALID.replacen(from, to, 1)).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        let unexplained =
            format!("{VALID}[[known_failure]]\nscenario = \"a\"\nreason = \"\"\nlink = \"x\"\n");
        let error = RouterFile::parse(&unexplained).unwrap_err();
        assert!(error.contains("the known failure `a` needs a reason"), "{error}");
        let unlinked = unexplained.replace("reason = \"\"\nlink = \"x\"", "reason = \"young\"");
        assert_eq!(RouterFile::parse(&unlinked).unwrap().known_failures[0].link, "");
        let error = RouterFile::parse(&VALID.replacen("./start", " ", 1)).unwrap_err();
        assert!(error.contains("`command` is empty"), "{error}");
    }

    #[test]
    fn routers_need_to_be_told_where_cells_are_that_listen_everywhere() {
        let read = |more: &str| RouterFile::parse(&format!("{VALID}{more}"));
        let why = read("bind = \"0.0.0.0\"\n").unwrap_err();
        assert!(why.contains("`advertise = "), "{why}");
        let file = read("bind = \"0.0.0.0\"\nadvertise = \"suite.example\"\n").unwrap();
        assert_eq!(file.place().advertise.as_deref(), Some("suite.example"));
        assert!(read("advertise = \"http://a\"\n").unwrap_err().contains("`advertise`: "));
        let addresses = "addresses = { eu = \"http://127.0.0.1:1\" }\n";
        assert!(read(&format!("bind = \"0.0.0.0\"\n{addresses}")).is_ok());
        let running = format!("{VALID}{addresses}").replace("command = [\"./start\"]\n", "");
        assert!(RouterFile::parse(&running).is_ok());
    }

    #[test]
    fn a_start_may_take_as_long_as_the_file_says() {
        let read = |value: &str| RouterFile::parse(&format!("{VALID}start_timeout = {value}\n"));
        let time = |value| read(value).unwrap().start_timeout;
        assert_eq!(RouterFile::parse(VALID).unwrap().start_timeout, None);
        assert_eq!(time("30"), Some(Duration::from_secs(30)));
        assert_eq!(time("\"1m 30s\""), Some(Duration::from_secs(90)));
        for wrong in ["0", "-1", "601", "2.5", "\"soon\"", "true"] {
            assert!(read(wrong).unwrap_err().contains("`start_timeout` needs seconds"), "{wrong}");
        }
    }

    #[test]
    fn every_capability_is_spelled_as_it_is_read() {
        for &capability in Capability::ALL {
            let text = VALID.replace("exact-limits", capability.as_str());
            assert_eq!(RouterFile::parse(&text).unwrap().capabilities, [capability]);
        }
    }
}
