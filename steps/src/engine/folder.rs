//! Records of test programs in a folder, and records read back from files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use cell_fleet::{WRITTEN_BY_PROGRAMS, read_input};
use tempfile::NamedTempFile;

use super::Selection;
use super::join::{NamedRecord, join};
use super::record::RunRecord;

/// The environment variable that names the folder.
const VARIABLE: &str = "CELLS_RECORD_DIR";

/// The longest part of a scenario's name in the name of a file; file systems allow 255 bytes.
const NAME_LIMIT: usize = 120;

/// A folder in which test programs leave records, a file for each scenario. Many processes may
/// write to it at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordFolder(PathBuf);

impl RecordFolder {
    /// The folder that `CELLS_RECORD_DIR` names; `None` if it is not set. It has to be the absolute
    /// path of a folder that exists or can be made.
    pub(crate) fn from_environment() -> Result<Option<Self>, String> {
        std::env::var_os(VARIABLE).map(|path| Self::at(PathBuf::from(path))).transpose()
    }

    fn at(path: PathBuf) -> Result<Self, String> {
        if !path.is_absolute() {
            return Err(format!(
                "{VARIABLE} is `{}`, which is not an absolute path: tests run in the folder of \
                 their package, so name the folder from the root, like `$PWD/records`",
                path.display()
            ));
        }
        std::fs::create_dir_all(&path).map_err(|error| {
            format!("{VARIABLE}: the folder {} cannot be made: {error}", path.display())
        })?;
        Ok(Self(path))
    }

    /// Writes a record to a new file.
    pub(crate) fn add(&self, record: &RunRecord) -> Result<PathBuf, String> {
        let case = record.scenarios.first().map_or("run", |case| case.name.as_str());
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = case.chars().map(plain).take(NAME_LIMIT).collect();
        let prefix = format!("{name}-{}-", std::process::id());
        self.write(&prefix, record, |file, path| {
            // The random end of the name makes it unique; an existing file is left alone.
            let path = path.with_extension("json");
            file.persist_noclobber(&path).map_err(|error| error.error)?;
            Ok(path)
        })
    }

    /// Writes another record in place of a file: readers see the old one or the new one.
    pub(crate) fn replace(&self, file: &Path, record: &RunRecord) -> Result<(), String> {
        let renamed = self.write("record-", record, |temporary, _| {
            temporary.persist(file).map_err(|error| error.error)?;
            Ok(file.to_owned())
        });
        renamed.map(drop)
    }

    fn write(
        &self,
        prefix: &str,
        record: &RunRecord,
        rename: impl FnOnce(NamedTempFile, PathBuf) -> std::io::Result<PathBuf>,
    ) -> Result<PathBuf, String> {
        let written = || {
            let builder =
                tempfile::Builder::new().prefix(prefix).suffix(".part").tempfile_in(&self.0);
            let mut file = builder?;
            file.write_all(record.to_json().as_bytes())?;
            let path = file.path().to_owned();
            rename(file, path)
        };
        written().map_err(|error| {
            format!("a record cannot be written to {} ({VARIABLE}): {error}", self.0.display())
        })
    }
}

/// Reads a record from a file of JSON.
pub(crate) fn read(path: &Path) -> Result<RunRecord, String> {
    let shown = path.display();
    let text = read_input(path, WRITTEN_BY_PROGRAMS)
        .map_err(|error| format!("{shown} cannot be read: {error}"))?;
    RunRecord::from_json(&text).map_err(|why| format!("{shown}: {why}"))
}

/// Reads records and joins them to one: files, and folders with all their records. The record of a
/// whole run, and one file alone, is taken as it is.
pub fn read_all(paths: &[PathBuf]) -> Result<RunRecord, String> {
    let mut records = read_each(paths)?;
    if let ([path], [(_, record)]) = (paths, records.as_slice())
        && (!path.is_dir() || record.run.part.is_none())
    {
        return Ok(records.remove(0).1);
    }
    join(records, None)
}

/// Reads reports of runs that are shown next to each other, each with its path for a name. The
/// record of an exploration is refused.
pub fn read_named(paths: &[PathBuf]) -> Result<Vec<NamedRecord>, String> {
    let named = |path: &PathBuf| {
        let record = read_all(std::slice::from_ref(path))?;
        match record.exploration {
            None => Ok((path.display().to_string(), record)),
            Some(_) => Err(format!(
                "{}: the report of an exploration, which says nothing of requirements that it did \
                 not find violated, and whose journeys another router did not meet; compare \
                 reports of `run`, as of the scenarios that `explore --save` wrote",
                path.display()
            )),
        }
    };
    paths.iter().map(named).collect()
}

/// Reads the parts of one run and joins them: shards, or the records of tests. Returns the whole,
/// and how many parts there were. `expected` is what the tests were to run.
pub fn merge(paths: &[PathBuf], expected: &Selection) -> Result<(RunRecord, usize), String> {
    let parts = read_each(paths)?;
    let count = parts.len();
    Ok((join(parts, Some(expected))?, count))
}

/// Reads records from files and folders, each with the path of its file.
pub fn read_each(paths: &[PathBuf]) -> Result<Vec<NamedRecord>, String> {
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for path in paths {
        let files = if path.is_dir() { records_in(path) } else { Ok(vec![path.clone()]) };
        for file in files.unwrap_or_else(|why| {
            faults.push(why);
            Vec::new()
        }) {
            match read(&file) {
                Ok(record) => records.push((file.display().to_string(), record)),
                Err(why) => faults.push(why),
            }
        }
    }
    if faults.is_empty() { Ok(records) } else { Err(faults.join("\n")) }
}

/// The records in a folder, by name.
fn records_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let unreadable = |error| format!("the folder {} cannot be read: {error}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(format!("the folder {} has no record (*.json)", folder.display()));
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_folder_is_refused() {
        assert!(RecordFolder::at("records".into()).unwrap_err().contains("absolute"));
    }

    #[test]
    fn a_folder_without_records_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("begun.part"), "").unwrap();
        assert!(read_all(&[folder.path().to_owned()]).unwrap_err().contains("has no record"));
    }
}
