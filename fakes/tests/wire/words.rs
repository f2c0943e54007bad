//! Every name on the wire is in a fixture, and in the sources only where it is defined.

use std::fs;
use std::path::{Path, PathBuf};

use cell_fleet::wire;

use crate::code::{strings, without_comments, without_tests};
use crate::fixture;

/// Names that only a `wire.rs` may spell, in any case.
const ONCE: [&str; 3] = ["x-gitlab-cell", "x-conformance-id", "/cells/learn"];

/// The names of the two proposals in the router's `wire.rs`: their headers, members and parameters.
/// The other names in that file belong to HTTP or to the process.
fn of_the_proposals(source: &str) -> Vec<String> {
    let code = without_comments(source);
    let constants = code.split(';').filter_map(|item| {
        let (_, constant) = item.split_once("const ")?;
        let name = constant.split(':').next()?.trim();
        Some((name, strings(constant).into_iter().next()?))
    });
    let named = |name: &str| name.ends_with("_MEMBER") || name.ends_with("_PARAMETER");
    constants
        .filter(|(name, word)| named(name) || word.starts_with("x-gitlab"))
        .map(|(_, word)| word)
        .collect()
}

/// All literal messages as one text.
fn literals() -> String {
    let exchanges = fixture::all();
    let messages = exchanges.iter().flat_map(|exchange| [&exchange.request, &exchange.response]);
    messages.map(|message| String::from_utf8(message.bytes(&[])).expect("it was text")).collect()
}

/// Whether a text has this word, not as a part of a longer one. Names of headers match in any case.
fn has_word(word: &str, text: &str) -> bool {
    let is_field = word.to_ascii_lowercase().starts_with("x-");
    let (text, word) = if is_field {
        (text.to_ascii_lowercase(), word.to_ascii_lowercase())
    } else {
        (text.to_owned(), word.to_owned())
    };
    let is_word_character =
        |character: char| character.is_alphanumeric() || ['_', '-'].contains(&character);
    text.match_indices(&word).any(|(at, _)| {
        !text[..at].ends_with(is_word_character)
            && !text[at + word.len()..].starts_with(is_word_character)
    })
}

#[test]
fn the_fleets_names_are_in_the_fixtures() {
    let literals = literals();
    let redirect = format!("\r\n{}: {}\r\n", wire::CELL_REDIRECT, wire::redirect_value("Cell EU0"));
    let cache = format!("\r\n{}: {}\r\n", wire::CELL_CACHE, wire::cache_value("/my-company/"));
    let id = format!("\r\n{}: ", wire::CONFORMANCE_ID);
    let [learn, earlier] = [wire::LEARN_PATH, wire::LEARN_PATH_EARLIER]
        .map(|path| format!("GET {path}?method=GET&path_info=/"));
    for word in [redirect, cache, id, learn, earlier] {
        assert!(literals.contains(&word), "no fixture has {word:?}");
    }
    // And all other strings of that file, except the formats of the two values.
    if let Some(source) = source("fakes/src/wire.rs") {
        // The common beginning of the names of two fields is not a word.
        let is_word = |word: &&String| !word.contains('{') && **word != wire::CELL_FIELDS;
        for word in strings(&source).iter().filter(is_word) {
            assert!(has_word(word, &literals), "no fixture has {word:?}");
        }
        assert!(wire::INTERNAL.iter().all(|name| name.starts_with(wire::CELL_FIELDS)));
    }
}

#[test]
fn the_routers_names_are_in_the_fixtures() {
    let Some(source) = source("router-under-test/src/wire.rs") else { return };
    let literals = literals();
    let words = of_the_proposals(&source);
    for word in &words {
        assert!(has_word(word, &literals), "no fixture has {word:?}");
    }
    for word in [
        "x-gitlab-cell-redirect",
        "x-gitlab-cell-cache",
        "cell",
        "path_prefix",
        "method",
        "path_info",
    ] {
        assert!(words.iter().any(|have| have == word), "the router's words lack {word}: {words:?}");
    }
}

#[test]
fn no_other_source_spells_a_name_on_the_wire() {
    let mut elsewhere = Vec::new();
    for folder in [
        "fakes/src",
        "fakes/stores/src",
        "router-under-test/src",
        "steps/src",
        "steps/laboratory/src",
        "steps/program/src",
    ] {
        let Some(folder) = workspace().map(|workspace| workspace.join(folder)) else { return };
        for path in sources(&folder) {
            let text = fs::read_to_string(&path).expect("a source is text");
            let code = without_comments(&text);
            for (index, line) in without_tests(&code).lines().enumerate() {
                let line = line.to_ascii_lowercase();
                if ONCE.iter().any(|word| line.contains(word)) {
                    elsewhere.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
                }
            }
        }
    }
    assert!(
        elsewhere.is_empty(),
        "names on the wire are spelled once, in `wire.rs`, and elsewhere only in tests:\n{}",
        elsewhere.join("\n")
    );
}

/// The sources of a folder that must not spell names on the wire: all except `wire.rs` and unit
/// tests, whose literals are independent witnesses like the fixtures.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let path = entry.expect("the folder can be read").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.is_dir() && stem != "tests" {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !["wire", "tests"].contains(&stem)
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The workspace; a packaged crate does not have it.
fn workspace() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    above.join("router-under-test").is_dir().then(|| above.to_owned())
}

fn source(path: &str) -> Option<String> {
    Some(
        fs::read_to_string(workspace()?.join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}")),
    )
}

#[test]
fn words_are_matched_whole() {
    assert!(has_word("cell", "{cell:Cell EU0}") && !has_word("cell", "\"cell_eu0\" cells X-cell"));
    assert!(
        has_word("x-gitlab-cell-cache", "X-Gitlab-Cell-Cache: {}")
            && !has_word("x-gitlab-cell", "X-Gitlab-Cell-Cache: {}")
    );
    assert!(!has_word("Path_info", "path_info"));
}
