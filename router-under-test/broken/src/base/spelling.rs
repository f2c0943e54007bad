//! The mutations of a target's spelling, which a correct router forwards byte for byte (Z-13,
//! LG-04).

use percent_encoding::percent_decode_str;

use crate::base::target::Ask;
use crate::kind::Mutation;

/// The target as a router with this mutation forwards it.
pub(crate) fn respell(mutation: Mutation, ask: &mut Ask) {
    let path = ask.path().to_owned();
    match mutation {
        Mutation::DecodesEncodedSlashes => {
            ask.set_path(&path.replace("%2F", "/").replace("%2f", "/"))
        }
        Mutation::CollapsesSlashes => ask.set_path(&collapsed(&path)),
        Mutation::ResolvesDotSegments => ask.set_path(&without_dots(&path)),
        Mutation::UpperCasesEscapes => ask.set_path(&with_upper_case_escapes(&path)),
        Mutation::DropsAnEmptyQuery if ask.query() == Some("") => ask.target = path,
        Mutation::DropsTheSignInQuery if path == "/users/sign_in" => ask.target = path,
        Mutation::DecodesTheQuery => {
            if let Some(query) = ask.query() {
                let decoded =
                    percent_decode_str(query).decode_utf8_lossy().replace([' ', '#'], "+");
                ask.target = format!("{path}?{decoded}");
            }
        }
        _ => {}
    }
}

pub(crate) fn collapsed(path: &str) -> String {
    let mut collapsed = path.to_owned();
    while collapsed.contains("//") {
        collapsed = collapsed.replace("//", "/");
    }
    collapsed
}

pub(crate) fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

pub(crate) fn with_upper_case_escapes(path: &str) -> String {
    let mut left_of_escape = 0;
    let upper = path.chars().map(|letter| {
        let inside = left_of_escape > 0;
        left_of_escape = if letter == '%' { 2 } else { i32::max(left_of_escape - 1, 0) };
        if inside { letter.to_ascii_uppercase() } else { letter }
    });
    upper.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mutation_respells_the_target() {
        assert_eq!(collapsed("/a///b"), "/a/b");
        assert_eq!(without_dots("/a/./b/../c"), "/a/c");
        assert_eq!(without_dots("/a/b/.."), "/a/");
        assert_eq!(without_dots("/a//b/"), "/a//b/");
        assert_eq!(with_upper_case_escapes("/ab%2fcd%c3"), "/ab%2Fcd%C3");
    }
}
