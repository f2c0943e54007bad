//! Names of places, and other spellings of them.

use cell_fleet::wire::LEARN_PATH;

/// Names for any segment of a path: prefixes of each other, one byte apart, in other letters,
/// escaped, with dots, with what RFC 3986 allows in a segment, and with reserved words in front.
pub(super) const NAMES: [&str; 40] = [
    "a",
    "ab",
    "abc",
    "a-b",
    "a.b",
    "a_b",
    "A",
    "Ab",
    "acme",
    "acme-2",
    "Acme",
    "ACME",
    "ac",
    "b",
    "users2",
    "user",
    "admin-x",
    "administrators",
    "api2",
    "groups.x",
    "organizations2",
    "explore",
    "dashboards",
    "a%20b",
    "a%2Bb",
    "a%2Fb",
    "%C3%A4",
    "%c3%a4",
    "%E6%97%A5",
    "a+b",
    "a(b",
    "a;b",
    "a:b",
    "a@b",
    "a,b",
    "a=b",
    "~a",
    "-x",
    ".x",
    "x",
];

/// Words that the application keeps for itself at the top of a path, and not below it.
pub(super) const RESERVED: [&str; 12] = [
    "admin",
    "api",
    "users",
    "-",
    "groups",
    "organizations",
    "search",
    "dashboard",
    "learn",
    "cells",
    "new",
    "sign_in",
];

/// Slugs of organizations.
pub(super) const ORGANIZATIONS: [&str; 6] = ["org", "org-2", "Org", "o.rg", "acme", "my"];

/// Whether a group or project can have this name.
pub(super) fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        && !name.chars().all(|c| "-.".contains(c))
}

/// The path with upper and lower case swapped. A path with an escape stays as it is: in either
/// case, the digits of an escape name the same byte.
pub(super) fn swapped_case(path: &str) -> String {
    let swapped = |c: char| match c {
        c if c.is_ascii_lowercase() => c.to_ascii_uppercase(),
        c => c.to_ascii_lowercase(),
    };
    if path.contains('%') { path.to_owned() } else { path.chars().map(swapped).collect() }
}

/// Other spellings of a path: doubled slashes, dot segments, an escape that names a letter.
pub(super) fn respelled(path: &str) -> [String; 6] {
    let first = path.chars().nth(1).filter(char::is_ascii_alphanumeric);
    let escaped = first.map(|first| format!("/%{:02X}{}", u32::from(first), &path[2..]));
    [
        format!("/{path}"),
        format!("{path}/./x"),
        format!("{path}/y/../x"),
        format!("{path}/.."),
        escaped.unwrap_or_else(|| format!("{path}//x")),
        format!("{path}//x"),
    ]
}

/// The learn path, and targets that look like it: spellings of it, pages below it, and paths that
/// are neither.
pub(super) fn near_learn() -> [String; 12] {
    [
        ("", "?method=GET&path_info=/a"),
        ("", "/?method=GET&path_info=/acme/x"),
        ("/", "?method=GET&path_info=/a"),
        ("/api/v4/..", "?method=GET&path_info=/a"),
        ("", ";x"),
        ("", ".json"),
        ("", "/x"),
        ("", "ed"),
        ("", "x?method=GET&path_info=/a"),
        ("", "-2"),
        ("", "%20"),
        ("/api2", ""),
    ]
    .map(|(before, after)| format!("{before}{LEARN_PATH}{after}"))
}

/// Paths that differ from this one in the last byte, or have a little more.
pub(super) fn neighbors(path: &str) -> [String; 5] {
    let last = path.char_indices().next_back();
    let other = match last {
        // The last byte of an escape is not a separate character.
        Some((at, last)) if at > 1 && !path[..at].ends_with('%') && last != '/' => {
            format!("{}{}", &path[..at], if last == 'z' { 'y' } else { 'z' })
        }
        _ => format!("{path}z"),
    };
    let more = |more| format!("{path}{more}");
    [more("x"), more("-2"), more("."), more("%20"), other]
}

/// Pairs of paths that are nearly the same: in other letters, with a parameter, with another
/// character where an expression has a dot, with the same bytes in another order, or with the same
/// long beginning.
pub(super) fn twins(path: &str) -> [(String, String); 8] {
    let both = |one: &str, other: &str| (format!("{path}{one}"), format!("{path}{other}"));
    let long =
        |length| both(&format!("{}1", "n".repeat(length)), &format!("{}2", "n".repeat(length)));
    [
        both("-ab", "-AB"),
        both("", ";v=1"),
        both("-a.b", "-aXb"),
        both("-ab", "-ba"),
        long(70),
        long(260),
        both("", "0"),
        both("-a", "-a;b"),
    ]
}

/// The path without its last segment.
pub(super) fn above(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((above, _)) if !above.is_empty() => above.to_owned(),
        _ => path.to_owned(),
    }
}
