//! The program and real databases: what it says where it cannot have them, and what it leaves.

use std::process::Command;

use call::{call, program};

#[expect(dead_code, reason = "the tests of `program` call the rest")]
#[path = "program/call.rs"]
mod call;

fn with_stores(stores: &str, arguments: &[&str]) -> Command {
    let mut command = program(arguments);
    command.env("CELLS_STORES", stores);
    command
}

#[test]
fn an_unknown_store_is_refused() {
    call(&mut with_stores("mysql", &["run", "precedence"])).with(2).err("CELLS_STORES is `mysql`");
}

#[cfg(not(feature = "stores"))]
#[test]
fn a_program_without_real_stores_says_how_to_build_one_that_has_them() {
    for arguments in [&["run", "precedence"][..], &["fleet"]] {
        call(&mut with_stores("real", arguments)).with(2).err("`--features stores`");
    }
}

#[cfg(feature = "stores")]
mod real {
    use std::io::{BufRead as _, BufReader, Lines};
    use std::net::Ipv4Addr;
    use std::path::{Path, PathBuf};
    use std::process::{Child, ChildStdout, Stdio};

    use conformance_suite::stage::next_address;

    use super::call::{Ended, PROGRAM, until};
    use super::*;

    /// A serving fleet with what it still says, and its folder of servers below that for temporary
    /// files.
    fn fleet(temporary: &Path, bind: Ipv4Addr) -> (Child, Lines<BufReader<ChildStdout>>, PathBuf) {
        let mut fleet = program(&["fleet", "--stores", "real", "--bind", &bind.to_string()])
            .env("TMPDIR", temporary)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(fleet.stdout.take().unwrap()).lines();
        let line = lines.by_ref().find_map(|line| {
            let line = line.unwrap();
            line.trim().strip_suffix("/database.*.yml").map(PathBuf::from)
        });
        (fleet, lines, line.expect("the folder of the servers"))
    }

    fn wait_until_gone(folder: &Path) {
        until("the folder of the servers goes", || !folder.exists());
    }

    /// The process that a server has written down.
    fn pid_in(file: &Path) -> String {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().next().unwrap().trim().to_owned()
    }

    fn temporary() -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix("cs").tempdir().unwrap();
        // The user of the servers passes through it.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o711);
        std::fs::set_permissions(folder.path(), open).unwrap();
        folder
    }

    #[test]
    #[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
    fn servers_end_with_the_fleet_also_when_it_is_killed() {
        let place = temporary();
        for signal in ["TERM", "KILL"] {
            let (mut fleet, _lines, folder) = fleet(place.path(), next_address().unwrap());
            assert!(folder.starts_with(place.path()) && folder.join("primary").is_dir());
            let pids = ["primary/data/postmaster.pid", "Redis-primary/data/redis.pid"]
                .map(|file| pid_in(&folder.join(file)));
            let told = Command::new("kill").args(["-s", signal, &fleet.id().to_string()]).status();
            assert!(told.unwrap().success());
            fleet.wait().unwrap();
            wait_until_gone(&folder);
            for pid in pids {
                let left = Path::new("/proc").join(&pid).join("cwd");
                assert!(std::fs::read_link(left).is_err(), "process {pid} is left");
            }
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    #[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
    fn two_fleets_have_servers_of_their_own_and_none_has_a_port() {
        let place = temporary();
        let fleets = [(); 2].map(|()| fleet(place.path(), next_address().unwrap()));
        assert_ne!(fleets[0].2, fleets[1].2);
        for (mut fleet, _lines, folder) in fleets {
            // The sixth line has the addresses that PostgreSQL listens on.
            let state = std::fs::read_to_string(folder.join("primary/data/postmaster.pid"));
            assert_eq!(state.unwrap().lines().nth(5).map(str::trim), Some(""));
            let told = Command::new("kill").arg(fleet.id().to_string()).status();
            assert!(told.unwrap().success());
            assert_eq!(fleet.wait().unwrap().code(), Some(0));
            wait_until_gone(&folder);
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    /// A run of scenarios with sessions, begun by a command that makes this folder a small disk.
    fn on_a_small_disk(place: &Path, form: &[&str]) -> Ended {
        let mut command = Command::new(form[0]);
        command.args(&form[1..]).args([PROGRAM, "run", "--reference", "cells::credentials"]);
        call(command.env("CELLS_STORES", "real").env("TMPDIR", place))
    }

    #[test]
    #[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
    fn a_full_disk_is_named_by_the_server_that_met_it() {
        let place = temporary();
        // Files of 1 MiB at most: the log of a server is larger.
        let limited = "trap '' XFSZ; ulimit -f 2048; exec \"$@\"";
        on_a_small_disk(place.path(), &["sh", "-c", limited, "sh"])
            .with(2)
            .err("File too large")
            .err("no real stores");

        let mut mount = Command::new("unshare");
        mount.args(["-m", "mount", "-t", "tmpfs", "none", "/mnt"]);
        if !mount.output().is_ok_and(|output| output.status.success()) {
            eprintln!("no small disk can be mounted here: that part is left out");
            return;
        }
        // With the first there is no room for a server. With the second the servers start, and
        // which of them meets the full disk first is a matter of time.
        for (room, code) in [("30m", 2), ("300m", 4)] {
            let mounted =
                format!("mount -t tmpfs -o mode=711,size={room} none \"$TMPDIR\" && exec \"$@\"");
            let form = ["unshare", "-m", "sh", "-c", &mounted, "sh"];
            let ended = on_a_small_disk(place.path(), &form).with(code).says("the store `");
            // PostgreSQL has two texts for it, and one code (53100, `disk_full`).
            let full = ["No space left on device", "SQLSTATE 53100"];
            assert!(full.iter().any(|part| ended.said().contains(part)), "{}", ended.said());
            // Each scenario meets the full disk, and not what the one before has left.
            ended.never("does not exist").never("File exists").never("violated");
        }
    }

    #[test]
    #[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
    fn a_folder_that_is_missing_is_named() {
        let place = temporary();
        let gone = place.path().join("gone");
        call(with_stores("real", &["run", "precedence"]).env("TMPDIR", &gone))
            .with(2)
            .err("no real stores")
            .err(&gone.to_string_lossy());
    }

    /// The only folder with a file below a folder of servers.
    fn server_of(place: &Path, file: &str) -> Option<PathBuf> {
        let entries = std::fs::read_dir(place).unwrap().flatten();
        entries.map(|entry| entry.path().join(file)).find(|file| file.exists())
    }

    #[test]
    #[ignore = "needs PostgreSQL and Redis; ci/stores runs it"]
    fn a_server_that_is_killed_is_a_fault_of_the_suite_and_no_violation() {
        for (file, named) in [
            ("Redis-primary/data/redis.pid", "the store `Redis primary"),
            ("Redis-replica-eu/data/redis.pid", "the store `Redis replica eu"),
            ("primary/data/postmaster.pid", "the store `primary"),
            ("replica-eu/data/postmaster.pid", "the store `replica eu"),
            ("cells/data/postmaster.pid", "the store `cells"),
        ] {
            let place = temporary();
            let words = ["run", "--reference", "cells::sessions", "cells::credentials"];
            let mut run = with_stores("real", &words);
            run.env("TMPDIR", place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let run = run.spawn().unwrap();
            let mut begun = None;
            until("a scenario has begun", || {
                // The replica is started for the first scenario, so its file shows that one has
                // begun.
                let replica = server_of(place.path(), "Redis-replica-eu/data/redis.pid");
                begun = replica.and(server_of(place.path(), file));
                begun.is_some()
            });
            let pid = pid_in(&begun.unwrap());
            let killed = Command::new("kill").args(["-s", "KILL", &pid]).status();
            assert!(killed.unwrap().success());
            // What the suite's own fault is: see `cells-conformance run --help`.
            let ended = Ended::from(run.wait_with_output().unwrap());
            ended.with(4).says(named).never("violated");
        }
    }
}
