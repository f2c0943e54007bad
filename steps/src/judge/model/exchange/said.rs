//! What a cell says to a router, read from its response.

use cell_fleet::{BodySeen, CellId, ResponseSeen, wire};
use serde::Deserialize;

use crate::trace::field_lines::lines;

/// What a response without a pre-flight says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::judge::model) enum Said {
    /// The request belongs to the cell of this name (BF-03, BF-10).
    Bounce(String),
    /// The redirect field cannot be read: the router refuses (contract, *Buffering on the wire*).
    UnreadableBounce,
    /// The response is the user's.
    Final,
}

/// What a learn response says (LN-04, LN-06).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::judge::model) enum Learned {
    /// The path, without a final slash where it is a prefix, belongs to the cell with this id.
    Owner { path: String, cell: String, exact: bool },
    /// The asked cell knows no owner (Z-34).
    Nobody,
    /// An error, or something that cannot be read (Z-14).
    Unreadable,
}

/// Only a 302 bounces (Z-37), and only in buffering.
pub(in crate::judge::model) fn said(response: &ResponseSeen) -> Said {
    let redirects = lines(&response.fields, wire::CELL_REDIRECT);
    match redirects.as_slice() {
        [] => Said::Final,
        _ if response.status != 302 => Said::Final,
        [one] => member(one, "cell").map_or(Said::UnreadableBounce, Said::Bounce),
        _ => Said::UnreadableBounce,
    }
}

/// The prefixes of a response's cache field, one for each line (CA-02); none for a line that cannot
/// be read.
pub(in crate::judge::model) fn prefixes(response: &ResponseSeen) -> Vec<Option<String>> {
    let lines = lines(&response.fields, wire::CELL_CACHE);
    lines.iter().map(|line| member(line, "path_prefix").map(without_slash)).collect()
}

/// What a response to a pre-flight says: its status and its body alone count (Z-73).
pub(in crate::judge::model) fn learned(response: &ResponseSeen) -> Learned {
    learned_from(response.status, &response.body)
}

/// What a response to a pre-flight with this status and body says.
pub(in crate::judge::model) fn learned_from(status: u16, body: &BodySeen) -> Learned {
    #[derive(Deserialize)]
    struct Body {
        path: String,
        cell: String,
        #[serde(default)]
        exact: bool,
    }
    // A list of the values is no object, although it can be read as one.
    let object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&body.text());
    let said = object.ok().and_then(|it| serde_json::from_value::<Body>(it.into()).ok());
    match (status, said) {
        (404, _) => Learned::Nobody,
        (200, Some(Body { path, cell, exact })) => {
            let path = if exact { path } else { without_slash(path) };
            Learned::Owner { path, cell, exact }
        }
        _ => Learned::Unreadable,
    }
}

/// The row by which routers take a learn response, whose source may be one of the documents or not.
pub(in crate::judge::model) fn row_of_source(response: &ResponseSeen) -> &'static str {
    #[derive(Deserialize)]
    struct Source {
        source: String,
    }
    let said = serde_json::from_str::<Source>(&response.body.text());
    match said.as_ref().map(|it| it.source.as_str()) {
        Ok("fixed") => "LN-07",
        Ok("routable") | Err(_) => "LN-04",
        Ok(_) => "Z-64",
    }
}

/// Whether a bounce is written as the documents draw it, with the name of this cell.
pub(in crate::judge::model) fn is_plain_bounce(response: &ResponseSeen, cell: &CellId) -> bool {
    let plain = wire::redirect_value(&cell.name());
    lines(&response.fields, wire::CELL_REDIRECT) == [plain]
}

/// Whether a cell is called this, by its name or by its id (decision A-07).
pub(in crate::judge::model) fn is_called(cell: &CellId, word: &str) -> bool {
    word.parse::<CellId>().is_ok_and(|named| named == *cell)
}

fn without_slash(path: String) -> String {
    path.strip_suffix('/').unwrap_or(&path).to_owned()
}

/// The value of a member in braces: `{cell:Cell EU0}`. Blanks around names and values do not count.
fn member(text: &str, name: &str) -> Option<String> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let members = inner.split(',').map(|member| member.split_once(':'));
    let members: Option<Vec<_>> = members.collect();
    let found = members?.into_iter().find(|(known, _)| known.trim() == name)?.1.trim().to_owned();
    (!found.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_no_learn_response() {
        let learned = |text: &'static str| {
            learned_from(200, &BodySeen::of(&bytes::Bytes::from_static(text.as_bytes())))
        };
        assert_eq!(learned(r#"["/a","cell_eu0"]"#), Learned::Unreadable);
        let owner = Learned::Owner { path: "/a".into(), cell: "cell_eu0".into(), exact: false };
        assert_eq!(learned(r#"{"path":"/a/","cell":"cell_eu0","x":[]}"#), owner);
    }

    #[test]
    fn members_in_braces() {
        assert_eq!(member("{cell:Cell EU0}", "cell").as_deref(), Some("Cell EU0"));
        assert_eq!(member("{ x:1, cell : Cell EU0 }", "cell").as_deref(), Some("Cell EU0"));
        for bad in ["cell:Cell EU0", "{cell}", "{cell:}", "{other:Cell EU0}"] {
            assert_eq!(member(bad, "cell"), None, "{bad}");
        }
    }
}
