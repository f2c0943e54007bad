//! Routers that run elsewhere: claims from a router file, routers that cannot be reached, and
//! fleets that listen on one address and are reached at another.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use conformance_suite::stage::{FIRST_ROUTER_PORT, next_address};

use crate::call::{PROGRAM, json, known_failure, run_in, text, until};

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address for a router, of this test alone.
fn free() -> SocketAddr {
    SocketAddr::from((next_address().unwrap(), FIRST_ROUTER_PORT))
}

/// Writes the topology file of a learning router, and returns its path.
fn topology(folder: &Path, listen: SocketAddr, options: &[&str]) -> PathBuf {
    let (out, listen) = (folder.display().to_string(), format!("eu={listen}"));
    let mut arguments =
        vec!["fleet", "topology", "--out", &out, "--protocol", "learning", "--listen", &listen];
    arguments.extend(options);
    run_in(folder, &arguments).with(0);
    folder.join("eu.json")
}

/// The reference router with a topology file.
fn reference_router(topology: &Path, listen: SocketAddr) -> Running {
    let mut command = Command::new(PROGRAM);
    command
        .arg("router")
        .env("CELLS_TOPOLOGY", topology)
        .env("CELLS_LISTEN", listen.to_string())
        .env("CELLS_REGION", "eu")
        .env("CELLS_PROTOCOL", "learning")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let router = Running(command.spawn().unwrap());
    until("the router does not listen", || TcpStream::connect(listen).is_ok());
    router
}

/// Writes the router file of a router that runs already. `more` stands at its end.
fn router_file(folder: &Path, listen: SocketAddr, more: &str) {
    let text = format!(
        "name = \"Waypoint\"\naddresses = {{ eu = \"http://{listen}\" }}\n\
         protocols = [\"buffering\", \"learning\"]\n{more}"
    );
    std::fs::write(folder.join("router.toml"), text).unwrap();
}

/// The words of a run against a running router, by the router file of the folder: scenarios that any
/// cache passes.
const ATTACHED: [&str; 6] = [
    "run",
    "journeys::project_signed_in::*[learning]",
    "--tag",
    "any-cache",
    "--attach",
    "eu.json",
];

#[test]
fn a_router_file_gives_a_running_router_its_name_and_claims() {
    let folder = tempfile::tempdir().unwrap();
    let listen = free();
    let file = topology(folder.path(), listen, &["--ip", &listen.ip().to_string()]);
    let _router = reference_router(&file, listen);
    let known = format!("{}protocol = \"learning\"\n", known_failure("*"));
    router_file(folder.path(), listen, &known);
    let arguments = [&ATTACHED[..], &["--report", "json=report.json"]].concat();
    // The known failure passes, and a list that is not true fails the run.
    run_in(folder.path(), &arguments).with(1).says("known failure").says(" passed");
    let record = json(folder.path(), "report.json");
    assert_eq!(record["router"]["name"], "Waypoint");
    assert_eq!(record["router"]["running"][0], "eu");
    assert_eq!(record["router"]["command"].as_array().unwrap().len(), 0);
    // The one that it follows, of those that its file claims.
    assert_eq!(record["router"]["protocols"], serde_json::json!(["learning"]));
}

#[test]
fn a_router_that_cannot_be_reached_could_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let listen = free();
    topology(folder.path(), listen, &["--ip", &listen.ip().to_string()]);
    router_file(folder.path(), listen, "");
    let arguments = [&ATTACHED[..], &["--report", "json=report.json"]].concat();
    run_in(folder.path(), &arguments).with(3);
    let record = json(folder.path(), "report.json");
    let scenarios = record["scenarios"].as_array().unwrap();
    assert!(!scenarios.is_empty());
    for scenario in scenarios {
        let (word, why) = (&scenario["outcome"]["word"], scenario["outcome"]["reason"].to_string());
        assert_eq!(word, "could not run", "{scenario}");
        assert!(why.contains(&format!("cannot be reached at {listen}")), "{why}");
    }
}

#[test]
fn a_router_that_goes_away_during_a_scenario_could_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let listen = free();
    topology(folder.path(), listen, &["--ip", &listen.ip().to_string()]);
    router_file(folder.path(), listen, "");
    // It ends with its first request.
    let script = format!(
        "import os, socket\nhost, port = '{listen}'.split(':')\n\
         s = socket.create_server((host, int(port)))\n\
         while True:\n    c, _ = s.accept()\n    if c.recv(1): os._exit(0)\n"
    );
    let mut python = Command::new("python3").arg("-").stdin(Stdio::piped()).spawn().unwrap();
    python.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let _router = Running(python);
    until("it does not listen", || TcpStream::connect(listen).is_ok());
    run_in(folder.path(), &ATTACHED)
        .with(3)
        .says("it could be reached when the scenario began")
        .never("violated");
}

#[test]
fn a_fleet_listens_on_one_address_and_is_reached_at_another() {
    let folder = tempfile::tempdir().unwrap();
    let listen = free();
    let advertised = next_address().unwrap().to_string();
    let options = ["--advertise", &advertised, "--first-port", "22100"];
    let file = topology(folder.path(), listen, &options);
    let written = text(folder.path(), "eu.json");
    assert!(written.contains(&format!("http://{advertised}:22100")), "{written}");
    let _router = reference_router(&file, listen);
    router_file(folder.path(), listen, "bind = \"0.0.0.0\"\n");
    run_in(folder.path(), &ATTACHED).with(0).says(" passed");
}

/// A router that the suite starts itself, as one in a container: it knows the cells by a name.
#[test]
fn a_router_is_told_the_name_of_the_host_of_the_cells() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "name = \"Waypoint\"\ncommand = [\"{PROGRAM}\", \"router\"]\n\
         protocols = [\"learning\"]\nbind = \"0.0.0.0\"\nadvertise = \"localhost\"\n"
    );
    std::fs::write(folder.path().join("router.toml"), file).unwrap();
    let words = ["run", "a_cold_router_asks_before_it_sends", "--report", "json=report.json"];
    run_in(folder.path(), &words).with(0).says(" passed");
    let record = text(folder.path(), "report.json");
    assert!(record.contains("localhost:"), "no cell was advertised by its name");
}
