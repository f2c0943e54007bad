//! Bytes in a report: text wherever they are text.

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
    /// Takes bytes in.
    pub fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Encoded { base64: STANDARD.encode(bytes) },
        }
    }

    /// The bytes again. What is no base64 was damaged, and gives what can be read of it: nothing.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Encoded { base64 } => STANDARD.decode(base64).unwrap_or_default(),
        }
    }

    /// To be shown to a person.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Encoded { base64 } => format!("(base64) {base64}"),
        }
    }
}

/// A body: its length and its beginning (at most 64 KiB). It is known by the digest of the whole,
/// or as `unknown-0` where nobody saw it, with what was said of its length.
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
    fn bytes_survive_whatever_they_are() {
        for bytes in [&b"plain"[..], b"", "gr\u{fc}n".as_bytes(), b"\xff\x00\xfe"] {
            let json = serde_json::to_string(&Plain::of(bytes)).unwrap();
            assert_eq!(serde_json::from_str::<Plain>(&json).unwrap().bytes(), bytes);
        }
    }
}
