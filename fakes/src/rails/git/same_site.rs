//! Keeps pages in browsers off repositories on disk: everyone may read and write these, so a page of
//! another site could do it in the name of whoever looks at it.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};

use axum::http::HeaderMap;
use axum::http::header::{HOST, HeaderValue, ORIGIN};

use crate::CellId;

/// Why a request is refused, in words; `None` for git, and for a page of the fleet.
///
/// A name in `Host` must be `localhost` or one that the fleet advertises: any other may be that of a
/// page that lets its name lead to this machine. An address cannot.
pub(super) fn refusal(
    fields: &HeaderMap,
    advertised: &BTreeMap<CellId, String>,
) -> Option<&'static str> {
    let is_known = |host: &str| {
        let name = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let name = name.map_or(host, |(name, _)| name).to_ascii_lowercase();
        let v6 = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        name == "localhost"
            || name.parse::<Ipv4Addr>().is_ok()
            || v6.is_some_and(|name| name.parse::<Ipv6Addr>().is_ok())
            || advertised.values().any(|host| host.eq_ignore_ascii_case(&name))
    };
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let hosts: Vec<_> = fields.get_all(HOST).iter().map(text).collect();
    if !hosts.iter().all(|host| is_known(host)) {
        return Some("its Host is no address, not localhost, and not advertised");
    }
    let is_of = |origin: String| {
        let host = origin.split_once("://").map(|(_, host)| host.to_owned());
        host.is_some_and(|host| hosts.contains(&host))
    };
    if !fields.get_all(ORIGIN).iter().map(text).all(is_of) {
        return Some("its Origin is another site");
    }
    let mut sites = fields.get_all("sec-fetch-site").iter().map(text);
    let is_foreign = |site: String| !matches!(site.as_str(), "same-origin" | "none");
    sites.any(is_foreign).then_some("its Sec-Fetch-Site says that another site sent it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_and_pages_of_the_fleet_may_ask_and_no_other_page() {
        let advertised = BTreeMap::from([(CellId::eu(0), "suite.example".to_owned())]);
        let asks = |fields: &[(&'static str, &'static str)]| {
            let pairs = fields
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            refusal(&pairs.collect(), &advertised)
        };
        for host in ["127.0.0.1:22000", "10.1.2.3", "[::1]:22000", "[::1]", "LOCALHOST:1"] {
            assert_eq!(asks(&[("host", host)]), None, "{host}");
        }
        assert_eq!(asks(&[("host", "Suite.Example:22000")]), None);
        for host in ["evil.example:22000", "127.0.0.1.evil.example", "[evil]", "", "localhost."] {
            assert!(asks(&[("host", host)]).is_some_and(|why| why.contains("Host")), "{host}");
        }
        let own = ("host", "127.0.0.1:22000");
        assert_eq!(asks(&[own, ("origin", "http://127.0.0.1:22000")]), None);
        for origin in ["null", "http://evil.example", "http://127.0.0.1:80", "http://127.0.0.1"] {
            let why = asks(&[own, ("origin", origin)]);
            assert!(why.is_some_and(|why| why.contains("Origin")), "{origin}");
        }
        assert_eq!(asks(&[own, ("sec-fetch-site", "same-origin")]), None);
        assert_eq!(asks(&[own, ("sec-fetch-site", "none")]), None);
        assert!(asks(&[own, ("sec-fetch-site", "same-site")]).is_some());
        assert!(asks(&[own, ("sec-fetch-site", "cross-site")]).is_some());
    }
}
