//! `cells-lab`: the commands `flows`, with its forms and routers whose costs are not counted, and
//! `proofs`, with the scenarios of its counterexamples.

use std::path::Path;

use conformance_laboratory::flows::{Cache, FlowsRecord, Owner, State};
use conformance_suite::spec::proofs::Proofs;

use crate::call::{LAB, run, run_in, text};

#[test]
fn costs_are_written_as_json_as_a_page_and_beside_the_specification() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |words: &[&str]| run_in(folder, words);
    let words = ["cells-lab", "flows", "--reference", "--html", "."];
    let json = run(&[&words[..], &["--rtt", "50ms"]].concat());
    let json = json.with(0).err("run 344 of 344").out;
    std::fs::write(folder.join("flows.json"), &json).unwrap();
    let record: FlowsRecord = serde_json::from_str(&json).unwrap();
    assert_eq!(record.rtt_ms, 50.0);
    // The router keeps each body, and the upload shows it for bodies in one piece.
    let cold = State { cache: Cache::Cold, owner: Owner::Home };
    let kept = |protocol: &str, flow: &str| {
        record.flow(flow).unwrap().state(protocol, cold).unwrap().expected.kept_bytes
    };
    for (flow, bytes) in [
        ("differences+upload", 65_536.0),
        // `path=fresh-company`
        ("new-namespace", 18.0),
        ("project-signed-in", 0.0),
    ] {
        assert_eq!((kept("buffering", flow), kept("learning", flow)), (bytes, 0.0), "{flow}");
    }

    // A project of US0 is served there; a customer signs up where the router is, or learn says.
    let of = |flow: &str| record.flow(flow).unwrap();
    let at_us0 = |flow| of(flow).state("buffering", cold).unwrap().expected.at_us0;
    assert_eq!((at_us0("project-elsewhere"), at_us0("sign-up")), (1.0, 0.0));
    assert_eq!(
        (of("project-elsewhere").owner.as_deref(), &of("sign-up").owner),
        (Some("US"), &None)
    );

    let page = std::fs::read_to_string(folder.join("flows.html")).unwrap();
    // The crossing of a sign-in comes from the fleet's store of sessions.
    for part in ["A new customer signs up", "<svg class=\"q", "A-110", "1.5 (2)", "2 \u{2212} 1/N"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    run(&["cells-lab", "spec", "--out", "spec", "--flows", "flows.json"]).with(0);
    let beside = std::fs::read_to_string(folder.join("spec/flows.html")).unwrap();
    let documents = std::fs::read_to_string(folder.join("spec/documents.html")).unwrap();
    let links: Vec<_> = beside.split(" href=\"documents.html#").skip(1).collect();
    assert_eq!(links.len(), 2 * record.flows.len());
    for link in links {
        let id = link.split('"').next().unwrap();
        assert!(documents.contains(&format!(" id=\"{id}\"")), "{id}");
    }
    run(&["cells-lab", "spec", "--out", "spec", "--flows", "flows.html"])
        .with(2)
        .err("`cells-lab flows` prints");
}

#[test]
fn costs_of_a_router_that_is_not_right_are_not_counted() {
    run(&["cells-lab", "flows", "--", "false"])
        .with(3)
        .err("ended before it accepted a connection");
    run(&["cells-lab", "flows", "--", LAB, "broken", "always-502"]).with(3).err("error:");
    // A mutant that picks cells of every region.
    let broken = ["--", LAB, "broken", "picks-from-all-regions"];
    let one = ["cells-lab", "flows", "--protocol", "buffering"];
    run(&[&one[..], &broken].concat()).with(3).err("the only cell of its region");
    let other = ["cells-lab", "flows", "--protocol", "learning"];
    run(&[&other[..], &broken].concat()).with(3).err("`--protocol` counts the other one alone");
    run(&["cells-lab", "flows", "--rtt", "80"]).with(2).err("time unit needed");
}

#[test]
fn the_counterexamples_happen_on_the_fleet() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let features = root.join("features/proposals");
    let out = run(&["run", "--features", features.to_str().unwrap()]).with(0).out;
    assert!(out.contains("conclusion: no failure") && !out.contains("WARNED"), "{out}");
}

/// Each exchange is what the model says: its next state, as a router and cells show it.
#[test]
fn each_kind_of_step_of_routing_happens_on_the_fleet() {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in conformance_laboratory::proofs::transitions() {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let out = run(&["run", "--features", folder.path().to_str().unwrap()]).with(0).out;
    assert!(out.contains("13 scenarios") && out.contains("13 passed"), "{out}");
}

#[test]
fn results_are_printed_for_people_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["cells-lab", "proofs", "--quick", "--out", "proofs.json"];
    let printed = run_in(folder.path(), &words).with(0);
    let proofs: Proofs = serde_json::from_str(&text(folder.path(), "proofs.json")).unwrap();
    printed.out(&proofs.properties[0].says);
}
