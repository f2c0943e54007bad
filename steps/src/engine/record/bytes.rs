//! Bytes in a record: as text if they are UTF-8.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// Bytes: a JSON string where they are UTF-8, `{"base64": "..."}` otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Plain {
    /// As text.
    Text(String),
    /// Encoded.
    Encoded {
        /// The bytes in base64.
        base64: String,
    },
}

impl Plain {
    /// Encodes bytes.
    pub fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Encoded { base64: STANDARD.encode(bytes) },
        }
    }

    /// The bytes; none if the base64 is damaged.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Encoded { base64 } => STANDARD.decode(base64).unwrap_or_default(),
        }
    }

    /// A text for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Encoded { base64 } => format!("(base64) {base64}"),
        }
    }
}

/// A body: its length and its beginning (at most 64 KiB). Its name is the digest of the whole; for
/// a body that was not seen, `unknown-` and the announced length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Body {
    /// Bytes in all.
    pub length: u64,
    /// The first bytes.
    pub beginning: Plain,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_survive_json() {
        for bytes in [&b"plain"[..], b"", "gr\u{fc}n".as_bytes(), b"\xff\x00\xfe"] {
            let json = serde_json::to_string(&Plain::of(bytes)).unwrap();
            assert_eq!(serde_json::from_str::<Plain>(&json).unwrap().bytes(), bytes);
        }
    }
}
