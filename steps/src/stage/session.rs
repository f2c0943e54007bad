//! Starts programs of others in their own session, without the terminal of the suite: a router
//! could write to it past all escaping, and type into it what a shell obeys afterwards.
//!
//! A child of this program leaves the session and then becomes the other program, because the
//! standard library has no other safe way, and a copy of a process as large as the suite takes ten
//! times as long. A program that does not call [`serve_or_allow`](super::serve_or_allow) starts no
//! such child; what it starts has its own process group.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use tokio::process::{Child, Command};

use super::{guard, room};

/// The argument that makes this program such a child. Its limit of open files follows, and the
/// program that it becomes.
pub(super) const WORD: &str = "start-in-session";

/// Starts a program that reads nothing. `prepare` gives it its arguments and all else. Returns the
/// child with its process id, which is that of its group.
pub(super) fn spawn(
    program: &OsStr,
    prepare: impl FnOnce(&mut Command),
) -> io::Result<(Child, i32)> {
    // The suite's own routers ask for no terminal, and a run starts them two thousand times.
    let is_own = std::env::current_exe().is_ok_and(|own| own == Path::new(program));
    if is_own || !guard::own_children_are_allowed() {
        let mut command = Command::new(program);
        prepare(&mut command);
        return spawned(command.stdin(Stdio::null()).process_group(0));
    }
    let mut command = Command::new(own_program()?);
    let files = room::limit_of_others().map_or_else(String::new, |limit| limit.to_string());
    command.arg(WORD).arg(files).arg(program);
    prepare(&mut command);
    let (mut fault, told) = io::pipe()?;
    let started = spawned(command.stdin(told))?;
    // The command has a copy of what the child tells by.
    drop(command);
    let mut number = [0; 4];
    match fault.read_exact(&mut number) {
        Ok(()) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(number))),
        // It has become the program.
        Err(_) => Ok(started),
    }
}

fn spawned(command: &mut Command) -> io::Result<(Child, i32)> {
    let child = command.spawn()?;
    let leader = child.id().and_then(|id| i32::try_from(id).ok());
    Ok((child, leader.ok_or_else(|| io::Error::other("no process id"))?))
}

/// The path of this program, also where its file was replaced since it began.
fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok("/proc/self/exe".into()) } else { std::env::current_exe() }
}

/// Takes the limit of open files that the first argument names, leaves the session, and becomes the
/// program that the others name. If that fails, tells the number of the error through standard
/// input.
pub(super) fn become_another(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let files = arguments.next().unwrap_or_default();
    room::set_limit(files.to_str().and_then(|files| files.parse().ok()));
    let program = arguments.next().unwrap_or_default();
    // This copy closes when the program is another one.
    let fault = io::stdin().as_fd().try_clone_to_owned();
    let error = match rustix::process::setsid() {
        Ok(_) => std::process::Command::new(program).args(arguments).stdin(Stdio::null()).exec(),
        Err(error) => error.into(),
    };
    let number = error.raw_os_error().unwrap_or_default();
    // Nobody reads it where a person has started this by hand.
    let _ = fault.and_then(|fault| File::from(fault).write_all(&number.to_ne_bytes()));
    ExitCode::FAILURE
}
