//! Routers that are already running: the program starts the fleet at the addresses of their
//! topology file, and a reset command empties their caches. Fleets that listen on one address and
//! are reached at another.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use conformance_suite::stage::{FIRST_ROUTER_PORT, next_address};
use serde_json::json;

use crate::call::{self, Ended, PROGRAM, call, known_failure, program, run_in, text, until};

/// Restarts the reference router for the given region and topology, and waits until it accepts a
/// connection. Its process id is written to a file, so that the test can stop it.
const RESET: &str = r#"
set -u
if [ -f "$FOLDER/$CELLS_REGION.pid" ]; then
    kill "$(cat "$FOLDER/$CELLS_REGION.pid")"
    while kill -0 "$(cat "$FOLDER/$CELLS_REGION.pid")" 2>/dev/null; do sleep 0.01; done
fi
value() { sed -n 's/^  "'"$1"'": "\(.*\)",\{0,1\}$/\1/p' "$CELLS_TOPOLOGY"; }
cp "$CELLS_TOPOLOGY" "$FOLDER/$CELLS_REGION.json"
CELLS_LISTEN=$(value listen) CELLS_PROTOCOL=$(value protocol) \
    CELLS_TOPOLOGY="$FOLDER/$CELLS_REGION.json" "$PROGRAM" router \
    >"$FOLDER/$CELLS_REGION.log" 2>&1 </dev/null &
echo $! >"$FOLDER/$CELLS_REGION.pid"
host=$(CELLS_LISTEN=$(value listen); echo "${CELLS_LISTEN%:*}")
port=$(CELLS_LISTEN=$(value listen); echo "${CELLS_LISTEN##*:}")
for _ in $(seq 500); do
    if (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; then exit 0; fi
    sleep 0.01
done
exit 1
"#;

/// Stops the routers of a test, even if it fails.
struct Routers<'a>(&'a Path);

impl Drop for Routers<'_> {
    fn drop(&mut self) {
        for region in ["eu", "us"] {
            if let Ok(pid) = std::fs::read_to_string(self.0.join(format!("{region}.pid"))) {
                let _ = Command::new("kill").arg(pid.trim()).status();
            }
        }
    }
}

fn run(arguments: &[&str], folder: &Path) -> Ended {
    call(program(arguments).env("FOLDER", folder).env("PROGRAM", PROGRAM))
}

/// Addresses for the routers of this test alone.
fn routers() -> [(&'static str, SocketAddr); 2] {
    let ip = next_address().unwrap();
    [("eu", FIRST_ROUTER_PORT), ("us", FIRST_ROUTER_PORT + 1)]
        .map(|(region, port)| (region, SocketAddr::from((ip, port))))
}

/// Writes the topology of learning, and a router file with `more` at its end. `cells` says where the
/// cells are. Returns the options that name both.
fn options(
    folder: &Path,
    routers: &[(&str, SocketAddr)],
    cells: &[&str],
    more: &str,
) -> [String; 2] {
    let mut words = vec!["fleet".to_owned(), "topology".to_owned()];
    words.extend(["--protocol=learning".to_owned(), format!("--out={}", folder.display())]);
    words.extend(routers.iter().map(|(region, at)| format!("--listen={region}={at}")));
    let words: Vec<_> = words.iter().map(String::as_str).chain(cells.iter().copied()).collect();
    run(&words, folder).with(0);
    let addresses = routers.iter().map(|(region, at)| format!("{region} = \"http://{at}\""));
    let file = format!(
        "name = \"Waypoint\"\nprotocols = [\"buffering\", \"learning\"]\n\
         addresses = {{ {} }}\n{more}",
        addresses.collect::<Vec<_>>().join(", ")
    );
    std::fs::write(folder.join("router.toml"), file).unwrap();
    [
        format!("--router-file={}/router.toml", folder.display()),
        format!("--attach={}/eu.json", folder.display()),
    ]
}

/// The same with the cells beside the routers.
fn options_beside(folder: &Path, more: &str) -> [String; 2] {
    let routers = routers();
    options(folder, &routers, &[&format!("--ip={}", routers[0].1.ip())], more)
}

/// Starts the router of a region, with the topology file that was written for it.
fn start(folder: &Path, region: &str) {
    // The script writes a file of this name.
    let topology = folder.join(format!("{region}.json"));
    let given = topology.with_extension("given");
    std::fs::rename(topology, &given).unwrap();
    let started = Command::new("bash")
        .args(["-c", RESET])
        .envs([("FOLDER", folder), ("PROGRAM", PROGRAM.as_ref())])
        .envs([("CELLS_REGION", region.as_ref()), ("CELLS_TOPOLOGY", given.as_path())])
        .status();
    assert!(started.unwrap().success());
}

/// Runs a few scenarios that any cache passes.
fn run_any_cache(folder: &Path, options: &[String; 2], more: &[&str]) -> Ended {
    let words = ["run", "journeys::project_signed_in::*[learning]", "--tag", "any-cache"];
    run(&[&words[..], &[&options[0], &options[1]], more].concat(), folder)
}

#[test]
fn with_a_reset_command_scenarios_of_both_protocols_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let script = folder.path().join("reset.sh");
    std::fs::write(&script, RESET).unwrap();
    let reset = format!("reset = \"bash {}\"\n", script.display());
    let options = options_beside(folder.path(), &reset);
    let mut arguments = vec!["run", "project_signed_in", "eviction"];
    arguments.extend(options.iter().map(String::as_str));
    run(&arguments, folder.path()).with(0).says(" passed").never("could not run");
}

#[test]
fn without_a_reset_command_only_scenarios_for_any_cache_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let options = options_beside(folder.path(), "");
    ["eu", "us"].iter().for_each(|region| start(folder.path(), region));
    let mut arguments = vec!["run", "*[learning]", "--tag", "any-cache"];
    arguments.extend(options.iter().map(String::as_str));
    run(&arguments, folder.path()).with(0);

    // The others are not asked, which hides nothing and is no failure.
    arguments[2] = "--profile";
    arguments[3] = "core";
    let report = folder.path().join("report.json").display().to_string();
    let written = format!("--report=json={report}");
    run(&[&arguments[..], &[&written]].concat(), folder.path())
        .with(0)
        .out("conclusion: no failure in ")
        .out("no scenario was asked (running router)")
        .out("its cache must be empty; `reset` of the router file can see to that")
        .never("could not run")
        .never("  0/");
    let record = call::json(folder.path(), "report.json");
    assert_eq!(record["router"]["name"], "Waypoint");
    assert_eq!(record["router"]["running"], json!(["eu", "us"]));
    assert_eq!(record["router"]["command"], json!([]));
    // The one that it follows, of those that its file claims.
    assert_eq!(record["router"]["protocols"], json!(["learning"]));
    let outcomes = &record["profiles"][0]["outcomes"];
    assert!(outcomes["not asked"].as_u64().unwrap() > 0);
    let part = format!("no failure in {} of ", outcomes["passed"]);
    assert!(record["conclusion"].as_str().unwrap().starts_with(&part), "{}", record["conclusion"]);
    assert_eq!(record["exit_code"], json!(0));
    run(&["report", "verify", &report], folder.path()).with(0);
    // The other protocol is not the router's.
    arguments[1] = "*[buffering]";
    run(&arguments, folder.path()).with(3).out("not applicable:").never("not claimed: ");
    // A known failure of a scenario that is not asked is not stale.
    let file = text(folder.path(), "router.toml");
    let write = |entry: &str| {
        std::fs::write(folder.path().join("router.toml"), format!("{file}{entry}")).unwrap();
    };
    write(&known_failure("*asks_before_it_sends*"));
    arguments[1] = "a_cold_router_asks_before_it_sends";
    run(&[&arguments[..], &["project_signed_in"]].concat(), folder.path())
        .with(0)
        .never("remove the entry");
    // One that passes is a list that is not true.
    write(&format!("{}protocol = \"learning\"\n", known_failure("*")));
    run_any_cache(folder.path(), &options, &[]).with(1).says("known failure").says(" passed");
}

#[test]
fn a_router_that_cannot_be_reached_could_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let [eu, _] = routers();
    let (listen, ip) = (eu.1, format!("--ip={}", eu.1.ip()));
    let options = options(folder.path(), &[eu], &[&ip], "");
    let report = format!("--report=json={}", call::at(folder.path(), "r.json"));
    run_any_cache(folder.path(), &options, &[&report]).with(3);
    let record = call::json(folder.path(), "r.json");
    let scenarios = record["scenarios"].as_array().unwrap();
    assert!(!scenarios.is_empty());
    for scenario in scenarios {
        let (word, why) = (&scenario["outcome"]["word"], scenario["outcome"]["reason"].to_string());
        assert_eq!(word, "could not run", "{scenario}");
        assert!(why.contains(&format!("cannot be reached at {listen}")), "{why}");
    }

    // One that is there, and ends with its first request.
    let script = format!(
        "import os, socket\nhost, port = '{listen}'.split(':')\n\
         s = socket.create_server((host, int(port)))\n\
         while True:\n    c, _ = s.accept()\n    if c.recv(1): os._exit(0)\n"
    );
    let mut python = Command::new("python3").arg("-").stdin(Stdio::piped()).spawn().unwrap();
    python.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    until("it does not listen", || TcpStream::connect(listen).is_ok());
    let ended = run_any_cache(folder.path(), &options, &[]);
    let _ = python.kill();
    python.wait().unwrap();
    ended.with(3).says("it could be reached when the scenario began").never("violated");
}

#[test]
fn a_fleet_listens_on_one_address_and_is_reached_at_another() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let advertise = format!("--advertise={}", next_address().unwrap());
    let cells = [advertise.as_str(), "--first-port=22100"];
    let options = options(folder.path(), &routers(), &cells, "bind = \"0.0.0.0\"\n");
    let host = advertise.trim_start_matches("--advertise=");
    let written = text(folder.path(), "eu.json");
    assert!(written.contains(&format!("http://{host}:22100")), "{written}");
    ["eu", "us"].iter().for_each(|region| start(folder.path(), region));
    run_any_cache(folder.path(), &options, &[]).with(0).says(" passed");
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

#[test]
fn routers_that_cannot_reach_the_cells_are_not_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let script = folder.path().join("reset.sh");
    let reset = format!("reset = \"bash {}\"\n", script.display());
    let mut options = options_beside(folder.path(), &reset);
    // The script writes a file of the name of the first.
    let given = folder.path().join("given.json");
    std::fs::copy(folder.path().join("eu.json"), &given).unwrap();
    options[1] = format!("--attach={}", given.display());
    // The routers look for the cells where nobody listens, as behind a wrong address of the fleet.
    let elsewhere = r#"sed 's/:220\([0-9]\)/:230\1/' "$CELLS_TOPOLOGY" >"$FOLDER/$CELLS_REGION.in"
CELLS_TOPOLOGY="$FOLDER/$CELLS_REGION.in""#;
    std::fs::write(&script, RESET.replace("set -u", &format!("set -u\n{elsewhere}"))).unwrap();
    let run_part = |part: &[&str]| {
        let options = options.iter().map(String::as_str);
        let all = ["run"].into_iter().chain(part.iter().copied());
        run(&all.chain(options).collect::<Vec<_>>(), folder.path())
    };
    for part in [&["a_cold_router_asks_before_it_sends"][..], &["journeys::project_signed_in"]] {
        run_part(part)
            .with(3)
            .out("no cell received a request: ")
            .says("`bind` of the router file")
            .out("conclusion: incomplete")
            .never("violated")
            .never("FAILED");
    }
    let report = folder.path().join("r.json").display().to_string();
    let written = format!("--report=json={report}");
    run_part(&["journeys::project_signed_in", &written]).with(3).says("the run ended early");
    // Nothing in a published report says where the routers listen, or how they are reset.
    let text = call::text(folder.path(), "r.json");
    assert!(text.contains("\"--attach\"") && !text.contains("reset.sh"), "{text}");
    let file = call::text(folder.path(), "router.toml");
    let address = file.split("http://").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(!text.contains(address), "{text}");
}
