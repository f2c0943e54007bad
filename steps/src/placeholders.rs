//! Placeholders in the arguments of a router's command, and what is probably meant as one.
//!
//! `{listen}` and the like are replaced when a router is started. Other braces are left alone: JSON
//! and `${x}` of a shell are arguments too. Only a word that is nearly the name of a placeholder is
//! a mistake.

use std::ffi::OsStr;

/// The names of the placeholders.
const NAMES: [&str; 4] = ["topology", "listen", "region", "protocol"];
/// How many letters may differ for a word to count as misspelt.
const NEAR: usize = 2;

/// Refuses arguments with a misspelt placeholder.
///
/// # Errors
///
/// Names the word, and what was probably meant.
pub(crate) fn check<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<(), String> {
    // An argument that is not UTF-8 has no placeholder.
    arguments.into_iter().filter_map(OsStr::to_str).try_for_each(check_one)
}

fn check_one(argument: &str) -> Result<(), String> {
    let mut before = "";
    for (place, part) in argument.split('{').enumerate() {
        let is_variable = place == 0 || before.ends_with('$');
        before = part;
        let Some((word, _)) = part.split_once('}').filter(|_| !is_variable) else { continue };
        let is_name =
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        if !is_name || NAMES.contains(&word) {
            continue;
        }
        let near = NAMES.map(|name| (strsim::levenshtein(word, name), name)).into_iter().min();
        if let Some((distance, name)) = near
            && distance <= NEAR
        {
            return Err(format!(
                "`{argument}`: there is no placeholder {{{word}}}; {{{name}}} is meant? The \
                 placeholders are {{topology}}, {{listen}}, {{region}} and {{protocol}}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(argument: &str) -> Result<(), String> {
        check([OsStr::new("--first"), OsStr::new(argument)])
    }

    #[test]
    fn a_misspelt_placeholder_is_refused_with_the_right_one() {
        for (argument, meant) in [
            ("{listne}", "{listen} is meant"),
            ("--listen={lisen}", "{listen} is meant"),
            ("--config={topologie}", "{topology} is meant"),
            ("a{region}b{protcol}", "{protocol} is meant"),
        ] {
            let why = checked(argument).unwrap_err();
            assert!(why.contains(meant) && why.contains(argument), "{why}");
        }
    }

    #[test]
    fn other_braces_are_left_alone() {
        for argument in [
            "{listen}",
            "{topology}:{region}",
            r#"{"listne": 1}"#,
            "${listne}",
            "{}",
            "{print $1}",
            "{id}",
            "{LISTNE}",
            "{listne",
            "listne}",
        ] {
            assert_eq!(checked(argument), Ok(()), "{argument}");
        }
    }
}
