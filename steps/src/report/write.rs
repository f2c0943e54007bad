//! Reports in files, in the requested forms.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;

use super::{html, junit, markdown};
use crate::engine::record::RunRecord;

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
}

/// A requested report: `FORM=PATH` on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportFile {
    /// The form.
    pub form: Form,
    /// The file.
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

/// Why a report was not written.
#[derive(Debug)]
pub struct WriteError {
    path: PathBuf,
    error: std::io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the report {} could not be written: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

impl ReportFile {
    /// The help text of the option.
    pub fn help() -> String {
        format!("Report to write, in one of the forms {} (repeatable)", Form::names())
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
        }
    }
}

/// Writes reports of a record.
///
/// # Errors
///
/// Names the first file that could not be written.
pub fn write(record: &RunRecord, files: &[ReportFile]) -> Result<(), WriteError> {
    for ReportFile { form, path } in files {
        let text = form.render(record);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let made = folder.map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(path, text))
            .map_err(|error| WriteError { path: path.clone(), error })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::engine::record::FindingRecord;

    #[test]
    fn a_form_and_a_path_are_read() {
        assert_eq!(
            "html=a/b.html".parse(),
            Ok(ReportFile { form: Form::Html, path: "a/b.html".into() })
        );
        for text in ["html", "html=", "pdf=a.pdf", ""] {
            assert!(text.parse::<ReportFile>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_form_has_an_interruption_beside_what_a_step_found() {
        let mut report = sample::report();
        let failed = report.scenarios.iter_mut().find(|one| one.outcome.word == "failed").unwrap();
        let interruption = FindingRecord {
            requirement: "RT-08".to_owned(),
            level: "MUST".to_owned(),
            step: String::new(),
            step_index: None,
            message: "the scenario could not go on: anna has no response".to_owned(),
        };
        failed.findings.push(interruption);
        for form in [Form::Json, Form::Html, Form::Junit, Form::Markdown] {
            let text = form.render(&report);
            for message in ["nothing more was observed", "could not go on: anna has no response"] {
                assert!(text.contains(message), "{form:?}: {message}\n{text}");
            }
        }
    }
}
