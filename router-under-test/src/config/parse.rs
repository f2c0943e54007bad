//! Parses the JSON document into a consistent [`Topology`].

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use http::uri::PathAndQuery;
use serde_json::Value;

use super::cell_url::{CellUrl, CellUrlError};
use super::error::MemberError;
use super::member::Member;
use super::settings::Settings;
use super::topology::{
    CellConfig, CellIndex, Limits, MOST_CELLS, MOST_LATER_CELLS, Protocol, Topology,
};
use crate::wire;

/// The version of the contract that this router follows.
const VERSION: u64 = 1;

/// What the variables say besides the file; each must agree with it.
#[derive(Debug, Default)]
pub(super) struct Variables {
    pub(super) listen: Option<String>,
    pub(super) region: Option<String>,
    pub(super) protocol: Option<String>,
}

/// Reads the document; members that are not known are ignored (Z-40).
pub(super) fn topology(document: &Value, variables: &Variables) -> Result<Topology, MemberError> {
    let document = Member::document(document);
    let version = document.member("version")?;
    let number = version.number(0)?;
    if number != VERSION {
        return Err(version.error(format!("is {number}, this router knows {VERSION}")));
    }
    let protocol = protocol(&document, variables)?;
    let region_member = document.member("region")?;
    let region = region_member.text()?;
    agree(&region_member, region, variables.region.as_deref(), wire::REGION_VARIABLE)?;
    let listen = listen(&document.member("listen")?, variables)?;
    let limits = limits(&document.member("limits")?)?;
    let capabilities = capabilities(&document)?;
    let cache = document.member("cache")?;

    let cells_member = document.member("cells")?;
    let (cells, regions) = cells(&cells_member)?;
    if let Some(cell) = cells.iter().find(|cell| is_reached_at(&cell.url, listen)) {
        return Err(cells_member.error(format!(
            "the url of `{}` is the address of the router itself: its requests would come back",
            cell.id
        )));
    }
    let (own, others): (Vec<_>, Vec<_>) =
        (0..cells.len()).map(CellIndex::nth).partition(|index| regions[index.index()] == region);
    if own.is_empty() {
        return Err(cells_member.error(format!("no cell is in the router's region `{region}`")));
    }
    let latest_cell = match document.optional("latest_cell")? {
        None => None,
        Some(member) => {
            let id = member.text()?;
            let index = cells.iter().position(|cell| cell.id == id);
            Some(index.ok_or_else(|| member.error(format!("`{id}` is not the id of a cell")))?)
        }
    };

    Ok(Topology {
        protocol,
        listen,
        ttl: Duration::from_millis(cache.member("ttl_ms")?.number(0)?),
        max_entries: usize::try_from(cache.member("max_entries")?.number(1)?).unwrap_or(usize::MAX),
        limits,
        not_found_delay: capabilities.not_found_delay,
        latest_cell: latest_cell.map(CellIndex::nth),
        cookie_cache: capabilities.cookie_cache,
        settings: Settings::default(),
        most_known: MOST_CELLS.min(cells.len() + MOST_LATER_CELLS),
        present: (0..cells.len()).map(CellIndex::nth).collect(),
        known: cells,
        own,
        others,
    })
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

fn protocol(document: &Member<'_>, variables: &Variables) -> Result<Protocol, MemberError> {
    let member = document.member("protocol")?;
    let name = member.text()?;
    let protocol = match name {
        wire::BUFFERING => Protocol::Buffering,
        wire::LEARNING => {
            Protocol::Learning { learn_path: learn_path(&document.member("learn_path")?)? }
        }
        other => return Err(member.error(format!("unknown protocol `{other}`"))),
    };
    agree(&member, name, variables.protocol.as_deref(), wire::PROTOCOL_VARIABLE)?;
    Ok(protocol)
}

fn learn_path(member: &Member<'_>) -> Result<String, MemberError> {
    let path = member.text()?;
    let usable =
        path.starts_with('/') && !path.contains(['?', '#']) && PathAndQuery::try_from(path).is_ok();
    if usable {
        Ok(path.to_owned())
    } else {
        Err(member.error(format!("`{path}` is not an absolute path without query")))
    }
}

fn listen(member: &Member<'_>, variables: &Variables) -> Result<SocketAddr, MemberError> {
    let address = |text: &str| text.parse::<SocketAddr>().ok();
    let text = member.text()?;
    let listen = address(text)
        .ok_or_else(|| member.error(format!("`{text}` is not an address and a port")))?;
    match variables.listen.as_deref() {
        Some(said) if address(said) != Some(listen) => {
            Err(disagreement(member, text, said, wire::LISTEN_VARIABLE))
        }
        _ => Ok(listen),
    }
}

fn limits(limits: &Member<'_>) -> Result<Limits, MemberError> {
    let millis = |name| Ok(Duration::from_millis(limits.member(name)?.number(1)?));
    Ok(Limits {
        max_hops: limits.member("max_hops")?.number(1)?,
        max_buffered_body_bytes: limits.member("max_buffered_body_bytes")?.number(0)?,
        connect_timeout: millis("connect_timeout_ms")?,
        response_timeout: millis("response_timeout_ms")?,
    })
}

/// The cells, and the region of each.
fn cells<'a>(member: &Member<'a>) -> Result<(Vec<CellConfig>, Vec<&'a str>), MemberError> {
    let items = member.items()?;
    if items.len() > MOST_CELLS {
        return Err(member.error(format!("more than {MOST_CELLS} cells")));
    }
    let mut taken = Taken::default();
    let mut cells = Vec::with_capacity(items.len());
    let mut regions = Vec::with_capacity(items.len());
    for item in &items {
        let (id, name) = (item.member("id")?, item.member("name")?);
        let address = item.member("url")?;
        taken.claim("id", &id, id.text()?.to_owned())?;
        taken.claim("name", &name, said_in_fields(&name)?.to_owned())?;
        let url: CellUrl = address
            .text()?
            .parse()
            .map_err(|error: CellUrlError| address.error(error.to_string()))?;
        taken.claim("url", &address, url.authority().to_owned())?;
        regions.push(item.member("region")?.text()?);
        cells.push(CellConfig { id: id.text()?.to_owned(), name: name.text()?.to_owned(), url });
    }
    Ok((cells, regions))
}

/// A cell's name, which has to be a value of a member list: a redirect names the cell by it (BF-10).
fn said_in_fields<'a>(name: &Member<'a>) -> Result<&'a str, MemberError> {
    let text = name.text()?;
    let is_outside = |character: char| ",}".contains(character) || character.is_ascii_control();
    if text.contains(is_outside) || text.trim_ascii() != text {
        return Err(name.error(format!(
            "`{text}` cannot stand in a response field, which takes no comma, closing brace or \
             control character, and no blank at either end"
        )));
    }
    Ok(text)
}

/// What each cell must have to itself.
#[derive(Default)]
struct Taken(HashMap<(&'static str, String), ()>);

impl Taken {
    fn claim(
        &mut self,
        what: &'static str,
        by: &Member<'_>,
        value: String,
    ) -> Result<(), MemberError> {
        let problem = format!("duplicate {what} `{value}`");
        match self.0.insert((what, value), ()) {
            None => Ok(()),
            Some(()) => Err(by.error(problem)),
        }
    }
}

/// What the file switches on.
#[derive(Default)]
struct Capabilities {
    cookie_cache: bool,
    not_found_delay: Duration,
}

fn capabilities(document: &Member<'_>) -> Result<Capabilities, MemberError> {
    let Some(capabilities) = document.optional("capabilities")? else {
        return Ok(Capabilities::default());
    };
    let cookie_cache =
        capabilities.optional("cookie_cache")?.map_or(Ok(false), |member| member.truth())?;
    let millis =
        capabilities.optional("not_found_delay_ms")?.map_or(Ok(0), |member| member.number(0))?;
    Ok(Capabilities { cookie_cache, not_found_delay: Duration::from_millis(millis) })
}

fn agree(
    member: &Member<'_>,
    value: &str,
    said: Option<&str>,
    variable: &str,
) -> Result<(), MemberError> {
    match said {
        Some(said) if said != value => Err(disagreement(member, value, said, variable)),
        _ => Ok(()),
    }
}

fn disagreement(member: &Member<'_>, value: &str, said: &str, variable: &str) -> MemberError {
    member.error(format!("is `{value}`, but {variable} is `{said}`"))
}
