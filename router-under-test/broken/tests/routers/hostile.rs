//! The base withstands hostile users and failing cells, and each mutant of that kind fails the
//! probe of its mutation.

use std::collections::HashSet;
use std::sync::Mutex;
use std::thread;

use broken_routers::{Protocol, mutants, variants};

use crate::probes::Scene;
use crate::raw_cells::RawFleet;
use crate::rows::{BRIEF, BUFFERING, COOKIES, DELAY, HASTY, LEARNING, OUTAGE, ROWS, Row, UPGRADE};
use crate::support::{LIMIT, Limits, Router};

struct Setting {
    rows: &'static [Row],
    protocols: &'static [&'static str],
    base: &'static str,
    limits: Limits,
}

const BOTH: &[&str] = &["buffering", "learning"];

fn settings() -> Vec<Setting> {
    let plain = |rows, protocols| {
        let limits = Limits { response_ms: 1_500, ..Limits::default() };
        Setting { rows, protocols, base: "plain", limits }
    };
    let with = |capabilities| Limits { capabilities, ..Limits::default() };
    vec![
        plain(ROWS, BOTH),
        plain(BUFFERING, &["buffering"]),
        plain(LEARNING, &["learning"]),
        Setting {
            limits: Limits { response_ms: 300, ..Limits::default() },
            ..plain(HASTY, &["learning"])
        },
        Setting {
            limits: Limits { ttl_ms: 900, ..Limits::default() },
            ..plain(BRIEF, &["learning"])
        },
        Setting { limits: Limits { region: "us", ..Limits::default() }, ..plain(OUTAGE, BOTH) },
        Setting {
            base: "keeps-routes-in-cookies",
            limits: with(r#""cookie_cache":true"#),
            ..plain(COOKIES, BOTH)
        },
        Setting {
            base: "delays-404s",
            limits: with(r#""not_found_delay_ms":80"#),
            ..plain(DELAY, BOTH)
        },
        Setting { base: "carries-websockets", ..plain(UPGRADE, BOTH) },
    ]
}

fn shown(
    name: &str,
    protocol: &'static str,
    limits: &Limits,
    probe: fn(&Scene) -> String,
) -> String {
    let cells = RawFleet::start(protocol);
    let directory = tempfile::tempdir().unwrap();
    let mut router = Router::start_in(directory.path(), name, &cells.fleet, limits);
    assert!(router.ready(LIMIT), "{name}");
    probe(&Scene { cells, router })
}

/// Runs the jobs side by side: most of their time is waiting.
fn run(jobs: Vec<Box<dyn FnOnce() -> Option<String> + Send + '_>>) -> Vec<String> {
    let (left, wrong) = (Mutex::new(jobs), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                loop {
                    let Some(job) = left.lock().unwrap().pop() else { return };
                    let outcome = job();
                    wrong.lock().unwrap().extend(outcome);
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

#[test]
fn the_base_of_each_setting_passes_its_probes() {
    let settings = settings();
    let mut jobs: Vec<Box<dyn FnOnce() -> Option<String> + Send>> = Vec::new();
    for setting in &settings {
        for (at, (probe, right, _)) in setting.rows.iter().enumerate() {
            for protocol in setting.protocols {
                jobs.push(Box::new(move || {
                    let shown = shown(setting.base, protocol, &setting.limits, *probe);
                    (shown != *right).then(|| {
                        format!("{} {protocol} row {at}: {shown:?}, not {right:?}", setting.base)
                    })
                }));
            }
        }
    }
    assert_eq!(run(jobs), Vec::<String>::new());
}

#[test]
fn hostile_probes_catch_each_mutant_and_no_variant() {
    let settings = settings();
    let mut jobs: Vec<Box<dyn FnOnce() -> Option<String> + Send>> = Vec::new();
    for setting in &settings {
        for (probe, right, wrongs) in setting.rows {
            for (name, expected) in *wrongs {
                let wrong = mutants().iter().map(|mutant| (mutant.name, mutant.protocols));
                let mut all =
                    wrong.chain(variants().iter().map(|variant| (variant.name, variant.protocols)));
                let (_, protocols) =
                    all.find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}"));
                let has = |protocol: &&&str| protocols.contain(Protocol::parse(protocol).unwrap());
                for protocol in setting.protocols.iter().filter(has) {
                    jobs.push(Box::new(move || {
                        let shown = shown(name, protocol, &setting.limits, *probe);
                        let as_expected =
                            if *expected == "*" { shown != *right } else { shown == *expected };
                        (!as_expected)
                            .then(|| format!("{name} {protocol}: {shown:?}, not {expected:?}"))
                    }));
                }
            }
        }
    }
    assert_eq!(run(jobs), Vec::<String>::new());
}

/// The mutants and variants of this file.
pub(crate) fn names() -> HashSet<&'static str> {
    let rows = settings().into_iter().flat_map(|setting| setting.rows.iter());
    rows.flat_map(|(_, _, wrongs)| wrongs.iter().map(|(name, _)| *name)).collect()
}
