//! The proxies in front of the router that tell the truth about users.

use std::net::IpAddr;
use std::str::FromStr;

/// Networks, each by an address and how many bits of it count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proxies(Vec<(IpAddr, u32)>);

impl Proxies {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the address of one.
    pub(crate) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|(network, bits)| match (network, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - bits).unwrap_or(0);
                network.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        })
    }
}

impl FromStr for Proxies {
    /// The part that is no network.
    type Err = String;

    /// Reads addresses and networks (`10.0.0.0/8`) with commas in between.
    fn from_str(text: &str) -> Result<Self, String> {
        let network = |part: &str| {
            let (address, bits) =
                part.split_once('/').map_or((part, None), |(address, bits)| (address, Some(bits)));
            let address = address.parse::<IpAddr>().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Some(most), |bits| bits.parse().ok())?;
            (bits <= most).then_some((address, bits))
        };
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| network(part).ok_or_else(|| part.to_owned()))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_their_addresses() {
        let proxies: Proxies = "127.0.0.1, 10.1.0.0/16,::1,fd00::/8".parse().unwrap();
        for (address, is_one) in [
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("10.1.255.3", true),
            ("10.2.0.1", false),
            ("::1", true),
            ("::ffff:127.0.0.1", true),
            ("fd12::9", true),
            ("fe80::1", false),
        ] {
            assert_eq!(proxies.contains(address.parse().unwrap()), is_one, "{address}");
        }
        let all: Proxies = "0.0.0.0/0".parse().unwrap();
        assert!(all.contains("8.8.8.8".parse().unwrap()));
        assert!(!Proxies::default().contains("127.0.0.1".parse().unwrap()));
        for bad in ["x", "10.0.0.0/33", "10.0.0.0/-1", "::1/129", "10.0.0.0/8/8"] {
            assert_eq!(bad.parse::<Proxies>().unwrap_err(), bad);
        }
    }
}
