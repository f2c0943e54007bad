//! The program and real databases: what it says where it cannot have them, and what it leaves.

use std::process::{Command, Output};

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cells-conformance"));
    command.env_remove("CELLS_STORES");
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_unknown_store_is_refused() {
    let output = program().args(["run", "precedence"]).env("CELLS_STORES", "mysql").output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("CELLS_STORES is `mysql`"), "{}", said(&output));
}

#[cfg(not(feature = "stores"))]
#[test]
fn a_program_without_real_stores_says_how_to_build_one_that_has_them() {
    for (arguments, stores) in [(&["run", "precedence"][..], "real"), (&["fleet"], "real")] {
        let output = program().args(arguments).env("CELLS_STORES", stores).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("`--features stores`"), "{}", said(&output));
    }
}

#[cfg(feature = "stores")]
mod real {
    use std::io::{BufRead as _, BufReader};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    /// A serving fleet, its folder of servers, and the folder for temporary files above it.
    fn fleet(temporary: &Path) -> (Child, PathBuf) {
        let mut fleet = program()
            .args(["fleet", "--stores", "real", "--bind", "127.77.5.1"])
            .env("TMPDIR", temporary)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(fleet.stdout.take().unwrap()).lines();
        let line = lines.find_map(|line| {
            let line = line.unwrap();
            line.trim().strip_suffix("/database.*.yml").map(PathBuf::from)
        });
        (fleet, line.expect("the folder of the servers"))
    }

    fn wait_until_gone(folder: &Path) {
        let end = Instant::now() + Duration::from_secs(20);
        while folder.exists() {
            assert!(Instant::now() < end, "{} is left", folder.display());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn temporary() -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix("cs").tempdir().unwrap();
        // The user of the servers passes through it.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o711);
        std::fs::set_permissions(folder.path(), open).unwrap();
        folder
    }

    #[test]
    #[ignore = "needs PostgreSQL; ci/stores runs it"]
    fn servers_end_with_the_fleet_also_when_it_is_killed() {
        let place = temporary();
        for signal in ["TERM", "KILL"] {
            let (mut fleet, folder) = fleet(place.path());
            assert!(folder.starts_with(place.path()) && folder.join("primary").is_dir());
            let pid = std::fs::read_to_string(folder.join("primary/data/postmaster.pid")).unwrap();
            let pid = pid.lines().next().unwrap().to_owned();
            let told = Command::new("kill").args(["-s", signal, &fleet.id().to_string()]).status();
            assert!(told.unwrap().success());
            fleet.wait().unwrap();
            wait_until_gone(&folder);
            let left = Path::new("/proc").join(&pid).join("cwd");
            assert!(std::fs::read_link(left).is_err(), "process {pid} is left");
        }
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    #[ignore = "needs PostgreSQL; ci/stores runs it"]
    fn a_folder_without_room_is_named() {
        let place = temporary();
        let gone = place.path().join("gone");
        let output = program()
            .args(["run", "precedence"])
            .env("CELLS_STORES", "real")
            .env("TMPDIR", &gone)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains("no real stores"), "{}", said(&output));
        assert!(said(&output).contains(&*gone.to_string_lossy()), "{}", said(&output));
    }
}
