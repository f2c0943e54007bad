//! A user's request: checked to be one that can be forwarded, and made one for a cell.

use http::header::{
    CONNECTION, CONTENT_LENGTH, EXPECT, HOST, MAX_FORWARDS, TRANSFER_ENCODING, UPGRADE, VIA,
};
use http::request::Parts;
use http::uri::{Authority, PathAndQuery};
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
    /// The fields that a cell may see.
    pub headers: HeaderMap,
}

impl Arrival {
    /// Takes a request apart, and says why it must not be forwarded, if that is so: no cell should
    /// have to interpret it.
    ///
    /// `user` is the user's address.
    pub(crate) fn parse(head: Parts, body: &Upload, user: HeaderValue) -> (Self, Option<Refusal>) {
        let Parts { method, uri, version, mut headers, .. } = head;
        let coding = is_chunked(&headers).ok_or(Refusal::UnknownCoding);
        let target = target(&method, &uri);
        let host = host(&mut headers, &uri);
        // A protocol can be changed where nothing of this request is left to send, and by nobody who
        // speaks HTTP/1.0 (RFC 9110 7.8).
        if version != Version::HTTP_11 || !body.is_end_stream() {
            headers.remove(UPGRADE);
        }
        // This comes before anything that looks at the fields, so that nothing a user sends can
        // pass for a cell's word.
        fields(&mut headers, user);
        one_length(&mut headers);
        // hyper frames the content of most methods by itself, but takes a GET for empty.
        if coding == Ok(true) {
            headers.insert(TRANSFER_ENCODING, HeaderValue::from_static(wire::CHUNKED));
        }
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

    pub fn to_cell(&self, body: Outgoing) -> Request<Outgoing> {
        let mut request = Request::new(body);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.target.clone().into();
        *request.headers_mut() = self.headers.clone();
        request
    }
}

/// Whether the body comes in chunks; none where it has another coding, which nobody here could
/// decode.
pub(crate) fn is_chunked(headers: &HeaderMap) -> Option<bool> {
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter().map(HeaderValue::as_bytes);
    match (codings.next(), codings.next()) {
        (None, _) => Some(false),
        (Some(coding), None) => {
            coding.trim_ascii().eq_ignore_ascii_case(wire::CHUNKED.as_bytes()).then_some(true)
        }
        _ => None,
    }
}

/// The target without scheme and authority. The router opens no tunnels, and a target without a
/// path leads nowhere.
fn target(method: &Method, uri: &Uri) -> Result<PathAndQuery, Refusal> {
    let target = uri.path_and_query().filter(|_| *method != Method::CONNECT);
    // Where a fragment follows the authority, it is empty.
    target.filter(|target| !target.as_str().is_empty()).cloned().ok_or(Refusal::BadTarget)
}

/// There is one `Host`, also where HTTP/1.0 asks for none: cells need it (Z-62). An absolute target
/// overrides it (RFC 9112 3.2.2).
fn host(headers: &mut HeaderMap, uri: &Uri) -> Result<(), Refusal> {
    let mut hosts = headers.get_all(HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Refusal::BadHost) };
    host_and_port(host.as_bytes()).ok_or(Refusal::BadHost)?;
    if let Some(authority) = uri.authority() {
        let host = host_and_port(authority.as_str().as_bytes());
        let host = host.and_then(|host| HeaderValue::try_from(host.as_str()).ok());
        headers.insert(HOST, host.ok_or(Refusal::BadTarget)?);
    }
    Ok(())
}

/// A host with an optional port (RFC 9110 7.2): no user information, nothing that a cell could take
/// for a path.
pub(crate) fn host_and_port(text: &[u8]) -> Option<Authority> {
    let authority = Authority::try_from(text).ok()?;
    let host = authority.host();
    let port = authority.as_str().strip_prefix(host).filter(|_| !host.is_empty())?;
    (port.is_empty() || port == ":" || authority.port_u16().is_some()).then_some(authority)
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
    remove_all(headers, is_not_for_cells);
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

/// Leaves one of equal lengths (RFC 9110 8.6), of a request or a response. hyper has refused those
/// that differ or are no numbers; it frames a body without a length, and leaves none where there is no
/// body whatever the method (Z-78).
pub(crate) fn one_length(headers: &mut HeaderMap) {
    let lines = headers.get_all(CONTENT_LENGTH).iter().filter_map(|line| line.to_str().ok());
    let first = lines.flat_map(|line| line.split(',')).next();
    if let Some(Ok(length)) = first.map(|first| first.trim().parse::<u64>()) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
}

/// Takes one from the number of proxies that may still forward an `OPTIONS` or `TRACE`
/// (RFC 9110 7.6.2, Z-84); where none is left, the router is the last and responds by itself. Other
/// methods do not use the field, and a value that is not a number does not count.
fn take_one_forward(method: &Method, headers: &mut HeaderMap) -> Result<(), Refusal> {
    if method != Method::OPTIONS && method != Method::TRACE {
        return Ok(());
    }
    let text = headers.get(MAX_FORWARDS).and_then(|value| value.to_str().ok());
    let is_number =
        |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(digits) = text.filter(is_number) else { return Ok(()) };
    // Of a number that is too large the largest is left.
    match digits.parse().unwrap_or(u64::MAX).checked_sub(1) {
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

/// Whether cells must not get such a field from a user: it concerns one connection, is what routers
/// and cells say to each other, tells about the way here, or of another target than the requested
/// one; or an application could take its name for one of these. In the variables of CGI, which Rack
/// has as well, a hyphen and an underscore are the same (CVE-2024-45614, Z-83).
fn is_not_for_cells(name: &str) -> bool {
    if name.contains('_') {
        let name = name.replace('_', "-");
        return name == CONTENT_LENGTH.as_str() || is_not_for_cells(&name);
    }
    wire::ONE_HOP.contains(&name)
        || wire::is_internal(name)
        || name.starts_with(wire::FORWARDED_FAMILY)
        || wire::OTHER_FORWARDING.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::tests::arrived;

    /// What becomes of a request that arrives in these lines, with this body.
    async fn parse(lines: &[&str], body: &str) -> Result<Arrival, Refusal> {
        let (head, upload) = arrived(format!("{}\r\n\r\n{body}", lines.join("\r\n"))).await;
        let user = HeaderValue::from_static("192.0.2.1");
        let (arrival, refusal) = Arrival::parse(head, &upload, user);
        refusal.map_or(Ok(arrival), Err)
    }

    async fn refusal(lines: &[&str]) -> Option<Refusal> {
        parse(lines, "").await.err()
    }

    /// The fields of a `GET` with these, as a cell gets them, sorted, without those that the router
    /// says in each request.
    async fn seen(fields: &[&str]) -> Vec<String> {
        let lines = [&["GET / HTTP/1.1", "Host: h"], fields].concat();
        lines_of(&parse(&lines, "").await.unwrap())
    }

    fn lines_of(arrival: &Arrival) -> Vec<String> {
        let said = ["host", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"];
        let line = |(name, value): (&HeaderName, &HeaderValue)| {
            let value = value.to_str().unwrap();
            (!said.contains(&name.as_str())).then(|| format!("{name}: {value}"))
        };
        let mut lines: Vec<_> = arrival.headers.iter().filter_map(line).collect();
        lines.sort_unstable();
        lines
    }

    #[tokio::test]
    async fn a_target_loses_scheme_and_authority_and_nothing_else() {
        for (line, target, host) in [
            ("GET /a%2Fb//../c?d?e", "/a%2Fb//../c?d?e", "h"),
            ("GET http://a.example/x?y", "/x?y", "a.example"),
            ("GET HTTPS://a.example:8443", "/", "a.example:8443"),
            ("OPTIONS *", "*", "h"),
            ("BREW /pot", "/pot", "h"),
        ] {
            let arrival = parse(&[&format!("{line} HTTP/1.1"), "Host: h"], "").await.unwrap();
            assert_eq!(arrival.target, target, "{line}");
            for name in [HOST, wire::FORWARDED_HOST] {
                assert_eq!(arrival.headers[name], host, "{line}");
            }
        }
        for line in ["CONNECT a:1", "CONNECT /", "GET http://u@a.example/"] {
            let refused = refusal(&[&format!("{line} HTTP/1.1"), "Host: h"]).await;
            assert_eq!(refused, Some(Refusal::BadTarget), "{line}");
        }
    }

    #[tokio::test]
    async fn a_request_has_one_host() {
        let line = "GET / HTTP/1.1";
        for host in ["Host: h", "Host: h:80", "Host: h:", "Host: [::1]:80", "Host: a-b.example"] {
            assert_eq!(refusal(&[line, host]).await, None, "{host}");
        }
        for host in ["", "u@h", "h/x", "h:x", "h:99999", "h i", "http://h", ":80", "h?x"] {
            let refused = refusal(&[line, &format!("Host: {host}")]).await;
            assert_eq!(refused, Some(Refusal::BadHost), "{host}");
        }
        for lines in [&[line][..], &[line, "Host: h", "Host: h"], &["GET / HTTP/1.0"]] {
            assert_eq!(refusal(lines).await, Some(Refusal::BadHost), "{lines:?}");
        }
    }

    #[tokio::test]
    async fn fields_of_one_connection_stay_here() {
        let listed = ["Connection: close, X-Secret, host", "X-Secret: 1", "TE: trailers"];
        let others = ["Expect: 200-ok", "Cookie: a=1", "X-Unknown: 1", "X-Unknown: 2"];
        let left = ["cookie: a=1", "x-unknown: 1", "x-unknown: 2"];
        assert_eq!(seen(&[&listed[..], &others].concat()).await, left);
    }

    #[tokio::test]
    async fn what_users_say_for_cells_and_proxies_is_removed_in_each_spelling() {
        let others = ["x-gitlab-cell-redirect", "x-gitlab-cell-cache", "x-forwarded-anything"];
        for name in wire::OTHER_FORWARDING.into_iter().chain(others) {
            for name in [name, &name.replacen('-', "_", 1)] {
                assert_eq!(seen(&[&format!("{name}: x")]).await, [""; 0], "{name}");
            }
        }
        for alias in ["content_length: 3", "transfer_encoding: chunked", "proxy_connection: x"] {
            assert_eq!(seen(&[alias]).await, [""; 0], "{alias}");
        }
        assert_eq!(seen(&["x_unknown: 1"]).await, ["x_unknown: 1"]);
    }

    #[tokio::test]
    async fn websocket_is_the_only_upgrade() {
        let asks =
            ["Connection: keep-alive, Upgrade, X-Secret", "Upgrade: WebSocket", "X-Secret: 1"];
        assert_eq!(seen(&asks).await, ["connection: upgrade", "upgrade: websocket"]);
        for other in [
            &["Connection: upgrade", "Upgrade: h2c"][..],
            &["Connection: close", "Upgrade: websocket"],
            &["Upgrade: websocket"],
            &["Connection: upgrade", "Upgrade: websocket, h2c"],
            &["Connection: upgrade", "Upgrade: websocket", "Upgrade: h2c"],
        ] {
            assert_eq!(seen(other).await, [""; 0], "{other:?}");
        }
        for line in ["GET / HTTP/1.0", "GET / HTTP/1.1\r\nContent-Length: 1"] {
            let lines = [line, "Host: h", asks[0], asks[1]];
            let arrival = parse(&lines, "x").await.unwrap();
            assert!(!arrival.headers.contains_key(UPGRADE), "{line}");
        }
    }

    #[tokio::test]
    async fn a_body_has_one_length() {
        for (fields, body, left) in [
            (&[][..], "", &[][..]),
            (&["Content-Length: 0"], "", &["content-length: 0"]),
            (&["Content-Length: 3", "Content-Length: 3"], "abc", &["content-length: 3"]),
            (&["Transfer-Encoding: Chunked"], "0\r\n\r\n", &["transfer-encoding: chunked"]),
        ] {
            let lines = [&["PUT / HTTP/1.1", "Host: h"], fields].concat();
            assert_eq!(lines_of(&parse(&lines, body).await.unwrap()), left, "{fields:?}");
        }
        for codings in ["gzip, chunked", "chunked, chunked", "gzip\r\nTransfer-Encoding: chunked"] {
            let codings = format!("Transfer-Encoding: {codings}");
            let refused = refusal(&["PUT / HTTP/1.1", "Host: h", &codings]).await;
            assert_eq!(refused, Some(Refusal::UnknownCoding), "{codings}");
        }
    }

    #[tokio::test]
    async fn max_forwards_is_counted_down_where_it_means_something() {
        for (method, before, after) in [
            ("OPTIONS", "5", Ok("4")),
            ("OPTIONS", "0", Err(Refusal::LastHop)),
            ("TRACE", "00", Err(Refusal::NoTrace)),
            ("GET", "0", Ok("0")),
            ("OPTIONS", "+1", Ok("+1")),
            ("OPTIONS", "", Ok("")),
            ("TRACE", "99999999999999999999", Ok("18446744073709551614")),
        ] {
            let field = format!("Max-Forwards: {before}");
            let arrival = parse(&[&format!("{method} / HTTP/1.1"), "Host: h", &field], "").await;
            let left = arrival.map(|arrival| arrival.headers[MAX_FORWARDS].clone());
            let left = left.as_ref().map(|left| left.to_str().unwrap());
            assert_eq!(left, after.as_ref().copied(), "{method} {before}");
        }
    }
}
