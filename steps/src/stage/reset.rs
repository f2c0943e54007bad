//! The reset command of running routers.

use std::path::Path;
use std::process::ExitStatus;

use cell_fleet::Region;
use tokio::process::Child;

use super::error::RouterError;
use super::process::RouterCommand;
use super::router_log::RouterLog;
use super::waits::Waits;
use super::{process_groups, resources, session};

/// A reset command that runs, with the processes that it started. Dropping it kills them, unless
/// the command has exited: then what it started, like the router itself, goes on.
struct Running {
    child: Child,
    leader: i32,
    has_exited: bool,
}

impl Running {
    async fn exit(&mut self) -> std::io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.has_exited = true;
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.has_exited {
            process_groups::release(self.leader);
        } else {
            process_groups::end(self.leader);
        }
    }
}

/// Runs the reset command for one router, and waits for its exit.
pub(super) async fn reset(
    command: &RouterCommand,
    topology: &Path,
    region: &Region,
    waits: &Waits,
) -> Result<(), RouterError> {
    let failed = |why: String| RouterError::NotReset { region: region.clone(), why };
    let folder = topology.parent().unwrap_or(topology);
    let suite = |error: std::io::Error| RouterError::Suite(resources::explain(folder, &error));
    let (mut log, output) = RouterLog::open().map_err(suite)?;
    let second = output.try_clone().map_err(suite)?;
    let started = process_groups::start(|| {
        let (child, leader) = session::spawn(&command.program, |process| {
            process
                .args(&command.arguments)
                .env("CELLS_TOPOLOGY", topology)
                .env("CELLS_REGION", region.as_str())
                .stdout(output)
                .stderr(second);
        })?;
        Ok((leader, Running { child, leader, has_exited: false }))
    });
    let mut running = started.map_err(|error| match resources::is_of_machine(&error) {
        true => suite(error),
        false => failed(format!("`{}`: {error}", command.program.to_string_lossy())),
    })?;
    let ended = tokio::time::timeout(waits.ready, running.exit()).await;
    let has_succeeded = matches!(&ended, Ok(Ok(status)) if status.success());
    drop(running);
    if has_succeeded {
        // What it started, like the router itself, may still write: its pipe stays open.
        return Ok(());
    }
    log.finish().await;
    let log = log.text();
    match ended {
        Ok(Ok(status)) => Err(failed(format!("the reset command failed with {status}\n{log}"))),
        Ok(Err(error)) => Err(failed(error.to_string())),
        Err(_) => {
            let limit = waits.ready;
            Err(failed(format!("the reset command did not exit within {limit:?}\n{log}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::process::{Pid, test_kill_process_group};

    use super::*;

    #[tokio::test]
    async fn a_reset_that_does_not_exit_is_killed_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let script = "echo $$ >pid; echo cleaning; sleep 60 & sleep 60; exit 0";
        let line = format!("cd {}; {script}", folder.path().display());
        let command =
            RouterCommand { program: "sh".into(), arguments: vec!["-c".into(), line.into()] };
        let waits = Waits { ready: Duration::from_millis(300), ..Waits::default() };
        let topology = folder.path().join("eu.json");
        let why = reset(&command, &topology, &Region::eu(), &waits).await.unwrap_err().to_string();
        assert!(why.contains("did not exit within") && why.contains("cleaning"), "{why}");
        let leader = std::fs::read_to_string(folder.path().join("pid")).unwrap();
        let group = Pid::from_raw(leader.trim().parse().unwrap()).unwrap();
        let gone = async {
            while test_kill_process_group(group).is_ok() {
                super::super::processes::end_adopted(group.as_raw_pid(), folder.path());
                tokio::task::yield_now().await;
            }
        };
        let limit = Duration::from_secs(5);
        tokio::time::timeout(limit, gone).await.expect("a child outlived the limit");
    }

    #[tokio::test]
    async fn what_a_reset_starts_in_the_background_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let (pid, goes_on) = (folder.path().join("pid"), folder.path().join("goes-on"));
        // Its output is a pipe of the suite, which must not be closed.
        let wait = format!("while [ ! -e {} ]; do sleep 0.02; done", goes_on.display());
        let line = format!(
            "{{ {wait}; echo wrote && echo again && touch {}; sleep 60; }} & echo $! >{}",
            goes_on.with_extension("on").display(),
            pid.display()
        );
        let command =
            RouterCommand { program: "sh".into(), arguments: vec!["-c".into(), line.into()] };
        let topology = folder.path().join("eu.json");
        reset(&command, &topology, &Region::eu(), &Waits::default()).await.unwrap();
        std::fs::write(&goes_on, "").unwrap();
        let wrote = async {
            while !goes_on.with_extension("on").exists() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(5), wrote).await.expect("it could not write");
        let process = std::fs::read_to_string(pid).unwrap();
        let process = Pid::from_raw(process.trim().parse().unwrap()).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::KILL)
            .expect("it had ended");
    }
}
