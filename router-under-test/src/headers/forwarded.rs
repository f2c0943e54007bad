//! What a trusted proxy in front of the router says about its user.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::wire;

/// Who is at the other side of a connection.
#[derive(Debug)]
pub(crate) struct Peer {
    /// The address, as cells get it.
    pub(crate) address: Option<HeaderValue>,
    /// It is a proxy whose fields tell of its users.
    pub(crate) is_trusted: bool,
    /// A proxy has said that the user speaks TLS with it.
    pub(crate) is_secure: bool,
}

impl Peer {
    /// Makes the fields of a request those of the request to a cell.
    pub(crate) fn fill(&self, headers: &mut HeaderMap) {
        let told = self.is_trusted.then(|| Told::of(headers));
        super::of_request(headers, self.address.clone());
        if self.is_secure {
            let scheme = HeaderValue::from_static(wire::HTTPS);
            headers.insert(wire::FORWARDED_PROTO_HEADER, scheme);
        }
        if let Some(told) = told {
            told.add_to(headers);
        }
    }
}

/// The way of a request up to this router, as a proxy told it.
#[derive(Debug)]
struct Told {
    addresses: Vec<HeaderValue>,
    host: Option<HeaderValue>,
    scheme: Option<HeaderValue>,
}

impl Told {
    /// What the fields say, before the router makes them its own.
    fn of(headers: &HeaderMap) -> Self {
        // Of several lines nobody knows which one counts.
        let single = |name: &HeaderName| {
            let mut lines = headers.get_all(name).iter();
            lines.next().filter(|_| lines.next().is_none()).cloned()
        };
        let is_scheme = |scheme: &HeaderValue| {
            [wire::HTTP, wire::HTTPS]
                .iter()
                .any(|known| scheme.as_bytes().eq_ignore_ascii_case(known.as_bytes()))
        };
        Self {
            addresses: headers.get_all(wire::FORWARDED_FOR_HEADER).iter().cloned().collect(),
            host: single(&wire::FORWARDED_HOST_HEADER),
            scheme: single(&wire::FORWARDED_PROTO_HEADER).filter(is_scheme),
        }
    }

    /// Adds it to the router's own fields: the addresses ahead of the proxy's own.
    fn add_to(self, headers: &mut HeaderMap) {
        if !self.addresses.is_empty() {
            let own = headers.get(wire::FORWARDED_FOR_HEADER).cloned();
            let all: Vec<HeaderValue> = self.addresses.into_iter().chain(own).collect();
            let lines: Vec<&[u8]> = all.iter().map(HeaderValue::as_bytes).collect();
            if let Ok(line) = HeaderValue::from_bytes(&lines.join(&b", "[..])) {
                headers.insert(wire::FORWARDED_FOR_HEADER, line);
            }
        }
        if let Some(host) = self.host {
            headers.insert(wire::FORWARDED_HOST_HEADER, host);
        }
        if let Some(scheme) = self.scheme {
            headers.insert(wire::FORWARDED_PROTO_HEADER, scheme);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[(&'static str, &'static str)]) -> [String; 3] {
        let mut sent = HeaderMap::new();
        sent.insert("host", HeaderValue::from_static("inside"));
        for (name, value) in lines {
            sent.append(*name, HeaderValue::from_static(value));
        }
        let address = Some(HeaderValue::from_static("10.0.0.1"));
        Peer { address, is_trusted: true, is_secure: false }.fill(&mut sent);
        ["x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"]
            .map(|name| sent[name].to_str().unwrap().to_owned())
    }

    #[test]
    fn a_proxy_tells_address_host_and_scheme() {
        assert_eq!(
            after(&[
                ("x-forwarded-for", "6.6.6.6, 7.7.7.7"),
                ("x-forwarded-for", "8.8.8.8"),
                ("x-forwarded-host", "gitlab.example"),
                ("x-forwarded-proto", "https"),
            ]),
            ["6.6.6.6, 7.7.7.7, 8.8.8.8, 10.0.0.1", "gitlab.example", "https"]
        );
        assert_eq!(after(&[]), ["10.0.0.1", "inside", "http"]);
        assert_eq!(after(&[("x-forwarded-proto", "gopher"), ("x-forwarded-host", "a")])[2], "http");
        assert_eq!(after(&[("x-forwarded-host", "a"), ("x-forwarded-host", "b")])[1], "inside");
    }
}
