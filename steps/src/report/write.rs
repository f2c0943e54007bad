//! Writes a report to files, in the forms that are asked for.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::data::Report;
use super::html;
use super::junit;
use super::markdown;

/// A form of the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Everything, for programs.
    Json,
    /// One page that opens offline, for people.
    Html,
    /// For CI systems.
    Junit,
    /// A summary.
    Markdown,
    /// A badge for a repository's page, as SVG.
    Badge,
}

/// `FORM=PATH`, as it is given on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The form.
    pub form: Form,
    /// Where to.
    pub path: PathBuf,
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (form, path) =
            text.split_once('=').ok_or("expected FORM=PATH, like html=report.html")?;
        let form = match form {
            "json" => Form::Json,
            "html" => Form::Html,
            "junit" => Form::Junit,
            "markdown" => Form::Markdown,
            "badge" => Form::Badge,
            other => {
                return Err(format!(
                    "`{other}` is no form of a report: expected json, html, junit, markdown or badge"
                ));
            }
        };
        if path.is_empty() {
            Err("the path is missing".to_owned())
        } else {
            Ok(Self { form, path: path.into() })
        }
    }
}

/// Why a report could not be written.
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

impl Form {
    /// The report in this form.
    pub fn render(self, report: &Report) -> String {
        match self {
            // Strings, numbers and maps with string keys: nothing in a report can fail to
            // serialise.
            Self::Json => serde_json::to_string(report).unwrap_or_default(),
            Self::Html => html::render(report),
            Self::Junit => junit::render(report),
            Self::Markdown => markdown::render(report),
            Self::Badge => markdown::badge(report),
        }
    }
}

/// Writes a report to all places.
///
/// # Errors
///
/// Names the first file that could not be written.
pub fn write(report: &Report, wanted: &[Wanted]) -> Result<(), WriteError> {
    for Wanted { form, path } in wanted {
        let text = form.render(report);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let made = folder.map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(path, text))
            .map_err(|error| WriteError { path: path.clone(), error })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::data::Finding;
    use super::super::sample;
    use super::*;

    #[test]
    fn a_form_and_a_path_are_read() {
        assert_eq!(
            "html=a/b.html".parse(),
            Ok(Wanted { form: Form::Html, path: "a/b.html".into() })
        );
        for text in ["html", "html=", "pdf=a.pdf", ""] {
            assert!(text.parse::<Wanted>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn every_form_has_an_interruption_beside_what_a_step_found() {
        let mut report = sample::report();
        let failed = report.scenarios.iter_mut().find(|one| one.outcome.word == "failed").unwrap();
        let interruption = Finding {
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
