//! Objects of a repository, and the ids that follow from their content.

use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use sha1::{Digest, Sha1};

/// The id of an object: the SHA-1 of its kind, length and content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub(super) [u8; 20]);

impl ObjectId {
    /// Stands for no object: it is the old id of a new ref, and the new id of a deleted one.
    pub const NONE: Self = Self([0; 20]);
}

/// In hexadecimal digits.
impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ObjectId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid = || format!("`{text}` is not the id of an object: 40 hexadecimal digits");
        if text.len() != 40 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(invalid());
        }
        let mut bytes = [0; 20];
        for (place, byte) in bytes.iter_mut().enumerate() {
            let digits = &text[2 * place..2 * place + 2];
            *byte = u8::from_str_radix(digits, 16).map_err(|_| invalid())?;
        }
        Ok(Self(bytes))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ObjectKind {
    /// A state of the project, with the states before it.
    Commit,
    /// A folder.
    Tree,
    /// The content of a file.
    Blob,
    /// A tag with a message.
    Tag,
}

impl ObjectKind {
    fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An object. A clone shares the content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub kind: ObjectKind,
    pub content: Bytes,
}

impl Object {
    /// A commit with the title as the content of its only file.
    pub fn commit(title: &str, parent: Option<ObjectId>) -> Vec<Self> {
        let blob = Self { kind: ObjectKind::Blob, content: format!("{title}\n").into() };
        let entry = [b"100644 CHANGE\0".as_slice(), &blob.id().0].concat();
        let tree = Self { kind: ObjectKind::Tree, content: entry.into() };
        let parent = parent.map(|parent| format!("parent {parent}\n")).unwrap_or_default();
        let by = "Anna <anna@example.com> 1700000000 +0000";
        let text = format!("tree {}\n{parent}author {by}\ncommitter {by}\n\n{title}\n", tree.id());
        vec![blob, tree, Self { kind: ObjectKind::Commit, content: text.into() }]
    }

    pub fn id(&self) -> ObjectId {
        let head = format!("{} {}\0", self.kind.as_str(), self.content.len());
        let digest = Sha1::new().chain_update(head).chain_update(&self.content).finalize();
        ObjectId(digest.into())
    }

    /// The first line of the message of a commit.
    pub fn title(&self) -> Option<String> {
        let text = std::str::from_utf8(&self.content).ok()?;
        let (_, message) = text.split_once("\n\n").filter(|_| self.kind == ObjectKind::Commit)?;
        message.lines().next().map(str::to_owned)
    }

    /// The objects that this one names.
    pub(super) fn links(&self) -> Vec<ObjectId> {
        match self.kind {
            ObjectKind::Blob => Vec::new(),
            ObjectKind::Tree => entries(&self.content),
            ObjectKind::Commit | ObjectKind::Tag => {
                let head = self.content.split(|byte| *byte == b'\n').take_while(|l| !l.is_empty());
                let text = head.filter_map(|line| std::str::from_utf8(line).ok());
                let named = text.filter_map(|line| line.split_once(' '));
                named
                    .filter(|(name, _)| matches!(*name, "tree" | "parent" | "object"))
                    .filter_map(|(_, id)| id.parse().ok())
                    .collect()
            }
        }
    }
}

/// The objects in a folder, without the commits of other repositories.
fn entries(mut tree: &[u8]) -> Vec<ObjectId> {
    let mut found = Vec::new();
    while let Some(end) = tree.iter().position(|byte| *byte == 0) {
        let Some(id) = tree.get(end + 1..end + 21).and_then(|id| id.try_into().ok()) else { break };
        if !tree.starts_with(b"160000 ") {
            found.push(ObjectId(id));
        }
        tree = &tree[end + 21..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_git() {
        // As `git hash-object --stdin` and `git hash-object -t tree /dev/null` print them.
        let object = |kind, content: &'static str| Object { kind, content: content.into() };
        assert_eq!(
            object(ObjectKind::Blob, "hello\n").id().to_string(),
            "ce013625030ba8dba906f756967f9e9ca394464a"
        );
        let empty = object(ObjectKind::Tree, "").id();
        assert_eq!(empty.to_string(), "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
        assert_eq!(empty.to_string().parse(), Ok(empty));
        assert!("4b82".parse::<ObjectId>().is_err() && "é".repeat(20).parse::<ObjectId>().is_err());
    }
}
