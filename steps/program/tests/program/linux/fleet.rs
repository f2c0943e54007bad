//! The fleet as a server, alone and with routers, and the commands around it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::call::{PROGRAM, program, run_in};

/// A serving fleet, ended with the test.
struct Fleet {
    process: Child,
    said: Vec<String>,
}

impl Drop for Fleet {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn own_address() -> String {
    conformance_suite::stage::next_address().unwrap().to_string()
}

impl Fleet {
    /// Starts it on this loopback address.
    fn start(ip: &str, options: &[&str]) -> Self {
        let mut process = program(&["fleet", "--ip", ip])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(process.stdout.take().expect("a pipe")).lines();
        let mut said = Vec::new();
        for line in lines.map_while(Result::ok) {
            said.push(line);
            if said.last().is_some_and(|line| line.starts_with("Press Ctrl-C")) {
                break;
            }
        }
        assert!(!said.is_empty(), "the fleet says nothing");
        Self { process, said }
    }

    /// The address in the line that begins with this name.
    fn url(&self, name: &str) -> String {
        let line = self.said.iter().find(|line| line.trim_start().starts_with(name));
        let url = line.and_then(|line| line.split_whitespace().last());
        url.unwrap_or_else(|| panic!("no {name} in {:?}", self.said)).to_owned()
    }

    /// Sends the signal with which a service is stopped.
    fn end(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it still runs");
        self.process.wait().expect("it ends").code()
    }
}

/// Signs anna in and visits a page of hers, as a browser does it.
async fn visits(router: &str) {
    let browser = reqwest::Client::builder().no_proxy().cookie_store(true).build().unwrap();
    let form = browser
        .post(format!("{router}/users/sign_in"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("username=anna&password=anna-password");
    let start = form.send().await.unwrap().text().await.unwrap();
    assert!(start.contains("<span>anna</span>"), "{router}: {start}");
    let page = browser.get(format!("{router}/my-company/my-project")).send().await.unwrap();
    assert!(page.url().as_str().starts_with(router), "anna was sent to {page:?}");
    let shown = page.text().await.unwrap();
    assert!(shown.contains("<h1>My Project</h1>"), "{router}: {shown}");
}

#[test]
fn a_user_signs_in_and_visits_through_the_routers() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(&own_address(), &["--with-router", "--protocol", protocol]);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for name in ["router_eu", "router_us"] {
            runtime.block_on(visits(&fleet.url(name)));
        }
        assert_eq!(fleet.end(), Some(0));
    }
}

#[test]
fn a_fleet_on_port_0_gets_free_ports() {
    let fleet = Fleet::start(&own_address(), &["--first-port", "0"]);
    let ports = ["Cell US0", "Cell US1", "Cell EU0", "Cell EU1"].map(|cell| {
        let url = fleet.url(cell);
        url.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok()).unwrap_or_default()
    });
    assert!(ports.iter().all(|port| *port >= 1_024), "{ports:?}: {:?}", fleet.said);
    assert_eq!(fleet.end(), Some(0));
}

#[test]
fn addresses_that_two_would_have_are_refused() {
    let taken = own_address();
    let first = Fleet::start(&taken, &["--with-router", "--first-port", "23000"]);
    let folder = tempfile::tempdir().unwrap();
    let topology = ["fleet", "topology", "--protocol=buffering", "--out=t", "--first-port=65535"];
    for (arguments, word) in [
        (&["fleet", "--ip", &taken, "--with-router"][..], "`--bind`"),
        (&["fleet", "--ip", &taken, "--first-port", "23000"], "`--first-port`"),
        (&["fleet", "--with-router", "--first-port", "21000"], "`--first-port`"),
        (&["run", "--", PROGRAM, "router", "{listne}"], "{listen} is meant"),
        (&[&topology[..], &["--listen=eu=127.0.0.1:21001"]].concat(), "1 to 65532"),
    ] {
        run_in(folder.path(), arguments).with(2).err(word);
    }
    assert!(!folder.path().join("t").exists(), "nothing was written");
    assert_eq!(first.end(), Some(0));
}
