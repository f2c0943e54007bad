//! What happens before the router runs.

use std::fs::File;
use std::net::UdpSocket;
use std::process::{ExitCode, exit};

use crate::around::prelude::*;
use crate::run;

super::wrong! {
    "never-listens": Both, "Z-39", "the process starts and listens nowhere" =>
        &[Start(|| loop { std::thread::park() })];
    "leaves-its-lock-file": Both, "RT-03",
        "a lock file beside the topology file is not removed at exit, so that the next start \
         fails" =>
        &[Start(|| {
            if let Err(error) = File::create_new(format!("{}.lock", topology_path())) {
                give_up(&error.to_string());
            }
        })];
    "wants-to-be-the-only-one": Both, "RT-04",
        "a second router of the same installation on one machine does not start" =>
        &[Start(|| {
            // The UDP port of the first cell's address, which nobody else wants.
            let topology = topology();
            let url = topology["cells"][0]["url"].as_str().unwrap_or_default();
            match UdpSocket::bind(url.trim_start_matches("http://").trim_end_matches('/')) {
                Ok(socket) => std::mem::forget(socket),
                Err(error) => give_up(&error.to_string()),
            }
        })];
    "ignores-sigterm": Both, "Z-39", "SIGTERM does not end the process, which goes on serving" =>
        &[Start(|| while reference_router::run(&run::variable) == ExitCode::SUCCESS {})];
    "refuses-unknown-topology-members": Both, "Z-40",
        "a topology file with an unknown member is refused" =>
        &[Start(|| {
            const KNOWN: &str = "version protocol region listen learn_path latest_cell cache limits \
                                 capabilities cells id name slug url";
            let topology = topology();
            for object in topology["cells"].as_array().into_iter().flatten().chain([&topology]) {
                let mut names = object.as_object().into_iter().flat_map(serde_json::Map::keys);
                if let Some(name) = names.find(|name| !KNOWN.split(' ').any(|known| known == *name)) {
                    give_up(&format!("the topology has an unknown member {name:?}"));
                }
            }
        })];
}

super::variants! {
    "plain": Both, "the reference router itself" => &[];
    "carries-websockets": Both, claims "upgrade", "WebSocket upgrades are supported" => &[];
    "keeps-a-large-heap": Both,
        "memory grows with the requests up to a limit, and is kept, as garbage collectors do" =>
        &[ToCell(|at, _, _| {
            let mut heap = at.state.bytes();
            if heap.len() < 64 * 1024 * 1024 {
                // Memory counts once it is written to.
                let length = heap.len() + 16 * 1024;
                heap.resize(length, 1);
            }
        })];
}

fn give_up(why: &str) -> ! {
    eprintln!("{why}");
    exit(1)
}

fn topology_path() -> String {
    std::env::var("CELLS_TOPOLOGY").unwrap_or_default()
}

/// What the topology file says; nothing where the router will say what is wrong with it.
fn topology() -> Value {
    let text = std::fs::read(topology_path()).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}
