//! Whether a router passes on the response of a cell unchanged (RT-08).

use cell_fleet::{ResponseSeen, wire};

use super::ReceivedResponse;
use super::field_lines::{lines, say_the_same};
use super::one_hop::{is_named_by_connection, is_one_hop, lists};

/// End-to-end fields that a router may add, remove or change.
const NOT_JUDGED: [&str; 5] = ["via", "server", "date", "age", "alt-svc"];

/// Fields that change the meaning of a response, which a router must not add.
const NOT_TO_ADD: [&str; 12] = [
    "set-cookie",
    "location",
    "content-type",
    "content-encoding",
    "content-language",
    "content-range",
    "cache-control",
    "etag",
    "expires",
    "last-modified",
    "vary",
    "www-authenticate",
];

/// Metadata of a representation that "a sender SHOULD NOT generate" in a 304 (RFC 9110 15.4.5), so
/// that a router may leave it out there. The same goes for `Last-Modified` next to an `ETag`.
const NOT_IN_304: [&str; 3] = ["content-type", "content-encoding", "content-language"];

/// The differences between the response of a cell and what the user received; none if it was
/// passed on.
pub fn differences(cell: &ResponseSeen, user: &ReceivedResponse) -> Vec<String> {
    let mut found = Vec::new();
    if cell.status != user.status {
        found.push(format!("status {} became {}", cell.status, user.status));
    }
    let mut names = Vec::new();
    for name in cell
        .fields
        .iter()
        .chain(&user.fields)
        .map(|field| field.name.to_string().to_ascii_lowercase())
    {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let ends_here = |name: &&String| is_named_by_connection(&cell.fields, name);
    for name in names.iter().filter(|name| is_judged(name) && !ends_here(name)) {
        let (gave, got) = (lines(&cell.fields, name), lines(&user.fields, name));
        if got.is_empty() && (may_be_blocked(name) || may_be_left_out(name, user)) {
            continue;
        }
        let may_add =
            gave.is_empty() && may_be_added(name) && !lists(&cell.fields, "Trailer", name);
        if !say_the_same(name, &gave, &got) && !may_add {
            found.push(format!("field {name}: {} became {}", shown(&gave), shown(&got)));
        }
    }
    // Without a body nothing else shows which length is told (RFC 9110 8.6).
    let length = |fields| lines(fields, "Content-Length");
    let (gave, got) = (length(&cell.fields), length(&user.fields));
    if user.body.length == 0 && !gave.is_empty() && !got.is_empty() && gave != got {
        found.push(format!("field content-length: {} became {}", shown(&gave), shown(&got)));
    }
    // What follows a change of protocol is no content.
    if user.status == 101 {
        return found;
    }
    if !cell.body.is_known() {
        found.push(format!(
            "the cell did not send the body to its end; {} bytes came",
            user.body.length
        ));
    } else if cell.body.digest != user.body.digest {
        found.push(format!(
            "a body of {} bytes became another of {} bytes",
            cell.body.length, user.body.length
        ));
    }
    found
}

/// Whether a router may add a field of this name, although it is one that is passed on.
pub(crate) fn may_be_added(name: &str) -> bool {
    is_judged(name) && !NOT_TO_ADD.contains(&name)
}

pub(crate) fn is_judged(name: &str) -> bool {
    let is_internal = wire::INTERNAL.iter().any(|internal| name.eq_ignore_ascii_case(internal));
    !is_internal
        && !is_one_hop(name)
        && !NOT_JUDGED.contains(&name)
        && !name.starts_with("x-forwarded-")
}

/// Whether a field looks like one between cells and routers, so that a router may be set to block
/// it (RFC 9110 5.1, decision A-130).
pub(crate) fn may_be_blocked(name: &str) -> bool {
    let begins = name.get(..wire::CELL_FIELDS.len());
    begins.is_some_and(|begins| begins.eq_ignore_ascii_case(wire::CELL_FIELDS))
}

/// Whether a field that a 304 lacks is one that its sender should leave out.
pub(crate) fn may_be_left_out(name: &str, got: &ReceivedResponse) -> bool {
    let has_tag = || got.fields.iter().any(|field| field.is("etag"));
    got.status == 304 && (NOT_IN_304.contains(&name) || name == "last-modified" && has_tag())
}

fn shown(lines: &[String]) -> String {
    if lines.is_empty() { "nothing".to_owned() } else { format!("`{}`", lines.join("` `")) }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use cell_fleet::{BodySeen, CellId, HopId};

    use super::*;
    use crate::trace::made::fields;

    fn found(cell: &[(&str, &str)], user: &[(&str, &str)]) -> Vec<String> {
        found_at(200, cell, user)
    }

    fn found_at(status: u16, cell: &[(&str, &str)], user: &[(&str, &str)]) -> Vec<String> {
        let body = BodySeen::of(&Bytes::from_static(b"page"));
        let cell = ResponseSeen {
            hop: HopId(1),
            cell: CellId::eu(0),
            status,
            fields: fields(cell),
            body: body.clone(),
        };
        differences(&cell, &ReceivedResponse { status, fields: fields(user), body })
    }

    #[test]
    fn changes_that_the_contract_leaves_open_are_allowed() {
        let cell = [
            ("X-Page", "a"),
            ("X-Gitlab-Cell-Cache", "{path_prefix:/a/}"),
            ("Content-Length", "4"),
            ("Connection", "keep-alive, X-Listed"),
            ("X-Listed", "for the router"),
        ];
        let user = [
            ("via", "1.1 router"),
            ("x-page", "a"),
            ("transfer-encoding", "chunked"),
            ("date", "now"),
            ("x-served-by", "router"),
        ];
        assert!(found(&cell, &user).is_empty());
    }

    #[test]
    fn a_length_without_a_body_is_that_of_the_cell_or_left_out() {
        let body = BodySeen::of(&Bytes::new());
        let found = |cell: &[(&str, &str)], user: &[(&str, &str)]| {
            let cell = ResponseSeen {
                hop: HopId(1),
                cell: CellId::eu(0),
                status: 200,
                fields: fields(cell),
                body: body.clone(),
            };
            let user = ReceivedResponse { status: 200, fields: fields(user), body: body.clone() };
            differences(&cell, &user)
        };
        let told = [("Content-Length", "4000")];
        assert!(found(&told, &told).is_empty() && found(&told, &[]).is_empty());
        assert!(found(&[], &[("Content-Length", "0")]).is_empty());
        assert_eq!(
            found(&told, &[("Content-Length", "0")]),
            ["field content-length: `4000` became `0`"]
        );
    }

    #[test]
    fn lost_changed_and_meaningful_added_fields_are_differences() {
        assert_eq!(found(&[("X-Page", "a")], &[]), ["field x-page: `a` became nothing"]);
        assert_eq!(found(&[("X-Page", "a")], &[("x-page", "b")]).len(), 1);
        assert_eq!(found(&[], &[("cache-control", "no-store")]).len(), 1);
    }

    #[test]
    fn a_304_may_lack_what_its_sender_should_leave_out() {
        let cell = [("Content-Type", "text/plain"), ("ETag", "\"a\""), ("Last-Modified", "then")];
        assert!(found_at(304, &cell, &[("etag", "\"a\"")]).is_empty());
        assert_eq!(found_at(304, &cell, &[("last-modified", "then")]).len(), 1);
        assert_eq!(found_at(304, &cell[..1], &[("content-type", "text/html")]).len(), 1);
        assert_eq!(found_at(304, &cell[2..], &[]).len(), 1);
        assert_eq!(found(&cell, &[("etag", "\"a\"")]).len(), 2);
        assert_eq!(
            found_at(304, &[("Vary", "Accept"), ("Cache-Control", "no-store")], &[]).len(),
            2
        );
    }

    #[test]
    fn a_field_that_looks_like_one_of_the_cells_may_be_removed_and_not_changed() {
        let cell = [("X-Gitlab-Cell-Redirect-Hint", "{cell:Cell US2}")];
        assert!(found(&cell, &[]).is_empty());
        assert_eq!(found(&cell, &[("x-gitlab-cell-redirect-hint", "b")]).len(), 1);
        assert_eq!(found(&[("X-Gitlab-Cells", "a")], &[]).len(), 1);
    }
}
