//! Packet lines: four hexadecimal digits with the length, and the data.

/// Ends a list of packets.
pub(super) const FLUSH: &[u8] = b"0000";

/// A packet with this data.
pub(super) fn packet(data: impl AsRef<[u8]>) -> Vec<u8> {
    let data = data.as_ref();
    [format!("{:04x}", data.len() + 4).as_bytes(), data].concat()
}

/// A packet that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packet<'b> {
    Flush,
    Data(&'b [u8]),
}

impl<'b> Packet<'b> {
    /// The data as text, without the end of the line.
    pub(super) fn text(self) -> Option<&'b str> {
        let Self::Data(data) = self else { return None };
        std::str::from_utf8(data).ok().map(|text| text.trim_end_matches('\n'))
    }
}

/// The packets at the beginning of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packets<'b>(pub(super) &'b [u8]);

impl<'b> Packets<'b> {
    /// What comes after the packets that were read.
    pub(super) fn rest(self) -> &'b [u8] {
        self.0
    }
}

impl<'b> Iterator for Packets<'b> {
    type Item = Packet<'b>;

    fn next(&mut self) -> Option<Packet<'b>> {
        let length = self.0.get(..4).and_then(|length| std::str::from_utf8(length).ok())?;
        let length = usize::from_str_radix(length, 16).ok()?;
        // 1 to 3 are delimiters of version 2.
        let (packet, length) = match length {
            0 => (Packet::Flush, 4),
            1..4 => return None,
            _ => (Packet::Data(self.0.get(4..length)?), length),
        };
        self.0 = &self.0[length..];
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_read_as_they_are_written() {
        let bytes = [&packet("want\n")[..], FLUSH, b"PACK"].concat();
        assert!(bytes.starts_with(b"0009want\n0000"));
        let mut packets = Packets(&bytes);
        assert_eq!(packets.next().and_then(Packet::text), Some("want"));
        assert_eq!(packets.next(), Some(Packet::Flush));
        assert_eq!((packets.next(), packets.rest()), (None, &b"PACK"[..]));
        assert_eq!(Packets(b"0009wa").next(), None);
        assert_eq!(Packets("é000".as_bytes()).next(), None);
    }
}
