//! Placeholders in the arguments of a router's command, and what is probably meant as one.
//!
//! `{listen}` and the like are replaced when a router is started, `{folder}` when its command is
//! read. Other braces are left alone: JSON and `${x}` of a shell are arguments too. Only a word
//! that is nearly the name of a placeholder is a mistake.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

const NAMES: [&str; 5] = ["topology", "listen", "region", "protocol", "folder"];
/// Stands for the folder of the router file; without a router file, for the current folder.
const FOLDER: &str = "{folder}";
/// How many letters may differ for a word to count as misspelled.
const NEAR: usize = 2;

/// Refuses arguments with a misspelled placeholder. The error names what was probably meant.
pub fn check<'a>(arguments: impl IntoIterator<Item = &'a OsStr>) -> Result<(), String> {
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
                 placeholders are {{topology}}, {{listen}}, {{region}}, {{protocol}} and {{folder}}"
            ));
        }
    }
    Ok(())
}

/// The argument with the absolute path of `folder` in place of `{folder}`. An argument that is not
/// UTF-8 has no placeholder.
pub(crate) fn in_folder(argument: &OsStr, folder: &Path) -> io::Result<OsString> {
    let Some((before, after)) = argument.to_str().and_then(|text| text.split_once(FOLDER)) else {
        return Ok(argument.to_owned());
    };
    let mut replaced = OsString::from(before);
    replaced.push(absolute(folder)?);
    replaced.push(in_folder(OsStr::new(after), folder)?);
    Ok(replaced)
}

/// The absolute path of a folder. The empty path is the current folder.
fn absolute(folder: &Path) -> io::Result<std::path::PathBuf> {
    if folder.as_os_str().is_empty() {
        std::env::current_dir()
    } else {
        std::path::absolute(folder)
    }
}

/// A note on the first argument that is the relative path of a file in `folder`: a router starts in
/// an empty folder, where it finds no such file.
pub fn note_on_file<'a>(
    arguments: impl IntoIterator<Item = &'a OsStr>,
    folder: &Path,
) -> Option<String> {
    let is_file = |argument: &&OsStr| {
        !argument.is_empty() && Path::new(argument).is_relative() && folder.join(argument).is_file()
    };
    let argument = arguments.into_iter().find(is_file)?.to_string_lossy();
    let path = argument.trim_start_matches("./");
    Some(format!(
        "note: each router starts in an empty folder, where `{argument}` is not found; write \
         \"{FOLDER}/{path}\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_replaced_everywhere_and_nothing_else_is() {
        let replaced = |argument| in_folder(OsStr::new(argument), Path::new("/a b")).unwrap();
        assert_eq!(replaced("{folder}/router.js"), "/a b/router.js");
        assert_eq!(replaced("-p={folder}:{folder}/x"), "-p=/a b:/a b/x");
        assert_eq!(replaced("{listen}"), "{listen}");
        let here = std::env::current_dir().unwrap();
        assert_eq!(in_folder(OsStr::new("{folder}"), Path::new("")).unwrap(), here);
    }

    #[test]
    fn an_argument_that_names_a_file_beside_the_command_is_noted() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let note = |argument| note_on_file([OsStr::new("-x"), OsStr::new(argument)], folder);
        for argument in ["Cargo.toml", "./Cargo.toml"] {
            let note = note(argument).unwrap();
            assert!(note.ends_with("write \"{folder}/Cargo.toml\""), "{note}");
        }
        let absolute = folder.join("Cargo.toml");
        for argument in ["", "src", "no.toml", "{folder}/Cargo.toml", absolute.to_str().unwrap()] {
            assert_eq!(note(argument), None);
        }
    }

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
            ("{foldr}/router.js", "{folder} is meant"),
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
