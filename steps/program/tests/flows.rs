//! What the flows of the documents cost, held against the documents and a formula.
//!
//! The runs are made in this process, which inherits the orphans of its routers. So these tests
//! have their own program: other tests wait until their own orphans are gone.

use std::path::PathBuf;
use std::time::Duration;

use cell_fleet::Protocol;
use conformance_laboratory::flows::{
    Cache, Figures, FlowsPlan, FlowsRecord, Owner, RunRecord, State,
};
use conformance_suite::engine::Subject;

/// The program, which serves the router.
const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

/// The costs of some flows, with this many cells in each region.
fn counted(only: &[&str], cells: u16) -> FlowsRecord {
    let subject = Subject::reference(PathBuf::from(PROGRAM));
    let plan = FlowsPlan {
        subject: &subject,
        launch: &subject.launch(1),
        protocols: &Protocol::ALL,
        rtt: Duration::from_millis(80),
        only,
        cells,
        // Tests run side by side themselves.
        jobs: 1,
    };
    plan.count(|_, _| ()).unwrap()
}

/// The arrows of an exchange: all of them, and those from the router to cells: requests,
/// pre-flights, and requests that lead to another region.
fn arrows(run: &RunRecord, region: &str) -> (usize, [usize; 3]) {
    let lines: Vec<_> = run.requests.iter().flat_map(|request| &request.exchange).collect();
    let sent = lines.iter().filter_map(|line| line.split_once("->>cell_"));
    let (preflights, requests): (Vec<_>, Vec<_>) =
        sent.partition(|(_, message)| message.contains("{learn}"));
    let abroad = requests.iter().filter(|(_, cell)| !cell.starts_with(region)).count();
    (lines.len(), [requests.len(), preflights.len(), abroad])
}

/// The section whose drawing has an arrow twice: the last request of the router.
const TWICE: (&str, &str) = ("routes-learning", "project-signed-out");

/// The sections of the documents, with the number of arrows in each drawing.
const DOCUMENTS: &str = include_str!("../../../fixtures/documents.toml");

/// The sections of a document with a drawing, and how many arrows it has.
fn drawings(document: &str) -> Vec<(String, usize)> {
    let documents: toml::Table = toml::from_str(DOCUMENTS).unwrap();
    let documents = documents["document"].as_array().unwrap();
    let document = documents.iter().find(|one| one["id"].as_str() == Some(document)).unwrap();
    let drawn = |section: &toml::Value| {
        let arrows = section.get("drawing")?.get("arrows")?.as_integer()?;
        Some((section["id"].as_str()?.to_owned(), usize::try_from(arrows).ok()?))
    };
    document["section"].as_array().unwrap().iter().filter_map(drawn).collect()
}

#[test]
fn the_costs_are_those_of_the_documents_drawings() {
    let drawn = drawings("buffering");
    let record = counted(&drawn.iter().map(|(section, _)| section.as_str()).collect::<Vec<_>>(), 2);
    let mut compared = 0;
    // Both texts of the learning proposal draw the same.
    for (document, protocol) in [("buffering", "buffering"), ("routes-learning", "learning")] {
        for (section, drawn) in drawings(document) {
            let Some(flow) = record.flow(&section) else { continue };
            let mut states = flow.states.iter().filter(|one| one.protocol == protocol);
            let state = states.find(|one| one.drawn.is_some()).unwrap();
            let mut runs = state.runs.iter();
            let run = runs.find(|run| Some(&run.pick) == state.drawn.as_ref()).unwrap();
            let (all, sent) = arrows(run, &state.region);
            let twice = usize::from((document, &*section) == TWICE);
            assert_eq!(all + twice, drawn, "{document}, {section}: {run:#?}");
            // The figures next to the exchange are those of its arrows.
            let Figures { requests, preflights, crossings, writes_abroad, .. } = run.total;
            let counts = [requests, preflights, crossings - writes_abroad];
            assert_eq!(counts.map(|count| count as usize), sent, "{document}, {section}: {run:#?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 16);
}

/// Flows of which each is another case of a pick: the owner is any cell of the region, the latest
/// or not; several requests pick; nobody learns; the user gets no page.
const PICKS: [&str; 6] = [
    "project-signed-in",
    "project-signed-out",
    "private-project",
    "root-legacy",
    "admin-page",
    "cons+unknown",
];

#[test]
fn the_formula_holds_with_two_and_with_three_cells() {
    let two = counted(&PICKS, 2);
    let three = counted(&PICKS, 3);
    let mut compared = 0;
    for id in PICKS {
        let (two, three) = (two.flow(id).unwrap(), three.flow(id).unwrap());
        for (two, three) in two.states.iter().zip(&three.states) {
            assert_eq!(
                (two.runs.len(), three.runs.len()),
                match two.never {
                    Some(_) => (0, 0),
                    None => (2, 3),
                }
            );
            for (cells, counted) in [(2, two.expected), (3, three.expected)] {
                let by_formula = two.of_cells.at(cells);
                let near = |one: f64, other: f64| (one - other).abs() < 1e-9;
                let values = counted.values().into_iter().zip(by_formula.values());
                assert!(
                    values.into_iter().all(|(counted, formula)| near(counted, formula)),
                    "{id}, {} cells, {} {:?}: counted {counted:?}, by the formula {by_formula:?}",
                    cells,
                    two.protocol,
                    two.state
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
    let cold = State { cache: Cache::Cold, owner: Owner::Home };
    let visit = two.flow("project-signed-in").unwrap().state("buffering", cold).unwrap();
    assert_eq!((visit.of_cells.most.requests, visit.of_cells.less.requests), (2.0, 1.0));
}

#[test]
fn a_request_at_a_cell_reads_a_session_with_its_user_and_a_route() {
    let record = counted(&["project-signed-in"], 2);
    let flow = record.flow("project-signed-in").unwrap();
    let cold = State { cache: Cache::Cold, owner: Owner::Home };
    let total = |protocol: &str, pick: &str| {
        let state = flow.state(protocol, cold).unwrap();
        state.runs.iter().find(|run| run.pick == pick).unwrap().total
    };
    let (owner, other) = (total("buffering", "cell_eu0"), total("buffering", "cell_eu1"));
    // The bounce: a session, and the rows of its user and of the route.
    assert_eq!(other.session_reads - owner.session_reads, 1.0);
    assert_eq!(other.reads_home - owner.reads_home, 2.0);
    // The pre-flight: the row of the route.
    let asked = total("learning", "cell_eu1");
    assert_eq!(asked.session_reads - owner.session_reads, 0.0);
    assert_eq!(asked.reads_home - owner.reads_home, 1.0);
}
