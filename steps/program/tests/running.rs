//! Routers that are already running: the program starts the fleet at the addresses of their
//! topology file, and a reset command empties their caches.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

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

/// A free address; only this file uses 127.9.0.0/16.
fn free(octet: u8) -> SocketAddr {
    let listener = TcpListener::bind(SocketAddr::from(([127, 9, octet, 1], 21_001)))
        .expect("an address of this test is in use");
    listener.local_addr().expect("a bound listener has an address")
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .env("FOLDER", folder)
        .env("PROGRAM", PROGRAM)
        .output()
        .expect("the program starts")
}

/// Writes the topology for one protocol and returns the options that name the routers.
fn options(folder: &Path, octet: u8, protocol: &str) -> Vec<String> {
    let (eu, us) = (free(octet), free(octet + 1));
    let ip = format!("127.9.{octet}.2");
    let listen = [format!("eu={eu}"), format!("us={us}")];
    let out = folder.display().to_string();
    let topology = run(
        &[
            "topology",
            "--out",
            &out,
            "--protocol",
            protocol,
            "--listen",
            &listen[0],
            "--listen",
            &listen[1],
            "--ip",
            &ip,
        ],
        folder,
    );
    assert!(topology.status.success(), "{topology:?}");
    let router = |region: &str, address: SocketAddr| format!("{region}=http://{address}");
    [
        "--router",
        &router("eu", eu),
        "--router",
        &router("us", us),
        "--topology",
        &format!("{out}/eu.json"),
    ]
    .map(str::to_owned)
    .to_vec()
}

#[test]
fn with_a_reset_command_scenarios_of_both_protocols_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let script = folder.path().join("reset.sh");
    std::fs::write(&script, RESET).unwrap();
    let reset = format!("bash {}", script.display());
    let options = options(folder.path(), 40, "learning");
    let mut arguments = vec!["run", "project_signed_in", "eviction", "--reset", &reset];
    arguments.extend(options.iter().map(String::as_str));
    let output = run(&arguments, folder.path());
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains(" passed") && !said.contains("could not run"), "{said}");
}

#[test]
fn without_a_reset_command_only_scenarios_for_any_cache_run() {
    let folder = tempfile::tempdir().unwrap();
    let _routers = Routers(folder.path());
    let options = options(folder.path(), 44, "learning");
    for region in ["eu", "us"] {
        let topology = folder.path().join(format!("{region}.json"));
        let started = Command::new("bash")
            .args(["-c", RESET])
            .envs([
                ("FOLDER", folder.path().as_os_str()),
                ("PROGRAM", PROGRAM.as_ref()),
                ("CELLS_REGION", region.as_ref()),
            ])
            .env(
                "CELLS_TOPOLOGY",
                std::fs::rename(&topology, topology.with_extension("given"))
                    .map(|()| topology.with_extension("given"))
                    .unwrap(),
            )
            .status();
        assert!(started.unwrap().success());
    }
    let mut arguments = vec!["run", "*[learning]", "--tag", "any-cache"];
    arguments.extend(options.iter().map(String::as_str));
    let output = run(&arguments, folder.path());
    let said = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0), "{said}");

    // The others could not run, and the run is incomplete.
    arguments[2] = "--profile";
    arguments[3] = "core";
    let output = run(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stdout).contains("it needs a cold router"));
}

#[test]
fn a_held_scenario_shows_the_addresses_and_waits_for_enter() {
    let mut held = Command::new(PROGRAM)
        .args(["run", "a_cold_router_asks_before_it_sends", "--hold"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    held.stdin.take().unwrap().write_all(b"\n").unwrap();
    let output = held.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for word in [
        "on hold before the first request",
        "router_eu",
        ", process ",
        "cell_us1",
        "press Enter to continue",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}
