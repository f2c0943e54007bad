//! A host with a port, as a URL has them.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A host with a port: where somebody reaches a cell. The host is a name or an address.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Authority {
    /// The host: an IPv6 address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl fmt::Display for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

impl From<SocketAddr> for Authority {
    fn from(address: SocketAddr) -> Self {
        Self { host: address.ip().to_string(), port: address.port() }
    }
}

impl From<([u8; 4], u16)> for Authority {
    fn from(address: ([u8; 4], u16)) -> Self {
        SocketAddr::from(address).into()
    }
}

/// Why a text is not a host, or not a host with a port.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidAuthority(String);

impl FromStr for Authority {
    type Err = InvalidAuthority;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let invalid = || InvalidAuthority(format!("`{text}` is not HOST:PORT"));
        let (host, port) = text.rsplit_once(':').ok_or_else(invalid)?;
        // Digits alone: a sign would be accepted by the number's parser.
        let digits = port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.parse().ok().filter(|port| digits && *port > 0).ok_or_else(invalid)?;
        Ok(Self { host: check_host(host)?, port })
    }
}

/// Checks a host, and returns it without the brackets of an IPv6 address.
///
/// # Errors
///
/// Where it is neither an IP address nor a name of letters, digits, hyphens and dots.
pub fn check_host(text: &str) -> Result<String, InvalidAuthority> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if let Some(address) = bare {
        let address = address.parse::<Ipv6Addr>();
        return address.map(|address| address.to_string()).map_err(|_| not_a_host(text));
    }
    let label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    if text.parse::<IpAddr>().is_ok() || text.split('.').all(label) {
        Ok(text.to_owned())
    } else {
        Err(not_a_host(text))
    }
}

fn not_a_host(text: &str) -> InvalidAuthority {
    InvalidAuthority(format!(
        "`{text}` is not a host: expected a name or an IP address, without a scheme and a port"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_read_and_written() {
        for text in ["127.0.0.1:22000", "suite.example:80", "my-suite:1", "[::1]:8080"] {
            assert_eq!(text.parse::<Authority>().unwrap().to_string(), text);
        }
        for text in
            ["", ":1", "a", "a:", "a:0", "a:65536", "a:+1", "a b:1", "http://a:1", "::1:80x"]
        {
            assert!(text.parse::<Authority>().is_err(), "{text}");
        }
    }

    #[test]
    fn hosts_are_names_or_addresses() {
        for host in ["localhost", "10.0.0.1", "::1", "[::1]", "host.docker.internal"] {
            assert!(check_host(host).is_ok(), "{host}");
        }
        for host in ["", "a:1", "http://a", "a/b", "-a", "a..b", "[a]", "{cell}"] {
            assert!(check_host(host).is_err(), "{host}");
        }
    }
}
