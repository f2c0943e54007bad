//! Compares the field lines of one name by their meaning (RFC 9110 5.3).

use cell_fleet::Field;

/// The values of all lines of one name, in order.
pub(crate) fn lines(fields: &[Field], name: &str) -> Vec<String> {
    fields.iter().filter(|field| field.is(name)).map(|field| field.value.to_string()).collect()
}

/// Whether a length stands more than once, in two lines or in a list (RFC 9110 8.6).
pub(crate) fn repeat_the_length(fields: &[Field]) -> bool {
    let lengths = lines(fields, "Content-Length");
    lengths.len() > 1 || lengths.iter().any(|line| line.contains(','))
}

/// Whether the received lines have the same values in the same order as the sent ones. An
/// intermediary may join neighboring lines with a comma. It keeps lines of `Set-Cookie` apart, and
/// joins those of `Cookie` with a semicolon, since a comma would be part of a cookie.
pub(crate) fn say_the_same(name: &str, given: &[String], came: &[String]) -> bool {
    said_of(name, given, came) == Some(0)
}

/// Whether the received lines begin with the values of the sent ones, in the same order.
/// Intermediaries may have added values at the end, as to `Via`.
pub(crate) fn say_the_same_and_more(name: &str, given: &[String], came: &[String]) -> bool {
    said_of(name, given, came).is_some()
}

/// How many received lines follow the sent values, including a line that begins with one of them;
/// none where the sent values do not come first.
fn said_of(name: &str, given: &[String], came: &[String]) -> Option<usize> {
    let joint = match name.to_ascii_lowercase().as_str() {
        "set-cookie" => None,
        "cookie" => Some(';'),
        _ => Some(','),
    };
    let mut left = came.iter().map(|line| line.trim());
    let mut rest: Option<&str> = None;
    for value in given {
        let text = match rest.filter(|rest| !rest.is_empty()) {
            // A value after a comma came from a separate line.
            Some(rest) => rest.strip_prefix(joint?)?.trim_start(),
            None => left.next()?,
        };
        rest = Some(text.strip_prefix(value.trim())?);
    }
    match rest.unwrap_or_default() {
        "" => Some(left.count()),
        more => more.starts_with(joint?).then(|| left.count() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(name: &str, given: &[&str], came: &[&str]) -> bool {
        let owned =
            |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        say_the_same(name, &owned(given), &owned(came))
    }

    #[test]
    fn neighbors_may_be_joined() {
        let given = ["Wed, 21 Oct", "", "b", "c; q=\"x, y\""];
        for came in [
            &given[..],
            &["Wed, 21 Oct, , b, c; q=\"x, y\""],
            &["Wed, 21 Oct,,b,c; q=\"x, y\""],
            &["Wed, 21 Oct", ", b", "c; q=\"x, y\""],
        ] {
            assert!(same("Link", &given, came), "{came:?}");
        }
        assert!(
            same("X-A", &["a", ""], &["a,"])
                && same("X-A", &[], &[])
                && same("X-A", &["1", "11"], &["1, 11"])
        );
    }

    #[test]
    fn lost_added_and_moved_values_are_differences() {
        let given = ["a", "b"];
        for came in [
            &["a"][..],
            &["b", "a"],
            &["b, a"],
            &["a, b, c"],
            &["a", "b", "c"],
            &["a b"],
            &["a; b"],
            &["ab"],
            &[],
        ] {
            assert!(!same("X-A", &given, came), "{came:?}");
        }
        assert!(
            !same("X-A", &["a, b"], &["a", "b"])
                && !same("X-A", &[], &["a"])
                && !same("X-A", &["a"], &["ab"])
        );
    }

    #[test]
    fn cookies_are_not_joined_like_lists() {
        assert!(same("Set-Cookie", &["a=1", "b=2"], &["a=1", "b=2"]));
        assert!(!same("set-cookie", &["a=1", "b=2"], &["a=1, b=2"]));
        assert!(
            same("Cookie", &["a=1", "b=2"], &["a=1; b=2"])
                && !same("cookie", &["a=1", "b=2"], &["a=1, b=2"])
        );
    }

    #[test]
    fn intermediaries_may_add_values() {
        let given = ["1.0 first".to_owned()];
        let more = |came: &str| say_the_same_and_more("Via", &given, &[came.to_owned()]);
        assert!(
            more("1.0 first, 1.1 router")
                && more("1.0 first")
                && !more("1.0 firstly")
                && !more("1.1 router, 1.0 first")
        );
        assert!(say_the_same_and_more(
            "Via",
            &given,
            &["1.0 first".to_owned(), "1.1 router".to_owned()]
        ));
    }
}
