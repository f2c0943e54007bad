//! Reports in files, in the requested forms.

use std::collections::BTreeSet;
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ValueEnum;

use super::{draft, html, junit, markdown};
use crate::catalog::Catalog;
use crate::engine::record::RunRecord;
use crate::standard_streams::write_output;

const STANDARD_OUTPUT: &str = "-";

/// A form of the report. Its name on the command line is that of the variant in kebab case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Form {
    /// Everything, for programs.
    Json,
    /// One page that opens offline, for people.
    Html,
    /// For CI systems.
    Junit,
    /// A summary.
    Markdown,
    /// A badge for the page of a repository, as SVG.
    Badge,
    /// The same badge as JSON for shields.io (its endpoint badge).
    BadgeJson,
    /// A draft of known failures for the router file.
    KnownFailures,
}

/// A requested report: `FORM=PATH` on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportFile {
    pub form: Form,
    /// The file; `-` is standard output.
    pub path: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (form, path) =
            text.split_once('=').ok_or("expected FORM=PATH, like html=report.html")?;
        let form = Form::from_str(form, false).map_err(|_| {
            format!("`{form}` is not a form of a report: expected {}", Form::names())
        })?;
        if path.is_empty() {
            Err("the path is missing".to_owned())
        } else {
            Ok(Self { form, path: path.into() })
        }
    }
}

impl ReportFile {
    pub fn help() -> String {
        format!(
            "Report to write, in one of the forms {} (repeatable); the path `-` is standard output",
            Form::names()
        )
    }

    pub fn is_for_standard_output(&self) -> bool {
        self.path == Path::new(STANDARD_OUTPUT)
    }
}

impl Form {
    /// The names of all forms, separated by commas.
    fn names() -> String {
        let values = Self::value_variants().iter().filter_map(Self::to_possible_value);
        values.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
    }

    /// The report of a record in this form.
    pub fn render(self, record: &RunRecord) -> String {
        match self {
            Self::Json => record.to_json(),
            Self::Html => html::render(record),
            Self::Junit => junit::render(record),
            Self::Markdown => markdown::render(record),
            Self::Badge => markdown::badge(record),
            Self::BadgeJson => markdown::endpoint(record),
            Self::KnownFailures => {
                draft::text(record, &Catalog::of(record).cases, &BTreeSet::new())
            }
        }
    }
}

/// Tries to write where reports are to be written, before anything is run: `others` are paths of
/// other files that the run leaves. Folders that are missing are made.
/// The error names the first path that cannot be written, or that is named twice.
pub fn try_paths(files: &[ReportFile], others: &[&Path]) -> Result<(), String> {
    // Only a report can go to standard output.
    if others.contains(&Path::new(STANDARD_OUTPUT)) {
        return Err(format!(
            "`{STANDARD_OUTPUT}` is standard output, for reports alone: name a file"
        ));
    }
    let paths = files.iter().map(|file| file.path.as_path()).chain(others.iter().copied());
    let mut seen = Vec::new();
    for path in paths {
        let place = place_of(path)?;
        if seen.contains(&place) {
            return Err(format!("two reports go to {}: give each its own path", path.display()));
        }
        seen.push(place);
    }
    Ok(())
}

/// The one absolute path of a file that can be written.
fn place_of(path: &Path) -> Result<PathBuf, String> {
    if path == Path::new(STANDARD_OUTPUT) {
        return Ok(path.to_owned());
    }
    let failed =
        |error: io::Error| format!("the report {} cannot be written: {error}", path.display());
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir() {
        return Err(failed(io::Error::other("that is a folder; name a file")));
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .map_err(|error| format!("the folder {} cannot be made: {error}", folder.display()))?;
    let is_new = fs::metadata(path).is_err();
    // Only a try shows whether a file can be written. To open a pipe would wait for its reader.
    if is_new || path.is_file() {
        File::options().append(true).create_new(is_new).open(path).map_err(failed)?;
    }
    let place = path.canonicalize().map_err(failed)?;
    if is_new {
        fs::remove_file(path).map_err(failed)?;
    }
    Ok(place)
}

/// Writes reports of a record: all that can be written, also after an error.
pub fn write(record: &RunRecord, files: &[ReportFile]) -> Result<(), String> {
    let errors: Vec<_> = files.iter().filter_map(|file| file.write(record).err()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

impl ReportFile {
    fn write(&self, record: &RunRecord) -> Result<(), String> {
        self.write_text(&self.form.render(record))
    }

    /// Writes this text in place of a report.
    pub fn write_text(&self, text: &str) -> Result<(), String> {
        if self.is_for_standard_output() {
            return write_output(|out| out.write_all(text.as_bytes()));
        }
        let made = self.path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| write_file(&self.path, text.as_bytes())).map_err(|error| {
            format!("the report {} could not be written: {error}", self.path.display())
        })
    }
}

/// What a new file allows, less what the process forbids.
const MODE: u32 = 0o666;

/// Writes a file in place of the one that is there, which stays as it is if the new one does not
/// fit the disk.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let (place, permissions) = match fs::metadata(path) {
        Ok(known) if known.is_file() => (path.canonicalize()?, Some(known.permissions())),
        Err(_) if !path.is_symlink() => (path.to_owned(), None),
        // A pipe, a device, or a link to a file that is not there.
        _ => return fs::write(path, content),
    };
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = tempfile::Builder::new()
        .prefix(".part-")
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder.unwrap_or(Path::new(".")));
    // A folder may take no new file although the old one can be written.
    let Ok(mut beside) = beside else { return fs::write(path, content) };
    beside.write_all(content)?;
    permissions.map_or(Ok(()), |same| beside.as_file().set_permissions(same))?;
    // A file that is mounted by itself cannot be replaced.
    beside.persist(&place).map(drop).or_else(|_| fs::write(path, content))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_path_that_cannot_be_written_is_refused_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path).display().to_string();
        let try_all = |paths: &[String]| {
            let file = |path: &String| ReportFile { form: Form::Html, path: path.into() };
            try_paths(&paths.iter().map(file).collect::<Vec<_>>(), &[])
        };
        std::fs::write(at("old.html"), "old").unwrap();
        assert_eq!(try_all(&[at("new/a.html"), at("b.html"), at("old.html"), "-".into()]), Ok(()));
        assert_eq!(std::fs::read_to_string(at("old.html")).unwrap(), "old");
        assert!(folder.path().join("new").is_dir() && !folder.path().join("b.html").exists());
        for wrong in [".".to_owned(), at(""), at("new"), at("c/"), at("old.html/a")] {
            assert!(try_all(std::slice::from_ref(&wrong)).is_err(), "{wrong}");
        }
        std::os::unix::fs::symlink(at("new"), at("link")).unwrap();
        for (one, other) in
            [("a", "./a"), ("a", "new/../a"), ("new/a", "link/a"), ("old.html", "./old.html")]
        {
            assert!(try_all(&[at(one), at(other)]).unwrap_err().contains("two reports"), "{one}");
        }
        assert!(try_all(&["-".to_owned(), "-".to_owned()]).is_err());
    }

    #[test]
    fn every_report_is_attempted_and_every_error_named() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| ReportFile { form: Form::Json, path: folder.path().join(path) };
        std::fs::write(folder.path().join("file"), "").unwrap();
        let files = [at("file/a"), at("b"), at("file/c")];
        let errors = write(&sample::report(), &files).unwrap_err();
        assert!(errors.contains("file/a") && errors.contains("file/c"), "{errors}");
        assert!(folder.path().join("b").is_file());
    }

    #[test]
    fn a_link_stays_a_link_and_the_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("link"));
        std::os::unix::fs::symlink("a", &link).unwrap();
        write_file(&link, b"1").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        write_file(&link, b"2").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"2");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), b"3").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
