//! Requests that a user wrote byte for byte, and those that say how far they go: what a router must
//! refuse, and what goes no further.
//!
//! It reads a head by itself. Where RFC 9112 leaves a choice between a repair and a refusal, both
//! are right, and the row that asks for the refusal is a MAY (Z-55).

use cell_fleet::Field;

use super::exchange::{Case, Say};
use crate::trace::field_lines::lines;
use crate::trace::one_hop::is_named_by_connection;
use crate::trace::{PUBLIC_HOST, ReceivedResponse, UserRequest};

/// A router may refuse a head that is longer than this, in bytes ... (Z-47).
pub(super) const LONG: usize = 8_000;
/// ... or that has more lines than this.
pub(super) const MANY: usize = 60;
/// What stands in a request line beside letters and digits (RFC 3986 2, RFC 9112 3).
const MARKS: &[u8] = b" -._~:/?#[]@!$&'()*+,;=%";
/// What one byte of a body may cost in chunk extensions, for a body of any length (Z-93).
const PROPORTION: usize = 500_000;

/// What a user wrote on a connection, as far as the first head tells.
#[derive(Debug)]
pub(super) struct ByHand<'a> {
    /// The lines of the head, the first without a CR or LF at its end.
    head: Vec<&'a [u8]>,
    /// How many bytes the user sent.
    length: usize,
}

impl<'a> ByHand<'a> {
    /// The bytes of a request, if it is the first one on its connection.
    pub(super) fn in_request(request: &'a UserRequest) -> Option<Self> {
        let bytes = request.raw.as_ref()?.as_bytes();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let whole = &bytes[..end.unwrap_or(bytes.len())];
        let mut head = Vec::new();
        let mut rest = whole;
        while let Some(at) = rest.windows(2).position(|two| two == b"\r\n") {
            head.push(&rest[..at]);
            rest = &rest[at + 2..];
        }
        head.push(rest);
        (!bytes.is_empty()).then_some(Self { head, length: bytes.len() })
    }

    /// The fields: names as they stand, values without blanks around them.
    fn fields(&self) -> impl Iterator<Item = (String, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let lines = self.head.iter().skip(1).filter(|line| !is_continued(line));
        lines.filter_map(move |line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            Some((text(&line[..colon]), text(line[colon + 1..].trim_ascii())))
        })
    }

    fn values(&self, name: &str) -> Vec<String> {
        let named = self.fields().filter(|(own, _)| own.trim_end().eq_ignore_ascii_case(name));
        named.map(|(_, value)| value).collect()
    }

    /// The members of all lines of a name.
    fn members(&self, name: &str) -> Vec<String> {
        let values = self.values(name);
        let members = values.iter().flat_map(|value| value.split(','));
        members.map(|member| member.trim().to_ascii_lowercase()).collect()
    }

    /// The sentence by which a router refuses it, and no cell receives anything of it.
    fn must_refuse(&self) -> Option<&'static str> {
        if self.fields().any(|(name, _)| name.ends_with([' ', '\t'])) {
            return Some("Z-50");
        }
        let hosts = self.values("Host");
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_host = |host: &String| {
            let port = host.rsplit_once(':').map_or("", |(_, port)| port);
            !host.contains([' ', '\t', '/', '@', ',']) && (port.ends_with(']') || is_number(port))
        };
        if !matches!(&hosts[..], [host] if is_host(host)) && !self.is_old() {
            return Some("Z-62");
        }
        let lengths = self.members("Content-Length");
        let differ = lengths.iter().any(|length| *length != lengths[0] || length.is_empty());
        if differ || !lengths.iter().all(|length| is_number(length)) {
            return Some("Z-56");
        }
        let codings = self.members("Transfer-Encoding");
        match codings.iter().map(String::as_str).rfind(|it| !it.is_empty()) {
            Some(last) if last.starts_with("chunked;") => return Some("Z-94"),
            Some(last) if last != "chunked" => return Some("Z-56"),
            _ if codings.iter().any(|it| !it.is_empty() && it != "chunked") => return Some("Z-94"),
            _ => {}
        }
        let is_bare = |line: &&[u8]| line.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
        let is_repairable = lengths.len() > 1
            || !lengths.is_empty() && !codings.is_empty()
            || self.head.iter().any(is_bare);
        is_repairable.then_some("Z-55")
    }

    fn is_old(&self) -> bool {
        self.head.first().is_some_and(|line| line.ends_with(b" HTTP/1.0"))
    }

    /// Whether a router may refuse it with a status of its choice, although such a request is
    /// legal.
    pub(super) fn may_be_refused(&self) -> bool {
        let is_foreign = |host: &String| {
            let name = host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name);
            name != PUBLIC_HOST && host.parse::<std::net::SocketAddr>().is_err()
        };
        // A server may refuse a target that is no URI.
        let is_odd = |byte: &u8| !byte.is_ascii_alphanumeric() && !MARKS.contains(byte);
        self.values("Host").iter().any(is_foreign)
            || self.head.first().is_some_and(|line| line.iter().any(is_odd))
            || self.is_folded()
            || self.is_long()
            || self.has(|line| line.contains(&0))
            || self.fields().any(|(name, _)| name.contains('_'))
            || self.members("Connection").iter().any(|it| it == "content-length" || it == "host")
            || self.members("Expect").iter().any(|it| it != "100-continue")
            // More than any router counts.
            || self.members("Content-Length").iter().any(|length| length.parse::<u64>().is_err())
    }

    /// Whether its head is longer than those that every router takes.
    pub(super) fn is_long(&self) -> bool {
        self.head.len() > MANY || self.head.iter().map(|line| line.len()).sum::<usize>() > LONG
    }

    fn has(&self, is_such: impl Fn(&[u8]) -> bool) -> bool {
        self.head.iter().any(|line| is_such(line))
    }

    /// Whether a field continues on a line of its own.
    pub(super) fn is_folded(&self) -> bool {
        self.head.iter().skip(1).any(|line| is_continued(line))
    }

    /// Fields that end at the router, each with the requirement: what `Connection` lists, and what
    /// is about one connection.
    fn ending(&self) -> Vec<(&'static str, String, String)> {
        // A router writes these for the next connection, whatever the user said. Without `Host` the
        // message would be none.
        const OWN: [&str; 3] = ["content-length", "host", "upgrade"];
        const ONE_HOP: [&str; 3] = ["keep-alive", "proxy-connection", "te"];
        let listed = self.members("Connection");
        let all = self.fields().map(|(name, value)| (name.to_ascii_lowercase(), value));
        let ending = all.filter_map(|(name, value)| match () {
            () if name.starts_with("x-forwarded-") || OWN.contains(&&*name) => None,
            () if ONE_HOP.contains(&&*name) => Some(("Z-53", name, value)),
            () if listed.contains(&name) => Some(("Z-22", name, value)),
            () => None,
        });
        ending.collect()
    }
}

fn is_continued(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t")
}

/// Judges a request that a router must refuse or may answer itself, or of which only the refusal is
/// judged: then nothing else of it is.
pub(super) fn is_all_said(case: &Case<'_>, say: Say<'_>) -> bool {
    let Some(own) = &case.by_hand else { return counts_forwards(case, say) };
    let got = case.request.got();
    let status = got.map(|got| got.status);
    let arrived = case.hops.first();
    let method = case.request.method.as_str();
    if let Some(requirement) = own.must_refuse() {
        refused(requirement, case, status, say);
    } else if method == "CONNECT" {
        if arrived.is_some() || status.is_some_and(|status| status < 300) {
            say("Z-42", format!("CONNECT received {status:?}"));
        }
    } else if counts_forwards(case, say) || method == "TRACE" {
        echoed(own, got, say);
    } else if own.length > PROPORTION && own.members("Transfer-Encoding") == ["chunked"] {
        let body = case.request.body.length;
        if status.is_some_and(|status| status < 400) && body < (PROPORTION / 10) as u64 {
            say("Z-93", format!("{} bytes were read for a body of {body}", own.length));
        }
    } else {
        return false;
    }
    true
}

/// Judges how often an OPTIONS or TRACE may still be forwarded, where it says so (Z-84). A router
/// may answer any of these itself.
fn counts_forwards(case: &Case<'_>, say: Say<'_>) -> bool {
    let number =
        |fields: &[Field]| lines(fields, "Max-Forwards").first()?.trim().parse::<u64>().ok();
    let is_counted = matches!(case.request.method.as_str(), "OPTIONS" | "TRACE");
    let Some(left) = number(&case.request.fields).filter(|_| is_counted) else { return false };
    let is_less = |hop: &&crate::trace::Hop| {
        let came = &hop.request.fields;
        left > 0 && lines(came, "Max-Forwards").is_empty()
            || number(came).is_some_and(|number| number < left)
    };
    if !case.hops.iter().all(is_less) {
        say("Z-84", format!("Max-Forwards: {left} went on to a cell, and no less"));
    }
    true
}

fn refused(requirement: &'static str, case: &Case<'_>, status: Option<u16>, say: Say<'_>) {
    if let Some(hop) = case.hops.first() {
        say(requirement, format!("{} received a request that a router refuses", hop.cell));
    } else if let Some(status) = status.filter(|status| !matches!(status, 400..=499 | 501)) {
        say(requirement, format!("a request that a router refuses received {status}"));
    }
}

/// The response to a TRACE repeats no credentials (Z-85).
fn echoed(own: &ByHand<'_>, got: Option<&ReceivedResponse>, say: Say<'_>) {
    let body = got.map(|got| got.body.text()).unwrap_or_default();
    let secrets = ["Cookie", "Authorization"].into_iter().flat_map(|name| own.values(name));
    for secret in secrets.filter(|secret| body.contains(secret.as_str())) {
        say("Z-85", format!("the response repeats {secret}"));
    }
}

/// No cell receives what ends at the router (Z-22, Z-53), a folded line as a separate field (Z-50),
/// or a NUL (Z-63).
pub(super) fn ends_here(case: &Case<'_>, say: Say<'_>) {
    let Some(own) = &case.by_hand else { return };
    let ending = own.ending();
    for hop in &case.hops {
        let came = &hop.request.fields;
        for (requirement, name, value) in &ending {
            if lines(came, name).iter().any(|line| line.contains(value.as_str())) {
                say(requirement, format!("{} received {name}: {value}", hop.cell));
            }
            if *requirement == "Z-22" && is_named_by_connection(came, name) {
                let listed = lines(came, "Connection").join(",");
                say("Z-22", format!("{} received Connection: {listed}", hop.cell));
            }
        }
        if came.iter().any(|field| field.value.as_bytes().contains(&0)) {
            say("Z-63", format!("{} received a NUL", hop.cell));
        }
        if let (true, Some((name, whole))) = (own.is_folded(), own.unfolded()) {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            if !lines(came, &name).iter().any(|line| words(line) == words(&whole)) {
                say("Z-50", format!("{} did not receive {name}: {whole}", hop.cell));
            }
        }
        let is_empty = own.values("Content-Length") == ["0"] && case.request.method == "POST";
        let tells = ["Content-Length", "Transfer-Encoding"];
        if is_empty && !tells.iter().any(|name| came.iter().any(|field| field.is(name))) {
            say("Z-69", format!("{} was not told that the content is empty", hop.cell));
        }
    }
}

impl ByHand<'_> {
    /// The first field that goes on in the next line, as a whole.
    fn unfolded(&self) -> Option<(String, String)> {
        let at = self.head.iter().position(|line| is_continued(line)).filter(|at| *at > 1)?;
        let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        let first = text(self.head[at - 1]);
        let (name, value) = first.split_once(':')?;
        let more = self.head[at..].iter().take_while(|line| is_continued(line));
        let value = more.fold(value.to_owned(), |whole, line| whole + &text(line));
        Some((name.to_owned(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused_by(head: &str) -> Option<&'static str> {
        let raw = format!("POST /a HTTP/1.1\r\n{head}\r\n\r\nbody");
        let request = UserRequest { raw: Some(raw.as_str().into()), ..UserRequest::default() };
        ByHand::in_request(&request).and_then(|own| own.must_refuse())
    }

    #[test]
    fn what_is_no_uri_and_what_nobody_can_expect_may_be_refused() {
        for (head, expected) in [
            ("GET /a%20b?c=d~ HTTP/1.1\r\nExpect: 100-continue", false),
            ("GET /a|b HTTP/1.1", true),
            ("GET /\u{fc} HTTP/1.1", true),
            ("GET / HTTP/1.1\r\nExpect: 100-continue\r\nExpect: 200-ok", true),
        ] {
            let raw = format!("{head}\r\nHost: {PUBLIC_HOST}\r\n\r\n");
            let request = UserRequest { raw: Some(raw.as_str().into()), ..UserRequest::default() };
            let own = ByHand::in_request(&request).unwrap();
            assert_eq!(own.may_be_refused(), expected, "{head}");
        }
    }

    #[test]
    fn what_must_be_refused_is_told_from_what_may_be_repaired() {
        for (head, requirement) in [
            ("Host: a", None),
            ("Accept: x", Some("Z-62")),
            ("Host: a\r\nHost: b", Some("Z-62")),
            ("Host: a b", Some("Z-62")),
            ("Host: a:1x", Some("Z-62")),
            ("Host: [::1]", None),
            ("Host: a\r\nX-Field : a", Some("Z-50")),
            ("Host: a\r\nX-Field: a\r\n b : c", None),
            ("Host: a\r\nContent-Length: 4, 5", Some("Z-56")),
            ("Host: a\r\nContent-Length: +4", Some("Z-56")),
            ("Host: a\r\nContent-Length: 4\r\ncontent-length: 4", Some("Z-55")),
            ("Host: a\r\nTransfer-Encoding: chunked, identity", Some("Z-56")),
            ("Host: a\r\nTransfer-Encoding: CHUNKED", None),
            ("Host: a\r\nTransfer-Encoding: chunked;q=1", Some("Z-94")),
            ("Host: a\r\nTransfer-Encoding: cow, chunked", Some("Z-94")),
            ("Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4", Some("Z-55")),
            ("Host: a\r\nX-Field: a\rb", Some("Z-55")),
            ("Host: a\r\nX-Field: a\nX-Other: b", Some("Z-55")),
        ] {
            assert_eq!(refused_by(head), requirement, "{head:?}");
        }
    }
}
