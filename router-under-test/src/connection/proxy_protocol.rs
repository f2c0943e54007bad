//! PROXY protocol, version 2: what a proxy that passes on bytes says in front of each connection
//! (<https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt>).

use std::io;
use std::net::IpAddr;

use proxy_header::{ParseConfig, Protocol, ProxyHeader, Tlv};
use tokio::io::{AsyncRead, AsyncReadExt as _};

/// How each header begins.
const SIGNATURE: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// The part of a header that tells how long the rest is.
const FIXED: usize = 16;

/// Longest header, in bytes. Addresses are short; certificates of users make it long.
const LONGEST: usize = 4096;

/// How a header of version 1 begins.
const VERSION_1: &[u8] = b"PROXY ";

/// The user at the other side of the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) address: IpAddr,
    /// The user speaks TLS with the proxy.
    pub(crate) is_secure: bool,
}

/// Why a connection does not begin with a header.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHeader {
    /// The bytes are no header of version 2.
    #[error("the bytes are no header of version 2")]
    Malformed,
    /// It is of version 1, which is text.
    #[error("it is of version 1, and this router reads version 2")]
    Version1,
    /// It says that it is longer than this router reads.
    #[error("it has {0} bytes, more than {LONGEST}")]
    TooLong(usize),
    /// It is for datagrams.
    #[error("it is for datagrams")]
    Datagram,
    /// The connection ended within it, or broke.
    #[error("the connection ended within it: {0}")]
    Ended(io::Error),
}

/// Reads a header, and no byte after it. Without a source the connection is the proxy's own, or
/// the proxy cannot say whose it is.
pub(crate) async fn read(
    stream: &mut (impl AsyncRead + Unpin),
) -> Result<Option<Source>, NoHeader> {
    let mut bytes = Vec::with_capacity(FIXED);
    while let Some(left) = left_of(&bytes)? {
        match stream.take(left as u64).read_buf(&mut bytes).await {
            Ok(0) => return Err(NoHeader::Ended(io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => {}
            Err(error) => return Err(NoHeader::Ended(error)),
        }
    }
    source(&bytes)
}

/// How many bytes are wanted next; none where the header is whole.
fn left_of(bytes: &[u8]) -> Result<Option<usize>, NoHeader> {
    let common = bytes.len().min(SIGNATURE.len());
    if bytes[..common] != SIGNATURE[..common] {
        let is_text = bytes.starts_with(VERSION_1);
        return Err(if is_text { NoHeader::Version1 } else { NoHeader::Malformed });
    }
    if bytes.len() < FIXED {
        return Ok(Some(FIXED - bytes.len()));
    }
    let whole = FIXED + usize::from(u16::from_be_bytes([bytes[FIXED - 2], bytes[FIXED - 1]]));
    if whole > LONGEST {
        return Err(NoHeader::TooLong(whole));
    }
    Ok((bytes.len() < whole).then(|| whole - bytes.len()))
}

/// What a whole header says.
fn source(bytes: &[u8]) -> Result<Option<Source>, NoHeader> {
    let config = ParseConfig { include_tlvs: true, allow_v1: false, allow_v2: true };
    let (header, _) = ProxyHeader::parse(bytes, config).map_err(|_| NoHeader::Malformed)?;
    let Some(addresses) = header.proxied_address() else { return Ok(None) };
    if addresses.protocol == Protocol::Datagram {
        return Err(NoHeader::Datagram);
    }
    let mut is_secure = false;
    for value in header.tlvs() {
        if let Tlv::Ssl(tls) = value.map_err(|_| NoHeader::Malformed)? {
            is_secure |= tls.client_ssl();
        }
    }
    Ok(Some(Source { address: addresses.source.ip().to_canonical(), is_secure }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fuzzing;

    /// What is read of these bytes, and how many are left.
    fn read_from(mut bytes: &[u8]) -> (Result<Option<Source>, String>, usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let outcome = runtime.block_on(read(&mut bytes)).map_err(|error| error.to_string());
        (outcome, bytes.len())
    }

    /// Bytes that are nearly headers.
    fn nearly_headers() -> impl Strategy<Value = Vec<u8>> {
        let byte =
            |usual: &'static [u8]| prop_oneof![9 => prop::sample::select(usual), 1 => any::<u8>()];
        let length = prop_oneof![4 => 0u16..64, 2 => 210u16..230, 1 => any::<u16>()];
        let rest = prop::collection::vec(prop_oneof![Just(0), Just(0x20), any::<u8>()], 0..300);
        (byte(&[0x20, 0x21]), byte(&[0, 0x11, 0x12, 0x21, 0x31]), length, rest, any::<bool>())
            .prop_map(|(command, family, length, rest, cut)| {
                let length = length.to_be_bytes();
                let signature = if cut { &SIGNATURE[..9] } else { SIGNATURE };
                [signature, &[command, family], &length, &rest].concat()
            })
    }

    #[test]
    fn what_is_no_header_says_so() {
        let error = |bytes: &[u8]| read_from(bytes).0.unwrap_err();
        assert!(error(b"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\n").contains("version 1"));
        assert!(error(b"GET / HTTP/1.1\r\n").contains("no header"));
        assert!(error(&SIGNATURE[..5]).contains("ended"));
        let long = [SIGNATURE, &[0x21, 0x11, 0xff, 0xff]].concat();
        assert!(error(&long).contains("65551 bytes"));
    }

    proptest! {
        #![proptest_config(fuzzing::cases())]

        #[test]
        fn no_byte_after_a_header_is_read(bytes in nearly_headers()) {
            let (outcome, left) = read_from(&bytes);
            if outcome.is_ok() {
                let length = usize::from(u16::from_be_bytes([bytes[14], bytes[15]]));
                prop_assert_eq!(bytes.len() - left, FIXED + length);
            }
            // The parts in which it comes make no difference; see the integration tests.
            prop_assert_eq!(read_from(&bytes[..bytes.len() - left]).0, outcome);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = read_from(&bytes);
        }
    }
}
