//! The files of each crate import each other in one direction only, but for pairs.

mod graph;
mod source;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use graph::{Imports, circles, imports, shown};

/// Circles that are not mended yet: the crate, a file of the circle, and how many files it has at
/// most. The list may only get shorter.
const KNOWN: [(&str, &str, usize); 2] =
    [("router-under-test/broken", "base/deviate", 5), ("router-under-test/broken", "kind", 4)];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folders of all crates.
fn crates() -> Vec<String> {
    let manifest = std::fs::read_to_string(workspace().join("Cargo.toml"));
    let manifest: toml::Table = manifest.expect("there is a workspace").parse().expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list of members");
    members.iter().filter_map(|member| Some(member.as_str()?.to_owned())).collect()
}

fn imports_of(folder: &str) -> Imports {
    imports(&workspace().join(folder).join("src"))
}

/// Which of the known circles this one is.
fn known(folder: &str, circle: &BTreeSet<&str>) -> Option<usize> {
    KNOWN.iter().position(|(of, file, _)| *of == folder && circle.contains(file))
}

#[test]
fn no_more_than_two_files_of_a_crate_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    let mut met = vec![false; KNOWN.len()];
    for folder in crates() {
        let imports = imports_of(&folder);
        for circle in circles(&imports).into_iter().filter(|circle| circle.len() > 2) {
            let known = known(&folder, &circle);
            match known {
                Some(known) if circle.len() <= KNOWN[known].2 => met[known] = true,
                _ => {
                    let number = circle.len();
                    wrong.push(format!("{folder}: {number} files{}", shown(&imports, &circle)));
                }
            }
        }
    }
    let mended = KNOWN.iter().zip(met).filter(|(_, met)| !met);
    wrong.extend(mended.map(|(known, _)| format!("{known:?} is mended: take it off the list")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_files_of_the_base_of_broken_routers_import_each_other_in_a_circle() {
    let folder = "router-under-test/broken";
    let imports = imports_of(folder);
    for circle in circles(&imports).into_iter().filter(|circle| known(folder, circle).is_none()) {
        let is_of_base = circle.iter().any(|file| file.starts_with("base"));
        assert!(!is_of_base, "the files import each other: {}", shown(&imports, &circle));
    }
}

/// Imports are found in every form in which they can be written.
#[test]
fn imports_are_found() {
    for (folder, file, imported) in [
        ("steps", "run/findings", "catalog/case"),
        ("steps", "judge/model/routing", "trace"),
        ("fakes", "fleet", "journal"),
        ("router-under-test", "router", "learning"),
        ("router-under-test", "response", "response/location"),
        ("router-under-test/broken", "base/forward", "base/http1/cell"),
        ("router-under-test/broken", "base/edge/response", "base/edge"),
        ("router-under-test/broken", "base/pages", "base/body"),
    ] {
        let imports = imports_of(folder);
        assert!(imports[file].contains(imported), "{file} -> {imported}: {:?}", imports[file]);
    }
}
