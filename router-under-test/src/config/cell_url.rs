//! The URL of a cell: `http://127.0.0.1:22000`.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use http::{HeaderValue, Uri};

/// The address of a cell: plain HTTP, host and port, nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellUrl {
    host: String,
    port: u16,
    fixed: Option<SocketAddr>,
    authority: HeaderValue,
}

/// Why a text is not the address of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CellUrlError {
    #[error("is not an absolute URL")]
    NotUrl,
    #[error("is not an `http` URL; cells speak plain HTTP to the router")]
    NotHttp,
    #[error("holds user information")]
    Userinfo,
    #[error("holds a path, a query or a fragment")]
    PathOrQuery,
}

impl CellUrl {
    /// The address, where the host is an IP address and need not be looked up.
    pub(crate) fn fixed(&self) -> Option<SocketAddr> {
        self.fixed
    }

    /// Host and port, for a look-up.
    pub(crate) fn host_and_port(&self) -> (&str, u16) {
        (&self.host, self.port)
    }

    /// For the `Host` of the router's own requests.
    pub(crate) fn host_header(&self) -> HeaderValue {
        self.authority.clone()
    }

    /// Host and port in one spelling, always with the port.
    pub(crate) fn authority(&self) -> &str {
        // It was made of a string.
        self.authority.to_str().unwrap_or_default()
    }
}

impl FromStr for CellUrl {
    type Err = CellUrlError;

    fn from_str(text: &str) -> Result<Self, CellUrlError> {
        let uri: Uri = text.parse().map_err(|_| CellUrlError::NotUrl)?;
        let authority = uri.authority().ok_or(CellUrlError::NotUrl)?;
        if uri.scheme_str() != Some("http") {
            return Err(CellUrlError::NotHttp);
        }
        if authority.as_str().contains('@') {
            return Err(CellUrlError::Userinfo);
        }
        if uri.path() != "/" || uri.query().is_some() || text.contains('#') {
            return Err(CellUrlError::PathOrQuery);
        }
        let host = authority.host().to_ascii_lowercase();
        let port = authority.port_u16().unwrap_or(80);
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let fixed = bare.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, port));
        let authority =
            HeaderValue::try_from(format!("{host}:{port}")).map_err(|_| CellUrlError::NotUrl)?;
        Ok(Self { host: bare.to_owned(), port, fixed, authority })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_with_addresses_and_names_are_read() {
        let url: CellUrl = "http://127.0.0.1:22000".parse().unwrap();
        assert_eq!(url.fixed(), Some("127.0.0.1:22000".parse().unwrap()));
        let url: CellUrl = "http://Cell-EU0.example/".parse().unwrap();
        assert_eq!(url.fixed(), None);
        assert_eq!(url.host_and_port(), ("cell-eu0.example", 80));
        assert_eq!(url.authority(), "cell-eu0.example:80");
        let url: CellUrl = "http://[::1]:8080".parse().unwrap();
        assert_eq!(url.fixed(), Some("[::1]:8080".parse().unwrap()));
        assert_eq!(url.host_header(), "[::1]:8080");
    }

    #[test]
    fn invalid_cell_urls_are_refused() {
        let error = |text: &str| text.parse::<CellUrl>().err();
        assert_eq!(error("http://"), Some(CellUrlError::NotUrl));
        assert_eq!(error("cell:1"), Some(CellUrlError::NotHttp));
        assert_eq!(error("/path"), Some(CellUrlError::NotUrl));
        assert_eq!(error("https://cell:1"), Some(CellUrlError::NotHttp));
        assert_eq!(error("http://me@cell:1"), Some(CellUrlError::Userinfo));
        assert_eq!(error("http://cell:1/x"), Some(CellUrlError::PathOrQuery));
        assert_eq!(error("http://cell:1?x"), Some(CellUrlError::PathOrQuery));
    }
}
