//! Bytes in a record: as text if they are UTF-8, with long runs of one character counted.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cell_fleet::Text;
use serde::{Deserialize, Serialize};

/// Bytes, as text where they are UTF-8.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Written", into = "Written")]
pub enum Plain {
    /// As text.
    Text(String),
    /// Encoded.
    Encoded {
        /// The bytes in base64.
        base64: String,
    },
}

/// Bytes in JSON: a string where they are UTF-8, `{"pieces": [...]}` where a character is repeated
/// many times, `{"base64": "..."}` where they are no UTF-8.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Plain"))]
#[serde(untagged)]
enum Written {
    /// As text.
    Text(String),
    /// As text in pieces, one after the other.
    InPieces {
        /// The pieces.
        pieces: Vec<Piece>,
    },
    /// Encoded.
    Encoded {
        /// The bytes in base64.
        base64: String,
    },
}

/// A piece of a text: a text, or a character with the number of its repetitions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Piece {
    /// As it stands.
    Text(String),
    /// One character, repeated this many times.
    Run(char, usize),
}

/// A run of this many equal characters is counted.
const LONG_RUN: usize = 64;

/// A report that counts more characters than this in one text is refused: no run writes one.
const LONGEST_TEXT: usize = 64 * 1024 * 1024;

impl From<Plain> for Written {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Encoded { base64 } => Self::Encoded { base64 },
            Plain::Text(text) if text.len() < LONG_RUN => Self::Text(text),
            Plain::Text(text) => match pieces_of(&text) {
                pieces if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) => {
                    Self::Text(text)
                }
                pieces => Self::InPieces { pieces },
            },
        }
    }
}

impl TryFrom<Written> for Plain {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        Ok(match written {
            Written::Text(text) => Self::Text(text),
            Written::Encoded { base64 } => Self::Encoded { base64 },
            Written::InPieces { pieces } => {
                let mut text = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text(piece) => text.push_str(&piece),
                        Piece::Run(character, count) => {
                            if count > LONGEST_TEXT - text.len().min(LONGEST_TEXT) {
                                return Err(format!(
                                    "a text of more than {LONGEST_TEXT} characters"
                                ));
                            }
                            super::room::take(count * character.len_utf8())?;
                            text.extend(std::iter::repeat_n(character, count));
                        }
                    }
                }
                Self::Text(text)
            }
        })
    }
}

/// The text in pieces: its long runs, and what stands between them.
fn pieces_of(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut plain, mut rest) = (0, text);
    while let Some(character) = rest.chars().next() {
        let at = text.len() - rest.len();
        rest = rest.trim_start_matches(character);
        let end = text.len() - rest.len();
        let count = (end - at) / character.len_utf8();
        if count >= LONG_RUN {
            if plain < at {
                pieces.push(Piece::Text(text[plain..at].to_owned()));
            }
            pieces.push(Piece::Run(character, count));
            plain = end;
        }
    }
    if plain < text.len() {
        pieces.push(Piece::Text(text[plain..].to_owned()));
    }
    pieces
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

    /// The bytes, to be shared; none if the base64 is damaged.
    pub(super) fn into_text(self) -> Text {
        Text(match self {
            Self::Text(text) => text.into(),
            Self::Encoded { .. } => self.bytes().into(),
        })
    }

    /// A text for people.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Encoded { base64 } => format!("(base64) {base64}"),
        }
    }
}

/// The longest body that a report holds as a whole, in bytes.
pub(crate) const WHOLE_BODY: u64 = 64 * 1024;

/// How much of a longer body a report holds, in bytes.
pub(crate) const BEGINNING_OF_LONGER: usize = 1024;

/// How many bytes a report holds of a body of this length.
pub(crate) fn held_of(length: u64) -> u64 {
    if length <= WHOLE_BODY { length } else { BEGINNING_OF_LONGER as u64 }
}

/// A body: its length, and its bytes up to 64 KiB; of a longer one, its first KiB. Its name is the
/// digest of the whole; for a body that was not seen, `unknown-` and the announced length.
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

    #[test]
    fn a_long_run_is_counted() {
        let text = format!("GET /{}?{} HTTP/1.1", "a".repeat(100_000), "\u{fc}".repeat(64));
        let json = serde_json::to_string(&Plain::of(text.as_bytes())).unwrap();
        assert_eq!(json, r#"{"pieces":["GET /",["a",100000],"?",["ü",64]," HTTP/1.1"]}"#);
    }

    #[test]
    fn a_run_that_no_memory_holds_is_refused() {
        for count in ["18446744073709551615", "1000000000"] {
            let json = format!(r#"{{"pieces":["a",["a",{count}]]}}"#);
            let refused = serde_json::from_str::<Plain>(&json).unwrap_err();
            assert!(refused.to_string().contains("characters"), "{refused}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_with_runs_survives_json(
            parts in proptest::collection::vec((".{0,3}", 0usize..200), 0..6),
        ) {
            let text: String = parts.iter().map(|(part, count)| part.repeat(*count)).collect();
            let json = serde_json::to_string(&Plain::of(text.as_bytes())).unwrap();
            proptest::prop_assert_eq!(
                serde_json::from_str::<Plain>(&json).unwrap().bytes(),
                text.into_bytes()
            );
        }
    }
}
