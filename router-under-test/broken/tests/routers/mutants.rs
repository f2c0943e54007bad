//! Each mutant starts and responds, unless its mutation prevents that.

use std::time::Duration;

use broken_routers::{Protocol, degenerate, mutants, variants};

use crate::support::{Fleet, LIMIT, Router};

/// They do not listen, or listen on another address.
const NOT_READY: [&str; 2] = ["never-listens", "listens-elsewhere"];
/// They close the connection instead of responding.
const SILENT: [&str; 1] = ["hangs-up"];

#[test]
fn each_router_starts_and_responds_unless_its_mutation_prevents_it() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(protocol);
        let wanted = Protocol::parse(protocol).unwrap();
        let wrong =
            mutants().iter().chain(degenerate()).map(|mutant| (mutant.name, mutant.protocols));
        let all = wrong.chain(variants().iter().map(|variant| (variant.name, variant.protocols)));
        for (name, _) in all.filter(|(_, protocols)| protocols.contain(wanted)) {
            let (mut router, _directory) = Router::start(name, &fleet);
            if NOT_READY.contains(&name) {
                assert!(!router.ready(Duration::from_millis(100)), "{name}");
                continue;
            }
            assert!(router.ready(LIMIT), "{name} under {protocol}");
            for (head, body) in
                [("GET /my-company/a", ""), ("POST /gitlab-org/b?c", "hello"), ("GET /", "")]
            {
                let response = router.ask(head, body);
                assert_eq!(
                    response.starts_with("HTTP/1.1 "),
                    !SILENT.contains(&name),
                    "{name}: {head}: {response}"
                );
            }
            match name {
                "ignores-sigterm" => assert!(!router.stops_on_sigterm(Duration::from_millis(200))),
                _ => assert!(router.stops_on_sigterm(LIMIT), "{name}"),
            }
        }
    }
}

#[test]
fn a_mutant_exits_with_69_under_the_other_protocol() {
    for protocol in ["buffering", "learning"] {
        let fleet = Fleet::start(protocol);
        for mutant in mutants()
            .iter()
            .filter(|mutant| !mutant.protocols.contain(Protocol::parse(protocol).unwrap()))
        {
            assert_eq!(
                Router::start(mutant.name, &fleet).0.ended().code(),
                Some(69),
                "{}",
                mutant.name
            );
        }
    }
}

#[test]
fn an_unknown_name_exits_with_2() {
    let fleet = Fleet::start("learning");
    assert_eq!(Router::start("no-such-router", &fleet).0.ended().code(), Some(2));
}
