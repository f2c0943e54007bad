//! What a cell says to a router, read from its response.

use cell_fleet::{CellId, Field, ResponseSeen};
use serde::Deserialize;

/// What a response without a pre-flight says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Said {
    /// The request belongs to the cell of this name (BF-03, BF-10).
    Bounce(String),
    /// The redirect field cannot be read: the router refuses (contract, *Buffering on the wire*).
    UnreadableBounce,
    /// The response is the user's; it may teach a prefix (CA-02, CA-18).
    Final {
        /// The prefix, without its final slash.
        prefix: Option<String>,
    },
}

/// What a learn response says (LN-04, LN-06).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Learnt {
    /// The path belongs to the cell with this id.
    Owner {
        /// The path, without a final slash where it is a prefix.
        path: String,
        /// The id of the cell.
        cell: String,
        /// Whether the path alone is meant.
        exact: bool,
    },
    /// The asked cell knows no owner.
    Nobody,
    /// An error, or something that cannot be read.
    Unreadable,
}

/// Only a 302 bounces (Z-37), and only in buffering.
pub(super) fn said(response: &ResponseSeen) -> Said {
    let redirects = lines(&response.fields, "X-Gitlab-Cell-Redirect");
    if response.status == 302 && !redirects.is_empty() {
        let cell = match redirects.as_slice() {
            [one] => member(one, "cell"),
            _ => None,
        };
        return cell.map_or(Said::UnreadableBounce, Said::Bounce);
    }
    let prefix = match lines(&response.fields, "X-Gitlab-Cell-Cache").as_slice() {
        [one] => member(one, "path_prefix"),
        _ => None,
    };
    Said::Final { prefix: prefix.and_then(|path| as_prefix(&path)) }
}

/// What a response to a pre-flight says: its status and its body alone count (Z-73).
pub(super) fn learnt(response: &ResponseSeen) -> Learnt {
    #[derive(Deserialize)]
    struct Body {
        path: String,
        cell: String,
        #[serde(default)]
        exact: bool,
    }
    match (response.status, serde_json::from_str::<Body>(&response.body.text())) {
        (404, _) => Learnt::Nobody,
        (200, Ok(Body { path, cell, exact: true })) => Learnt::Owner { path, cell, exact: true },
        (200, Ok(Body { path, cell, exact: false })) => match as_prefix(&path) {
            Some(path) => Learnt::Owner { path, cell, exact: false },
            None => Learnt::Owner { path: String::new(), cell, exact: false },
        },
        _ => Learnt::Unreadable,
    }
}

/// Whether a cell is called this, by its name or by its id.
pub(super) fn is_called(cell: &CellId, word: &str) -> bool {
    word.parse::<CellId>().is_ok_and(|named| named == *cell)
}

/// A prefix without its final slash; `/` and the empty prefix teach nothing (Z-08, CA-12).
fn as_prefix(path: &str) -> Option<String> {
    let bare = path.strip_suffix('/').unwrap_or(path);
    (bare.starts_with('/') && bare.len() > 1).then(|| bare.to_owned())
}

/// The value of a member in braces: `{cell:Cell EU0}`. Blanks around names and values do not count.
fn member(text: &str, name: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let members = inner.split(',').map(|member| member.split_once(':'));
    let members: Option<Vec<_>> = members.collect();
    let found = members?.into_iter().find(|(known, _)| known.trim() == name)?.1.trim().to_owned();
    (!found.is_empty()).then_some(found)
}

fn lines(fields: &[Field], name: &str) -> Vec<String> {
    fields.iter().filter(|field| field.is(name)).map(|field| field.value.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_in_braces() {
        assert_eq!(member("{cell:Cell EU0}", "cell").as_deref(), Some("Cell EU0"));
        assert_eq!(member("{ x:1, cell : Cell EU0 }", "cell").as_deref(), Some("Cell EU0"));
        for bad in ["cell:Cell EU0", "{cell}", "{cell:}", "{other:Cell EU0}"] {
            assert_eq!(member(bad, "cell"), None, "{bad}");
        }
    }

    #[test]
    fn the_root_is_never_a_prefix() {
        assert_eq!(as_prefix("/a/b/").as_deref(), Some("/a/b"));
        assert_eq!((as_prefix("/"), as_prefix(""), as_prefix("a")), (None, None, None));
    }
}
