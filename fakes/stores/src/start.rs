//! The start of a server's process, until it is ready.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::log::log_after;

/// How long a server may take until it is ready: recovery after a crash and the data of a primary
/// are part of it.
const LIMIT: Duration = Duration::from_secs(180);
/// Between two looks at a server that starts.
pub(super) const PAUSE: Duration = Duration::from_millis(5);

/// When a server that starts now must be ready.
pub(super) fn limit() -> Instant {
    Instant::now() + LIMIT
}

/// Starts a server, whose output goes to the end of this file, and waits until it is ready. It is
/// given up where `is_ready`, which gets the number of the process, fails.
///
/// # Errors
/// Why it is not ready, and what it wrote since it was started. It has ended then.
pub(super) fn start(
    mut command: Command,
    log: &Path,
    end: Instant,
    is_ready: impl FnMut(u32) -> Result<bool, String>,
) -> Result<Child, String> {
    let begun = fs::metadata(log).map_or(0, |found| found.len());
    let mut child = spawn(&mut command, log).map_err(|error| {
        format!("{} cannot be started: {error}", command.get_program().to_string_lossy())
    })?;
    match wait(&mut child, end, is_ready) {
        Ok(()) => Ok(child),
        Err(why) => {
            // It has ended, or will not become ready.
            let _ = child.kill();
            let _ = child.wait();
            Err(format!("{why}{}", log_after(log, begun)))
        }
    }
}

/// Whether the process of a server has ended, or was never started.
pub(super) fn has_ended(process: &mut Option<Child>) -> bool {
    process.as_mut().is_none_or(|child| matches!(child.try_wait(), Ok(Some(_))))
}

fn spawn(command: &mut Command, log: &Path) -> io::Result<Child> {
    let out = File::options().create(true).append(true).open(log)?;
    command.stdout(out.try_clone()?).stderr(out).spawn()
}

fn wait(
    child: &mut Child,
    end: Instant,
    mut is_ready: impl FnMut(u32) -> Result<bool, String>,
) -> Result<(), String> {
    loop {
        if is_ready(child.id())? {
            return Ok(());
        }
        match child.try_wait() {
            Ok(Some(status)) => return Err(format!("it ended with {status} at its start")),
            Err(error) => return Err(error.to_string()),
            Ok(None) if Instant::now() > end => {
                return Err(format!("it was not ready within {LIMIT:?}"));
            }
            Ok(None) => thread::sleep(PAUSE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell with this script, in place of a server.
    fn server(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_server_is_ready_when_it_says_so() {
        let place = tempfile::tempdir().unwrap();
        let (log, sign) = (place.path().join("log"), place.path().join("sign"));
        let script = format!("echo begun; : >{}; exec sleep 60", sign.display());
        let child = start(server(&script), &log, limit(), |_| Ok(sign.exists()));
        let mut child = child.unwrap();
        assert!(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(fs::read_to_string(log).unwrap(), "begun\n");
    }

    #[test]
    fn a_server_that_does_not_become_ready_is_ended_and_the_reason_named() {
        let place = tempfile::tempdir().unwrap();
        let log = place.path().join("log");
        fs::write(&log, "of the one before\n").unwrap();
        let never = |_| Ok(false);
        let ended = start(server("echo no room; exit 3"), &log, limit(), never).unwrap_err();
        assert_eq!(ended, "it ended with exit status: 3 at its start: no room");
        let mut number = None;
        let late = start(server("exec sleep 60"), &log, Instant::now(), |process| {
            number = Some(process);
            Ok(false)
        });
        assert_eq!(late.unwrap_err(), "it was not ready within 180s");
        assert!(!Path::new(&format!("/proc/{}", number.unwrap())).exists());
        let given_up = start(server("exec sleep 60"), &log, limit(), |_| Err("gone".to_owned()));
        assert_eq!(given_up.unwrap_err(), "gone");
        let missing = start(Command::new("/none/postgres"), &log, limit(), never).unwrap_err();
        assert!(missing.starts_with("/none/postgres cannot be started: "), "{missing}");
    }
}
