//! Custom features, in a record.

use crate::engine::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The feature files of a run whose scenarios are not the suite's, so that the report can be judged
/// again without them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnFeatures {
    /// The files, in the order of their paths.
    pub files: Vec<OwnFeature>,
}

/// A custom feature file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OwnFeature {
    /// Its path below the folder that was named, with `/`. The names of its scenarios begin with
    /// it.
    pub path: String,
    /// Where it was read, as a person would open it there.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl OwnFeatures {
    /// SHA-256 over all files, with their paths; where they were read does not matter.
    pub(crate) fn digest(&self) -> String {
        digest(self.files.iter().map(|file| (file.path.as_str(), file.text.as_str())))
    }
}

/// SHA-256 over feature files: path and text of each.
pub(super) fn digest<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut hash = Sha256::new();
    for (path, text) in files {
        // Lengths keep a path and a text from running into each other.
        for part in [path, text] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part.as_bytes());
        }
    }
    hex(hash.finalize())
}
