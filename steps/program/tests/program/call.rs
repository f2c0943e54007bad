//! Calls of the program, and how they end.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use conformance_suite::record::RunRecord;
use serde_json::Value;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");
pub(crate) const LAB: &str = env!("CARGO_BIN_EXE_cells-lab");

/// A scenario that takes little time, and that the reference router passes.
pub(crate) const ONE: &str = concat!(
    "journeys::project_signed_in::internal_redirect::",
    "a_cold_router_finds_the_owner_by_way_of_another_cell[buffering]"
);

/// A router that fails it: every response is a 502.
pub(crate) const BROKEN: [&str; 4] = ["--", LAB, "broken", "always-502"];

/// Limit of every wait; only a failing test reaches it.
const LIMIT: Duration = Duration::from_secs(120);
/// Between two looks at what is waited for.
const PAUSE: Duration = Duration::from_millis(5);

/// How a call ended. What is not as a test wants it panics with all that was said.
#[derive(Debug)]
pub(crate) struct Ended {
    code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ended {
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// It ended with this exit code.
    #[track_caller]
    pub(crate) fn with(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}", self.said());
        self
    }

    /// This stands on standard output.
    #[track_caller]
    pub(crate) fn out(self, part: &str) -> Self {
        assert!(self.out.contains(part), "no {part:?} in: {}", self.out);
        self
    }

    /// This stands on standard error.
    #[track_caller]
    pub(crate) fn err(self, part: &str) -> Self {
        assert!(self.err.contains(part), "no {part:?} in: {}", self.err);
        self
    }

    /// This stands on one of both.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.said().contains(part), "no {part:?} in: {}", self.said());
        self
    }

    /// This stands on neither.
    #[track_caller]
    pub(crate) fn never(self, part: &str) -> Self {
        assert!(!self.said().contains(part), "{part:?} in: {}", self.said());
        self
    }
}

/// The program with these arguments, which reads nothing. The first word may name the program of the
/// laboratory.
pub(crate) fn program(arguments: &[&str]) -> Command {
    let (program, arguments) = match arguments {
        ["cells-lab", arguments @ ..] => (LAB, arguments),
        _ => (PROGRAM, arguments),
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command
}

pub(crate) fn call(command: &mut Command) -> Ended {
    command.output().expect("the program starts").into()
}

pub(crate) fn run(arguments: &[&str]) -> Ended {
    call(&mut program(arguments))
}

pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    call(program(arguments).current_dir(folder))
}

pub(crate) fn at(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

pub(crate) fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

pub(crate) fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&text(folder, name)).unwrap()
}

pub(crate) fn record(folder: &Path, name: &str) -> RunRecord {
    RunRecord::from_json(&text(folder, name)).unwrap()
}

/// What `verify` says of a report.
pub(crate) fn verify(report: &Value) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("report.json"), report.to_string()).unwrap();
    run_in(folder.path(), &["report", "verify", "report.json"])
}

/// Writes a router file of a router that the program of the laboratory is: `arguments` are in the
/// notation of TOML, and `more` stands at the end of the file.
pub(crate) fn router_file(folder: &Path, arguments: &str, more: &str) -> String {
    let text = format!(
        "name = \"r\"\nversion = \"7\"\ncommand = [\"{LAB}\", {arguments}]\n\
         protocols = [\"buffering\"]\ncapabilities = [\"upgrade\"]\n{more}"
    );
    std::fs::write(folder.join("router.toml"), text).unwrap();
    at(folder, "router.toml")
}

pub(crate) fn known_failure(scenario: &str) -> String {
    format!(
        "[[known_failure]]\nscenario = \"{scenario}\"\nreason = \"a young router\"\n\
         link = \"https://example.com/1\"\n"
    )
}

#[cfg(target_os = "linux")]
pub(crate) fn write_script(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    let runs = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(path, runs).unwrap();
}

#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LIMIT, "timeout: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// The processes with an entry in their environment that begins like this.
pub(crate) fn processes_with(beginning: &str) -> Vec<i32> {
    let all = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let has = |entry: &std::fs::DirEntry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one.starts_with(beginning.as_bytes()))
    };
    all.filter(has).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// What is left in a folder other than reports and what runs share.
#[cfg(target_os = "linux")]
pub(crate) fn left(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    names
        .filter(|name| !name.starts_with("r.") && !name.starts_with("cells-conformance-"))
        .collect()
}
