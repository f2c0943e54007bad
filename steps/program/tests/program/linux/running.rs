//! Routers that are already running: the program starts the fleet at the addresses of their
//! topology file, and a reset command empties their caches.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use conformance_suite::stage::next_address;
use serde_json::json;

use crate::call::{self, Ended, PROGRAM, call, known_failure, program};

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

/// Writes the topology of learning, and a router file with `more` at its end. Returns the options
/// that name both.
fn options(folder: &Path, more: &str) -> [String; 2] {
    let ip = next_address().unwrap();
    let routers =
        [("eu", 21_001), ("us", 21_002)].map(|(at, port)| (at, SocketAddr::from((ip, port))));
    let (ip, out) = (format!("--ip={ip}"), format!("--out={}", folder.display()));
    let listen = routers.map(|(region, at)| format!("--listen={region}={at}"));
    run(&["fleet", "topology", "--protocol=learning", &out, &ip, &listen[0], &listen[1]], folder)
        .with(0);
    let [eu, us] = routers.map(|(region, at)| format!("{region} = \"http://{at}\""));
    let file = format!(
        "name = \"Waypoint\"\nprotocols = [\"buffering\", \"learning\"]\n\
         addresses = {{ {eu}, {us} }}\n{more}"
    );
    std::fs::write(folder.join("router.toml"), file).unwrap();
    [
        format!("--router-file={}/router.toml", folder.display()),
        format!("--attach={}/eu.json", folder.display()),
    ]
}

#[test]
fn with_a_reset_command_scenarios_of_both_protocols_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let script = folder.path().join("reset.sh");
    std::fs::write(&script, RESET).unwrap();
    let options = options(folder.path(), &format!("reset = \"bash {}\"\n", script.display()));
    let mut arguments = vec!["run", "project_signed_in", "eviction"];
    arguments.extend(options.iter().map(String::as_str));
    run(&arguments, folder.path()).with(0).says(" passed").never("could not run");
}

#[test]
fn without_a_reset_command_only_scenarios_for_any_cache_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let options = options(folder.path(), "");
    for region in ["eu", "us"] {
        // The script writes a file of this name.
        let topology = folder.path().join(format!("{region}.json"));
        let given = topology.with_extension("given");
        std::fs::rename(topology, &given).unwrap();
        let started = Command::new("bash")
            .args(["-c", RESET])
            .envs([("FOLDER", folder.path()), ("PROGRAM", PROGRAM.as_ref())])
            .envs([("CELLS_REGION", region.as_ref()), ("CELLS_TOPOLOGY", given.as_path())])
            .status();
        assert!(started.unwrap().success());
    }
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
    let outcomes = &record["profiles"][0]["outcomes"];
    assert!(outcomes["not asked"].as_u64().unwrap() > 0);
    let part = format!("no failure in {} of ", outcomes["passed"]);
    assert!(record["conclusion"].as_str().unwrap().starts_with(&part), "{}", record["conclusion"]);
    assert_eq!(record["exit_code"], json!(0));
    run(&["report", "verify", &report], folder.path()).with(0);
    // The other protocol is not the router's.
    arguments[1] = "*[buffering]";
    run(&arguments, folder.path()).with(3).out("not applicable: ").never("not claimed: ");
    // A known failure of a scenario that is not asked is not stale.
    let text = call::text(folder.path(), "router.toml") + &known_failure("*asks_before_it_sends*");
    std::fs::write(folder.path().join("router.toml"), text).unwrap();
    arguments[1] = "a_cold_router_asks_before_it_sends";
    run(&[&arguments[..], &["project_signed_in"]].concat(), folder.path())
        .with(0)
        .never("remove the entry");
}

#[test]
fn routers_that_cannot_reach_the_cells_are_not_blamed() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let script = folder.path().join("reset.sh");
    let mut options = options(folder.path(), &format!("reset = \"bash {}\"\n", script.display()));
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
