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

/// The reference router with a topology file, by a command that may place it elsewhere.
fn reference_router(before: &[&str], topology: &Path, listen: SocketAddr) -> Running {
    let words: Vec<_> = before.iter().copied().chain([PROGRAM, "router"]).collect();
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
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
    let _router = reference_router(&[], &file, listen);
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
    match Namespace::new() {
        Some(namespace) => in_a_namespace(&namespace),
        // Without the right to make one: the loopback network has many addresses.
        None => on_two_loopback_addresses(),
    }
}

fn on_two_loopback_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let listen = free();
    let advertised = next_address().unwrap().to_string();
    let options = ["--advertise", &advertised, "--first-port", "22100"];
    let file = topology(folder.path(), listen, &options);
    let written = text(folder.path(), "eu.json");
    assert!(written.contains(&format!("http://{advertised}:22100")), "{written}");
    let _router = reference_router(&[], &file, listen);
    router_file(folder.path(), listen, "bind = \"0.0.0.0\"\n");
    run_in(folder.path(), &ATTACHED).with(0).says(" passed");
}

/// The router has its own network, in which the suite's host has the name `suite.test`.
fn in_a_namespace(namespace: &Namespace) {
    let folder = tempfile::tempdir().unwrap();
    let listen = SocketAddr::from((namespace.inside, 21_001));
    let (outside, inside) = (namespace.outside(), ["ip", "netns", "exec", &namespace.name]);
    let file = topology(folder.path(), listen, &["--bind", &outside, "--advertise", "suite.test"]);
    let written = text(folder.path(), "eu.json");
    assert!(written.contains("http://suite.test:22000"), "{written}");
    let _router = reference_router(&inside, &file, listen);
    // Nobody on this machine knows the name, so the suite has to be told where to listen.
    router_file(folder.path(), listen, "");
    run_in(folder.path(), &ATTACHED).with(3).says("names one of this machine");
    router_file(folder.path(), listen, &format!("bind = \"{outside}\"\n"));
    run_in(folder.path(), &ATTACHED).with(0).says(" passed");

    // A router that the suite starts itself, behind a forwarder, as a container's published port.
    let script = format!(
        "import os, socket, subprocess, sys, threading\n\
         host, port = os.environ['CELLS_LISTEN'].split(':')\n\
         given = open(os.environ['CELLS_TOPOLOGY']).read()\n\
         open('t.json', 'w').write(given.replace(os.environ['CELLS_LISTEN'], '{inner}'))\n\
         path = os.path.abspath('t.json')\n\
         env = dict(os.environ, CELLS_LISTEN='{inner}', CELLS_TOPOLOGY=path)\n\
         router = subprocess.Popen({command:?}, env=env)\n\
         def pump(a, b):\n\
         \x20   try:\n\
         \x20       while data := a.recv(65536): b.sendall(data)\n\
         \x20       b.shutdown(socket.SHUT_WR)\n\
         \x20   except OSError: pass\n\
         def serve(a):\n\
         \x20   b = socket.create_connection(('{ip}', 21009))\n\
         \x20   threading.Thread(target=pump, args=(a, b), daemon=True).start(); pump(b, a)\n\
         while True:\n\
         \x20   try: socket.create_connection(('{ip}', 21009)).close(); break\n\
         \x20   except OSError: pass\n\
         s = socket.create_server((host, int(port)))\n\
         while True:\n\
         \x20   threading.Thread(target=serve, args=(s.accept()[0],), daemon=True).start()\n",
        inner = SocketAddr::from((namespace.inside, 21_009)),
        ip = listen.ip(),
        command = [&inside[..], &[PROGRAM, "router"]].concat(),
    );
    std::fs::write(folder.path().join("published.py"), script).unwrap();
    let file = format!(
        "name = \"Waypoint\"\ncommand = [\"python3\", \"{{folder}}/published.py\"]\n\
         protocols = [\"learning\"]\nbind = \"{outside}\"\nadvertise = \"suite.test\"\n"
    );
    std::fs::write(folder.path().join("router.toml"), file).unwrap();
    let one = ["run", "a_cold_router_asks_before_it_sends"];
    let words = [&one[..], &["--report", "json=report.json", "--jobs", "1"]].concat();
    run_in(folder.path(), &words).with(0).says(" passed");
    let record = text(folder.path(), "report.json");
    assert!(record.contains("suite.test:"), "no cell was advertised by its name");
}

/// A network namespace with one link to this machine. It is removed when it is dropped.
struct Namespace {
    name: String,
    inside: [u8; 4],
}

impl Namespace {
    /// `None` without the right to make one.
    fn new() -> Option<Self> {
        let id = std::process::id();
        let (third, fourth) = ((id >> 6) as u8, (id << 2) as u8);
        let this =
            Self { name: format!("cells-{id}"), inside: [10, 203, third, (fourth & 0xfc) | 2] };
        let (name, outer, inner) = (&this.name, format!("co{id}"), format!("ci{id}"));
        let inside = std::net::Ipv4Addr::from(this.inside);
        let hosts = Path::new("/etc/netns").join(name);
        std::fs::create_dir_all(&hosts).ok()?;
        std::fs::write(hosts.join("hosts"), format!("{} suite.test\n", this.outside())).ok()?;
        let made = [
            format!("netns add {name}"),
            format!("link add {outer} type veth peer name {inner} netns {name}"),
            format!("address add {}/30 dev {outer}", this.outside()),
            format!("link set {outer} up"),
            format!("-n {name} address add {inside}/30 dev {inner}"),
            format!("-n {name} link set {inner} up"),
            format!("-n {name} link set lo up"),
        ];
        let done = |line: &String| {
            let done = Command::new("ip").args(line.split(' ')).stderr(Stdio::null()).status();
            done.is_ok_and(|status| status.success())
        };
        made.iter().all(done).then_some(this)
    }

    fn outside(&self) -> String {
        let [a, b, c, d] = self.inside;
        std::net::Ipv4Addr::from([a, b, c, (d & 0xfc) | 1]).to_string()
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let delete = ["netns", "delete", &self.name];
        let _ = Command::new("ip").args(delete).stderr(Stdio::null()).status();
        let _ = std::fs::remove_dir_all(Path::new("/etc/netns").join(&self.name));
    }
}
