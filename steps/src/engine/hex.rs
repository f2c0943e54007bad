//! Bytes as text.

/// Two lowercase digits for each byte, as digests are written.
pub fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
