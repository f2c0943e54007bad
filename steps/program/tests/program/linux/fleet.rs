//! The fleet as a server, alone and with routers, and the commands around it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use crate::call::{PROGRAM, call, program, run_in};

/// The people of the documents, each with one of their pages and its headline.
const PEOPLE: [(&str, &str, &str); 4] = [
    ("anna", "/my-company/my-project", "My Project"),
    ("gabe", "/gitlab-org/gitlab", "GitLab.org / GitLab"),
    ("nina", "/not-my-company/not-my-project", "Not My Project"),
    ("olga", "/dashboard", "Dashboard"),
];

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

/// An address of this test alone.
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

/// Signs a person in, visits their page and signs them out, as a browser does it.
async fn spends_a_day(router: &str, (name, page, headline): (&str, &str, &str)) {
    let browser =
        reqwest::Client::builder().no_proxy().cookie_store(true).build().expect("a client");
    let get = async |path: &str| {
        let response = browser.get(format!("{router}{path}")).send().await.expect("a response");
        assert!(response.url().as_str().starts_with(router), "{name} was sent to {response:?}");
        (response.status().as_u16(), response.text().await.expect("a text"))
    };
    let post = async |path: &str, form: String| {
        let request = browser
            .post(format!("{router}{path}"))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(form);
        let response = request.send().await.expect("a response");
        (response.status().as_u16(), response.text().await.expect("a text"))
    };
    assert_eq!(get("/users/sign_in").await.0, 200, "{name} at {router}");
    let form = format!("username={name}&password={name}-password");
    let (status, start) = post("/users/sign_in", form).await;
    assert_eq!(status, 200, "{name} at {router}: {start}");
    assert!(start.contains(&format!("<span>{name}</span>")), "{name} at {router}: {start}");
    let (status, shown) = get(page).await;
    assert_eq!(status, 200, "{name} at {router}{page}: {shown}");
    assert!(shown.contains(&format!("<h1>{headline}</h1>")), "{name} at {router}{page}: {shown}");
    let (_, left) = post("/users/sign_out", String::new()).await;
    assert!(left.contains("<h1>Sign in</h1>"), "{name} at {router}: {left}");
}

#[test]
fn everybody_signs_in_visits_and_signs_out_through_the_routers() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(&own_address(), &["--with-router", "--protocol", protocol]);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        for name in ["router_eu", "router_us"] {
            for person in PEOPLE {
                runtime.block_on(spends_a_day(&fleet.url(name), person));
            }
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

#[test]
fn an_init_that_fails_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    // A file may not grow beyond 0 bytes, and the signal that says so is ignored.
    let init = "trap \"\" XFSZ; ulimit -f 0; exec \"$0\" init router.toml";
    let failed = call(Command::new("bash").args(["-c", init, PROGRAM]).current_dir(folder.path()));
    failed.with(2).err("router.toml: ");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
