//! Custom features: a vendor's scenarios, made of the suite's steps.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use cell_fleet::{WRITTEN_BY_PEOPLE, read_input};

use super::names;
use crate::engine::record::{OwnFeature, OwnFeatures};

/// The area in the names of all custom cases. The suite has no such folder, so these names and
/// the suite's never clash.
const AREA: &str = "own";
/// How deep folders are read below the one that was named; deeper ones are probably a link that
/// leads back.
const DEEPEST: usize = 16;

/// The module of a custom feature file, by its path below the folder that was named.
pub(super) fn module(path: &str) -> String {
    format!("{AREA}::{}", names::module(path))
}

/// Whether a name, or a pattern of names, is about custom cases.
pub fn is_own(name: &str) -> bool {
    name.split("::").next() == Some(AREA)
}

/// The path of a case's feature file for a reader: the suite's are below `features/`, custom ones
/// where they were read.
pub fn shown_file<'a>(name: &str, file: &'a str) -> Cow<'a, str> {
    if is_own(name) { file.into() } else { format!("features/{file}").into() }
}

impl OwnFeatures {
    /// Reads a feature file, or all feature files below a folder.
    pub fn read(place: &Path) -> Result<Self, String> {
        let unreadable = |error| format!("{} cannot be read: {error}", place.display());
        let is_folder = fs::metadata(place).map_err(unreadable)?.is_dir();
        let mut paths = if is_folder { feature_files(place)? } else { vec![place.to_owned()] };
        if paths.is_empty() {
            return Err(format!("no feature file (*.feature) is below {}", place.display()));
        }
        paths.sort();
        let base = if is_folder { place } else { place.parent().unwrap_or(place) };
        let files = paths.iter().map(|path| file(base, path));
        Ok(Self { files: files.collect::<Result<_, _>>()? })
    }
}

fn file(base: &Path, path: &Path) -> Result<OwnFeature, String> {
    let shown = path.display();
    let text = read_input(path, WRITTEN_BY_PEOPLE)
        .map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let parts: Option<Vec<_>> =
        path.strip_prefix(base).unwrap_or(path).iter().map(|part| part.to_str()).collect();
    let parts = parts.ok_or_else(|| {
        format!("{shown}: the names of scenarios begin with this path, so it must be UTF-8")
    })?;
    Ok(OwnFeature { path: parts.join("/"), file: shown.to_string(), text })
}

pub fn feature_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut paths = Vec::new();
    collect(folder, 0, &mut paths)?;
    Ok(paths)
}

fn collect(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let shown = folder.display();
    if depth > DEEPEST {
        return Err(format!("{shown}: more than {DEEPEST} folders deep; is a link among them?"));
    }
    let unreadable = |error| format!("the folder {shown} cannot be read: {error}");
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, depth + 1, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Catalog;
    use super::*;

    const TEXT: &str = concat!(
        "Feature: F\n\n  @buffering\n  Scenario: a page arrives whole\n",
        "    Given a cold EU router\n    When anna visits \"/my-company\"\n",
        "    Then anna gets status 200 (RT-08)\n"
    );

    fn features(text: &str) -> OwnFeatures {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/02_a.feature"), text).unwrap();
        fs::write(folder.path().join("notes.txt"), "no feature").unwrap();
        OwnFeatures::read(folder.path()).unwrap()
    }

    fn errors(text: &str) -> Vec<String> {
        let errors = Catalog::of_own(features(text)).errors.into_iter();
        errors.map(|error| error.message).collect()
    }

    #[test]
    fn cases_of_ones_own_have_an_area_of_their_own() {
        let own = features(TEXT);
        assert_eq!(own.files[0].path, "deep/02_a.feature");
        let catalog = Catalog::of_own(own);
        assert_eq!(catalog.errors, []);
        let case = &catalog.cases[0];
        assert_eq!(case.name, "own::deep::a::a_page_arrives_whole[buffering]");
        assert!(case.location.ends_with("/deep/02_a.feature:4"), "{}", case.location);
        assert!(is_own(&case.name) && is_own("own::*") && !is_own("owner::a") && !is_own("*"));
        assert_eq!(shown_file(&case.name, &case.file), case.file);
        assert!(Catalog::embedded().cases.iter().all(|case| !is_own(&case.name)));
    }

    #[test]
    fn what_the_steps_cite_needs_no_tag() {
        let case = &Catalog::of_own(features(TEXT)).cases[0];
        assert_eq!(case.requirements.iter().map(|id| id.as_str()).collect::<Vec<_>>(), ["RT-08"]);
        assert!(case.tags.contains(&"req:RT-08".to_owned()));
        let wrong = TEXT.replace("@buffering", "@buffering @req:BF-03");
        assert!(errors(&wrong).iter().any(|why| why.contains("proved by no Then step")));
        let unknown = TEXT.replace("RT-08", "RT-99");
        assert!(errors(&unknown).iter().any(|why| why.contains("RT-99")));
    }

    #[test]
    fn a_step_that_is_not_defined_is_an_error_with_its_line_and_near_steps() {
        let found = errors(&TEXT.replace("a cold EU router", "a cold EU rooter"));
        assert!(found[0].contains("/deep/02_a.feature:5: "), "{found:?}");
        assert!(found[0].contains("a cold {region} router"), "{found:?}");
    }

    #[test]
    fn what_nobody_reads_is_refused() {
        for (below, unread) in [
            ("      \"\"\"\n      a body\n      \"\"\"\n", "nothing reads the doc string below it"),
            ("      | a |\n      | b |\n", "nothing reads the table below it"),
        ] {
            for step in ["router\n", "company\"\n", "(RT-08)\n"] {
                let found = errors(&TEXT.replace(step, &format!("{step}{below}")));
                assert!(found.iter().any(|why| why.contains(unread)), "{step}: {found:?}");
            }
        }
        let found = errors(&TEXT.replace("@buffering", "@buffering @capability:upgrades"));
        assert!(found[0].contains("a.feature:4: the tag @capability:upgrades"), "{found:?}");
        assert!(found[0].contains("did you mean @capability:upgrade?"), "{found:?}");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(errors(&format!("\u{feff}{TEXT}")), Vec::<String>::new());
    }

    #[test]
    fn a_file_that_would_take_very_long_to_read_is_refused() {
        let far = TEXT.replace("    When", &(" ".repeat(30_000) + "When"));
        let began = std::time::Instant::now();
        let found = errors(&far);
        assert!(found[0].contains("a.feature:6: more than 1000 blanks in a row"), "{found:?}");
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    fn a_folder_without_features_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(OwnFeatures::read(folder.path()).unwrap_err().contains("no feature file"));
        let missing = OwnFeatures::read(&folder.path().join("a.feature")).unwrap_err();
        assert!(missing.contains("cannot be read"), "{missing}");
        fs::write(folder.path().join("a.feature"), [0xff]).unwrap();
        assert!(OwnFeatures::read(folder.path()).unwrap_err().contains("a.feature cannot be read"));
    }
}
