//! A user's request: checked to be one that can be forwarded, and made one for a cell.

use http::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, MAX_FORWARDS, TRANSFER_ENCODING, UPGRADE, VIA,
};
use http::request::Parts;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, Version};
use hyper::body::Body as _;

use crate::body::{Outgoing, Upload};
use crate::refusal::Refusal;
use crate::wire;

/// A request that can be forwarded.
#[derive(Debug)]
pub struct Arrival {
    /// The method, whatever it is (Z-98).
    pub method: Method,
    /// Byte for byte as the user sent it, without scheme and authority (Z-13).
    pub target: PathAndQuery,
    /// The fields; once [`Arrival::parse`] is over those that a cell may see.
    pub headers: HeaderMap,
}

impl Arrival {
    /// Takes a request apart, and says why it must not be forwarded, if that is so: no cell should
    /// have to interpret it.
    ///
    /// `user` is the user's address, and `own_host` stands in where a user of HTTP/1.0 sent no
    /// `Host`, since cells ask for one.
    pub(crate) fn parse(
        head: Parts,
        body: &Upload,
        user: HeaderValue,
        own_host: &HeaderValue,
    ) -> (Self, Option<Refusal>) {
        let Parts { method, uri, version, mut headers, .. } = head;
        let coding = coding(&headers);
        let target = target(&method, &uri);
        let host = host(&mut headers, &uri, version, own_host);
        // A protocol can be changed where nothing of this request is left to send (RFC 9110 7.8).
        if method != Method::GET || version != Version::HTTP_11 || !body.is_end_stream() {
            headers.remove(UPGRADE);
        }
        // This comes before anything that looks at the fields, so that nothing a user sends can
        // pass for a cell's word.
        fields(&mut headers, user);
        framing(&mut headers, body);
        let forwards = take_one_forward(&method, &mut headers);
        let refusal = coding.and(host).and(forwards).err();
        let (target, refusal) = match target {
            Ok(target) => (target, refusal),
            Err(bad) => (PathAndQuery::from_static("/"), refusal.or(Some(bad))),
        };
        (Self { method, target, headers }, refusal)
    }

    /// The path, without the query.
    #[must_use]
    pub fn path(&self) -> &str {
        self.target.path()
    }

    /// The request to a cell.
    pub fn to_cell(&self, body: Outgoing) -> Request<Outgoing> {
        let mut request = Request::new(body);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.target.clone().into();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

/// Refuses a coding besides `chunked`: nobody here could decode it, and its field ends here.
fn coding(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |coding: &HeaderValue| {
        coding.as_bytes().trim_ascii().eq_ignore_ascii_case(wire::CHUNKED.as_bytes())
    };
    match (codings.next(), codings.next()) {
        (None, _) => Ok(()),
        (Some(coding), None) if is_chunked(coding) => Ok(()),
        _ => Err(Refusal::UnknownCoding),
    }
}

/// The target without scheme and authority. The router opens no tunnels, and a target without a
/// path leads nowhere.
fn target(method: &Method, uri: &Uri) -> Result<PathAndQuery, Refusal> {
    let is_http = uri.scheme().is_none_or(|scheme| [Scheme::HTTP, Scheme::HTTPS].contains(scheme));
    let target = uri.path_and_query().filter(|_| is_http && *method != Method::CONNECT);
    match target {
        Some(target) if target.as_str() == "*" && method != Method::OPTIONS => None,
        // Where a fragment follows the authority, there is no path.
        Some(target) if target.as_str().is_empty() => return Ok(PathAndQuery::from_static("/")),
        Some(target) if target.path().starts_with('/') || target.as_str() == "*" => Some(target),
        _ => None,
    }
    .cloned()
    .ok_or(Refusal::BadTarget)
}

/// Leaves one `Host` (RFC 9112 3.2). An absolute target overrides it (RFC 9112 3.2.2).
fn host(
    headers: &mut HeaderMap,
    uri: &Uri,
    version: Version,
    own_host: &HeaderValue,
) -> Result<(), Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    let is_sent = match (hosts.next(), hosts.next()) {
        (Some(host), None) if is_host(host.as_bytes()) => true,
        (None, None) if version < Version::HTTP_11 => false,
        _ => return Err(Refusal::BadHost),
    };
    if let Some(authority) = uri.authority() {
        let host = HeaderValue::try_from(authority.as_str()).ok();
        let host = host.filter(|host| is_host(host.as_bytes())).ok_or(Refusal::BadTarget)?;
        headers.insert(HOST, host);
    } else if !is_sent {
        headers.insert(HOST, own_host.clone());
    }
    Ok(())
}

/// Whether this is a host with an optional port (RFC 9110 7.2): no user information, nothing that a
/// cell could take for a path.
fn is_host(text: &[u8]) -> bool {
    Authority::try_from(text).is_ok_and(|authority| {
        let (host, all) = (authority.host(), authority.as_str());
        let port = all.strip_prefix(host).unwrap_or("?");
        !host.is_empty() && (port.is_empty() || port == ":" || authority.port_u16().is_some())
    })
}

/// Makes the fields of a user's request those of the request to a cell.
///
/// The internal fields are dropped, because a user must not speak for a cell (Z-04). What a user
/// says about the way here is dropped too: users reach this router directly (RT-05), so nobody whom
/// a cell could trust has written it (Z-26). `Host` stays, and is what a cell makes public
/// addresses of; it is told as `X-Forwarded-Host` as well, with `X-Forwarded-Proto`, for cells that
/// look there first.
///
/// Of all changes of protocol only WebSocket is passed on (Z-23); see [`asks_for_websocket`].
fn fields(headers: &mut HeaderMap, user: HeaderValue) {
    let websocket = asks_for_websocket(headers);
    remove_listed(headers);
    remove_all(headers, |name| {
        is_one_hop(name) || wire::is_internal(name) || is_forwarding(name) || is_alias(name)
    });
    // The router reads the body itself, so it also responds to the expectation. What else a user
    // expects, a cell could read in another way (Z-67).
    headers.remove(EXPECT);
    headers.insert(wire::FORWARDED_FOR, user);
    if let Some(host) = headers.get(HOST).cloned() {
        headers.insert(wire::FORWARDED_HOST, host);
    }
    headers.insert(wire::FORWARDED_PROTO, HeaderValue::from_static("http"));
    if websocket {
        ask_for_websocket(headers);
    }
    headers.append(VIA, HeaderValue::from_static(wire::VIA));
}

/// Says how the body is framed: as long as it is, or in chunks where nobody knows. Of equal lengths
/// one is left.
fn framing(headers: &mut HeaderMap, body: &Upload) {
    match body.size_hint().exact() {
        Some(length) if headers.contains_key(CONTENT_LENGTH) || length > 0 => {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        Some(_) => {}
        None => {
            headers.remove(CONTENT_LENGTH);
            headers.insert(TRANSFER_ENCODING, HeaderValue::from_static(wire::CHUNKED));
        }
    }
}

/// Takes one from the number of proxies that may still forward an `OPTIONS` or `TRACE`
/// (RFC 9110 7.6.2, Z-84); where none is left, the router is the last and responds by itself. Other
/// methods do not use the field, and what is no number is none.
fn take_one_forward(method: &Method, headers: &mut HeaderMap) -> Result<(), Refusal> {
    if method != Method::OPTIONS && method != Method::TRACE {
        return Ok(());
    }
    let text = headers.get(MAX_FORWARDS).and_then(|value| value.to_str().ok());
    let digits = text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(number) = digits.and_then(|text| text.parse::<u64>().ok()) else { return Ok(()) };
    match number.checked_sub(1) {
        Some(left) => {
            headers.insert(MAX_FORWARDS, HeaderValue::from(left));
            Ok(())
        }
        None if method == Method::OPTIONS => Err(Refusal::LastHop),
        // It would show fields that scripts of a page should not see.
        None => Err(Refusal::NoTrace),
    }
}

/// Whether these are the fields of a request to speak WebSocket from here on, or of the response
/// that agrees (RFC 6455 4): this protocol alone, and listed in `Connection`.
pub(crate) fn asks_for_websocket(headers: &HeaderMap) -> bool {
    let mut upgrades = headers.get_all(UPGRADE).iter();
    let (Some(upgrade), None) = (upgrades.next(), upgrades.next()) else { return false };
    upgrade.as_bytes().eq_ignore_ascii_case(wire::WEBSOCKET.as_bytes())
        && options(headers).any(|option| option.eq_ignore_ascii_case(UPGRADE.as_str().as_bytes()))
}

/// Makes them the fields of such a request, or of the response that agrees.
pub(crate) fn ask_for_websocket(headers: &mut HeaderMap) {
    headers.insert(CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static(wire::WEBSOCKET));
}

/// Removes the fields that `Connection` lists (Z-22), but for those without which the message would
/// be another one: to list these is an error of the sender, or an attack.
pub(crate) fn remove_listed(headers: &mut HeaderMap) {
    let listed: Vec<HeaderName> = options(headers)
        .filter_map(|option| HeaderName::from_bytes(option).ok())
        .filter(|name| *name != HOST && *name != CONTENT_LENGTH)
        .collect();
    for name in listed {
        headers.remove(name);
    }
}

/// Removes all fields with such a name. Few messages have any, and to look through the names once
/// costs less than to look up each that could be there.
pub(crate) fn remove_all(headers: &mut HeaderMap, unwanted: impl Fn(&str) -> bool) {
    let names: Vec<_> = headers.keys().filter(|name| unwanted(name.as_str())).cloned().collect();
    for name in names {
        headers.remove(name);
    }
}

/// The options that `Connection` lists.
fn options(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let lines = headers.get_all(CONNECTION).iter();
    lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b',')).map(<[u8]>::trim_ascii)
}

/// Whether the field concerns one connection alone, whether or not `Connection` lists it
/// (RFC 9110 7.6.1), or a proxy's own authentication. Trailers are discarded, so `Trailer` is one.
pub(crate) fn is_one_hop(name: &str) -> bool {
    wire::ONE_HOP.contains(&name)
}

/// Whether the field tells about the way here, or of another target than the requested one.
fn is_forwarding(name: &str) -> bool {
    name.starts_with(wire::FORWARDED_FAMILY) || wire::OTHER_FORWARDING.contains(&name)
}

/// Whether an application could take the name for one of those that a user must not send: in the
/// variables of CGI, which Rack has as well, a hyphen and an underscore are the same
/// (CVE-2024-45614, Z-83).
fn is_alias(name: &str) -> bool {
    name.contains('_') && {
        let name = name.replace('_', "-");
        is_one_hop(&name)
            || wire::is_internal(&name)
            || is_forwarding(&name)
            || name == CONTENT_LENGTH.as_str()
    }
}
