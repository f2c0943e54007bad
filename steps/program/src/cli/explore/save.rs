//! `explore --save DIR`: a feature file for each failure.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use conformance_suite::engine::record::OwnFeature;

/// Files of one name with different texts that are kept next to each other.
const MOST_OF_A_NAME: u32 = 1_000;

/// The folder, which can be written.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if it is missing, and tries to write in it, before anything is run.
    pub(super) fn at(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        if path.as_os_str().is_empty() {
            return Err("`--save` names no folder".to_owned());
        }
        if path.exists() && !path.is_dir() {
            return Err(format!("`--save {shown}` names a file: name a folder"));
        }
        fs::create_dir_all(path)
            .map_err(|error| format!("the folder {shown} cannot be made: {error}"))?;
        tempfile::tempfile_in(path)
            .map_err(|error| format!("the folder {shown} cannot be written: {error}"))?;
        Ok(Self(path.to_owned()))
    }

    /// Saves all features, and notes where. A file that is there already is never changed: with the
    /// same text it is taken as it is, next to another text the name gets a number. An error names
    /// what could not be written; the others are written.
    pub(super) fn save(&self, features: &mut [OwnFeature]) -> Result<(), String> {
        let mut errors = Vec::new();
        for feature in features {
            match self.save_one(feature) {
                Ok(path) => {
                    eprintln!("saved: {}", path.display());
                    feature.file = path.display().to_string();
                }
                Err(error) => errors.push(format!(
                    "{} could not be saved in {}: {error}",
                    feature.path,
                    self.0.display()
                )),
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
    }

    fn save_one(&self, feature: &OwnFeature) -> io::Result<PathBuf> {
        let stem = feature.path.trim_end_matches(".feature");
        let numbered = (2..MOST_OF_A_NAME).map(|number| format!("{stem}-{number}.feature"));
        for name in std::iter::once(feature.path.clone()).chain(numbered) {
            let path = self.0.join(name);
            match File::options().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(feature.text.as_bytes())?;
                    return Ok(path);
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::read(&path).is_ok_and(|text| text == feature.text.as_bytes()) {
                        return Ok(path);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files have this name"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(text: &str) -> OwnFeature {
        let path = "A-1.feature".to_owned();
        OwnFeature { file: path.clone(), path, text: text.to_owned() }
    }

    #[test]
    fn a_file_of_somebody_else_is_never_changed() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::at(&place.path().join("new/deep")).unwrap();
        let save = |text: &str| {
            let mut features = [feature(text)];
            folder.save(&mut features).unwrap();
            features[0].file.clone()
        };
        let (one, same, other) = (save("one"), save("one"), save("other"));
        assert!(one.ends_with("new/deep/A-1.feature"), "{one}");
        assert_eq!(one, same);
        assert!(other.ends_with("A-1-2.feature"), "{other}");
        assert_eq!(fs::read_to_string(one).unwrap(), "one");
        assert_eq!(save("other"), other);
    }
}
