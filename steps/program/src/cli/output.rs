//! How a command ends, and where a summary goes: to standard output or, if a report goes there, to
//! standard error; and where pages go.

use std::io::Write as _;
use std::path::Path;

use conformance_suite::engine::record::RunRecord;
use conformance_suite::engine::{ExitCode, counted};
use conformance_suite::report::{ReportFile, Screen, notes, sentence, summary, write, write_file};
use conformance_suite::stage::{Stop, on_stop, readable_text};
use conformance_suite::standard_streams::{write_output, write_part};

/// The exit code of a command, or why it has no result.
pub(super) type Ended = Result<ExitCode, Failed>;

#[derive(Debug)]
pub(super) enum Failed {
    Usage(String),
    NotWritten(String),
}

/// An error in words is one of usage.
impl From<String> for Failed {
    fn from(why: String) -> Self {
        Self::Usage(why)
    }
}

impl Failed {
    /// Says why on standard error, and returns the exit code. What is quoted of a file may hold what
    /// a terminal obeys.
    pub(super) fn tell(self) -> ExitCode {
        let (Self::Usage(why) | Self::NotWritten(why)) = &self;
        eprintln!("error: {}", readable_text(why));
        match self {
            Self::Usage(_) => ExitCode::Usage,
            Self::NotWritten(_) => ExitCode::NotWritten,
        }
    }
}

/// Writes a text to standard output. A reader that has left (`| head`) is not an error.
pub(super) fn print(text: &[u8]) -> Ended {
    write_output(|out| out.write_all(text)).map_err(Failed::NotWritten)?;
    Ok(ExitCode::Success)
}

/// What a signal, or the end of the output, stops.
pub(super) fn stop_on_signals() -> Stop {
    let stop = Stop::default();
    let told = stop.clone();
    on_stop(move |reason| told.request(reason));
    stop
}

/// Says on standard error what a record complains of, where no summary does. A record of others can
/// hold anything, also what a terminal obeys.
pub(super) fn complain(record: &RunRecord) {
    let screen = Screen::stderr();
    record.complaints.iter().for_each(|complaint| eprintln!("{}", sentence(complaint, &screen)));
}

/// Writes pages into a folder, which is made if it is missing, and says where they begin.
pub(super) fn write_pages(folder: &Path, pages: &[(String, String)]) -> Ended {
    let failed = |path: &Path, error| Failed::NotWritten(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (name, text) in pages {
        let path = folder.join(name);
        write_file(&path, text.as_bytes()).map_err(|error| failed(&path, error))?;
    }
    let first = folder.join("index.html");
    eprintln!("wrote {}; start with {}", counted(pages.len(), "file"), first.display());
    Ok(ExitCode::Success)
}

/// Standard output, and what went wrong with it.
#[derive(Debug)]
pub(super) struct Output {
    /// Whether a report goes to standard output, so that all else goes to standard error.
    is_beside: bool,
    /// Only the first error is kept: the ones after it would repeat it.
    errors: Vec<String>,
}

impl Output {
    /// The output of a command that writes these reports as well.
    pub(super) fn beside(reports: &[ReportFile]) -> Self {
        let is_beside = reports.iter().any(ReportFile::is_for_standard_output);
        Self { is_beside, errors: Vec::new() }
    }

    pub(super) fn part(&mut self, line: &str) {
        if self.is_beside {
            eprintln!("{line}");
        } else if self.errors.is_empty() {
            self.errors.extend(write_part(|out| writeln!(out, "{line}")).err());
        }
    }

    /// Writes a sentence for people while a run goes on.
    pub(super) fn sentence(&mut self, text: &str) {
        let text = sentence(text, &self.screen());
        self.part(&text);
    }

    fn screen(&self) -> Screen {
        if self.is_beside { Screen::stderr() } else { Screen::stdout() }
    }

    pub(super) fn summary(&mut self, record: &RunRecord, names_all: bool) {
        let screen = self.screen();
        let mut text = summary(record, &screen, names_all).into_bytes();
        // A record of others can hold anything, also what a terminal obeys.
        for line in notes::notes(record).iter().chain(&record.complaints) {
            let _ = writeln!(text, "{}", sentence(line, &screen));
        }
        if self.is_beside {
            eprintln!("{}", String::from_utf8_lossy(&text).trim_end());
        } else if self.errors.is_empty() {
            self.errors.extend(write_output(|out| out.write_all(&text)).err());
        }
    }

    pub(super) fn reports(&mut self, record: &RunRecord, reports: &[ReportFile]) {
        self.errors.extend(write(record, reports).err());
    }

    pub(super) fn texts(&mut self, text: &str, files: &[ReportFile]) {
        self.errors.extend(files.iter().filter_map(|file| file.write_text(text).err()));
    }

    /// Returns the exit code. Says what could not be written; `other` is an error of the command
    /// itself.
    pub(super) fn finish(mut self, record: &RunRecord, other: Option<String>) -> ExitCode {
        self.errors.extend(other);
        self.errors.iter().for_each(|why| eprintln!("error: {why}"));
        match self.errors.is_empty() {
            true => record.conclusion.exit_code(),
            false => ExitCode::NotWritten,
        }
    }
}
