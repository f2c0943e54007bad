//! The `Cookie` field: the router's own cookie comes out of it, and nothing else changes.

use http::header::{COOKIE, Entry};
use http::{HeaderMap, HeaderValue};

/// Takes all cookies of this name out of the fields, and gives their values in order.
///
/// Other cookies stay unchanged and in order; a line without other cookies is removed.
pub(super) fn take(headers: &mut HeaderMap, name: &[u8]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    if !headers
        .get_all(COOKIE)
        .iter()
        .any(|line| pieces(line).any(|piece| value(piece, name).is_some()))
    {
        return values;
    }
    let mut lines = Vec::new();
    if let Entry::Occupied(entry) = headers.entry(COOKIE) {
        let (_, sent) = entry.remove_entry_mult();
        lines.extend(sent);
    }
    for line in lines {
        if let Some(rest) = without(line, name, &mut values) {
            headers.append(COOKIE, rest);
        }
    }
    values
}

/// What is left of a line, if anything.
fn without(line: HeaderValue, name: &[u8], values: &mut Vec<Vec<u8>>) -> Option<HeaderValue> {
    let before = values.len();
    let mut others = Vec::new();
    for piece in pieces(&line) {
        match value(piece, name) {
            Some(value) => values.push(value.to_vec()),
            None => others.push(piece),
        }
    }
    if values.len() == before {
        return Some(line);
    }
    if others.iter().all(|piece| piece.trim_ascii().is_empty()) {
        return None;
    }
    // The blank after a semicolon stands before the next cookie.
    let rest = others.join(&b';');
    HeaderValue::from_bytes(rest.trim_ascii_start()).ok()
}

fn pieces(line: &HeaderValue) -> impl Iterator<Item = &[u8]> {
    line.as_bytes().split(|&byte| byte == b';')
}

/// The value, where the piece is the cookie of this name (RFC 6265 5.4: blanks around do not
/// count).
fn value<'a>(piece: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let equals = piece.iter().position(|&byte| byte == b'=')?;
    (piece[..equals].trim_ascii() == name).then(|| piece[equals + 1..].trim_ascii())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NAME: &[u8] = b"ours";

    fn taken(lines: &[&str]) -> (Vec<String>, Vec<String>) {
        let mut headers = HeaderMap::new();
        headers.append("x-before", HeaderValue::from_static("1"));
        for line in lines {
            headers.append(COOKIE, HeaderValue::try_from(*line).unwrap());
        }
        let values = take(&mut headers, NAME);
        let left = headers
            .get_all(COOKIE)
            .iter()
            .map(|line| String::from_utf8(line.as_bytes().to_vec()).unwrap());
        (
            values.into_iter().map(|value| String::from_utf8(value).unwrap()).collect(),
            left.collect(),
        )
    }

    #[test]
    fn only_the_route_cookie_is_removed() {
        for (line, left) in [
            ("ours=x; a=1; b=2", "a=1; b=2"),
            ("a=1; ours=x; b=2", "a=1; b=2"),
            ("a=1; b=2; ours=x", "a=1; b=2"),
            ("a=1;ours=x;b=2", "a=1;b=2"),
            ("a=1;  b=\"2 3\"; ours=x; ours2=y; OURS=z", "a=1;  b=\"2 3\"; ours2=y; OURS=z"),
            ("a=ours=x;ours=x", "a=ours=x"),
        ] {
            assert_eq!(taken(&[line]), (vec!["x".to_owned()], vec![left.to_owned()]), "{line}");
        }
    }

    #[test]
    fn other_lines_stay_and_empty_ones_are_removed() {
        assert_eq!(taken(&[]), (vec![], vec![]));
        assert_eq!(
            taken(&["  a=1 ;; b", "ours"]),
            (vec![], vec!["  a=1 ;; b".to_owned(), "ours".to_owned()])
        );
        assert_eq!(taken(&["ours=x"]), (vec!["x".to_owned()], vec![]));
        let (values, left) = taken(&["a=1", "ours=x; ", "b=2; ours=", " ours = y "]);
        assert_eq!(
            (values, left),
            (
                vec!["x".to_owned(), String::new(), "y".to_owned()],
                vec!["a=1".to_owned(), "b=2".to_owned()]
            )
        );
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn other_cookies_are_unchanged(
            cookies in prop::collection::vec("(ours|[a-z]{1,4})=[!-:<-~]{0,6}", 0..8),
        ) {
            let (ours, others): (Vec<String>, Vec<String>) =
                cookies.iter().cloned().partition(|cookie| cookie.starts_with("ours="));
            let (values, left) = taken(&[&cookies.join("; ")]);
            let expected: Vec<String> =
                ours.iter().map(|cookie| cookie["ours=".len()..].to_owned()).collect();
            prop_assert_eq!(values, expected);
            prop_assert_eq!(left.concat(), others.join("; "));
        }

        #[test]
        fn any_line_is_accepted(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            soup in "[ours=; \t\"]{0,30}",
        ) {
            let mut headers = HeaderMap::new();
            let lines = [HeaderValue::from_bytes(&bytes), HeaderValue::from_bytes(soup.as_bytes())];
            for line in lines.into_iter().flatten() {
                headers.append(COOKIE, line);
            }
            take(&mut headers, NAME);
            prop_assert!(take(&mut headers, NAME).is_empty());
        }
    }
}
