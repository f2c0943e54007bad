//! What the flows of the documents cost, held against the documents, a formula, and chance.
//!
//! The runs are made in this process, which inherits the orphans of its routers. So these tests
//! have their own program: other tests wait until their own orphans are gone.

use std::path::PathBuf;
use std::time::Duration;

use cell_fleet::Protocol;
use conformance_laboratory::flows::{
    Cache, Figures, FlowsPlan, FlowsRecord, Owner, RequestRecord, RunRecord, Size, State,
    StateRecord, page, text,
};
use conformance_suite::engine::Subject;
use conformance_suite::report::Screen;

/// The program, which serves the router.
const PROGRAM: &str = env!("CARGO_BIN_EXE_cells-conformance");

/// How flows are run.
#[derive(Default)]
struct How<'a> {
    only: &'a [&'a str],
    cells: u16,
    by_chance: bool,
}

fn counted(how: &How<'_>) -> FlowsRecord {
    let subject = Subject::reference(PathBuf::from(PROGRAM));
    let plan = FlowsPlan {
        subject: &subject,
        launch: &subject.launch(1),
        protocols: &Protocol::ALL,
        rtt: Duration::from_millis(80),
        size: Size { cells: Some(7), misses: 0.5, expired: 0.5, unknown: 0.0 },
        only: how.only,
        cells: how.cells.max(2),
        by_chance: how.by_chance,
        // Tests run side by side themselves.
        jobs: 1,
    };
    plan.count(|_, _| ()).unwrap()
}

/// The arrows of a drawing, or of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Arrows {
    /// From the user to the router.
    asked: usize,
    /// From the router to a cell, of the user's request.
    requests: usize,
    /// From the router to a cell, of a pre-flight.
    preflights: usize,
    /// From a cell to the router: a bounce, or what a pre-flight says.
    told: usize,
    /// From a cell to the user.
    got: usize,
    /// How many of `requests` lead to another region.
    abroad: usize,
}

const fn arrows(counts: [usize; 6]) -> Arrows {
    let [asked, requests, preflights, told, got, abroad] = counts;
    Arrows { asked, requests, preflights, told, got, abroad }
}

/// The drawings of the documents, their arrows counted by hand: the document, its section, and the
/// numbers of arrows in the order of [`Arrows`]. Both texts of the learning proposal draw the same.
const DRAWN: [(&str, &str, Arrows); 16] = [
    ("buffering", "project-signed-in", arrows([1, 2, 0, 1, 1, 0])),
    ("buffering", "project-signed-out", arrows([4, 5, 0, 1, 4, 0])),
    ("buffering", "other-project", arrows([1, 1, 0, 0, 1, 0])),
    ("buffering", "project-elsewhere", arrows([1, 2, 0, 1, 1, 1])),
    ("buffering", "root", arrows([2, 2, 0, 0, 2, 0])),
    ("buffering", "private-project", arrows([1, 1, 0, 0, 1, 1])),
    ("buffering", "public-project-signed-out", arrows([1, 1, 0, 0, 1, 0])),
    ("buffering", "root-legacy", arrows([2, 3, 0, 1, 2, 0])),
    ("routes-learning", "project-signed-in", arrows([1, 1, 1, 1, 1, 0])),
    // The last request of the router, which is drawn twice, counts once.
    ("routes-learning", "project-signed-out", arrows([4, 4, 2, 2, 4, 0])),
    ("routes-learning", "other-project", arrows([1, 1, 0, 0, 1, 0])),
    ("routes-learning", "project-elsewhere", arrows([1, 1, 1, 1, 1, 1])),
    ("routes-learning", "root", arrows([2, 2, 0, 0, 2, 0])),
    ("routes-learning", "private-project", arrows([1, 1, 0, 0, 1, 1])),
    ("routes-learning", "public-project-signed-out", arrows([1, 1, 0, 0, 1, 0])),
    ("routes-learning", "root-legacy", arrows([2, 2, 1, 1, 2, 0])),
];

/// The section whose drawing has an arrow twice.
const TWICE: (&str, &str) = ("routes-learning", "project-signed-out");

impl Arrows {
    fn all(self) -> usize {
        self.asked + self.requests + self.preflights + self.told + self.got
    }

    /// The arrows of an exchange, one for each line.
    fn from_run(run: &RunRecord, region: &str) -> Self {
        let mut arrows = Self::default();
        for line in run.requests.iter().flat_map(|request| &request.exchange) {
            let (ends, message) = line.split_once(": ").unwrap();
            match ends
                .split_once("-->>")
                .map(|ends| (true, ends))
                .or_else(|| ends.split_once("->>").map(|ends| (false, ends)))
            {
                Some((true, (_, "user"))) => arrows.got += 1,
                Some((true, _)) => arrows.told += 1,
                Some((false, ("user", _))) => arrows.asked += 1,
                Some((false, _)) if message.contains("{learn}") => arrows.preflights += 1,
                Some((false, (_, cell))) => {
                    arrows.requests += 1;
                    arrows.abroad += usize::from(!cell.starts_with(&format!("cell_{region}")));
                }
                None => panic!("no arrow: {line}"),
            }
        }
        arrows
    }
}

/// The sections of the documents, with the number of arrows in each drawing.
const DOCUMENTS: &str = include_str!("../../../fixtures/documents.toml");

fn arrows_of(documents: &toml::Table, document: &str, section: &str) -> i64 {
    let named = |tables: &toml::Value, id: &str| {
        let tables = tables.as_array().unwrap().iter();
        tables.clone().find(|one| one["id"].as_str() == Some(id)).unwrap().clone()
    };
    let document = named(&documents["document"], document);
    named(&document["section"], section)["drawing"]["arrows"].as_integer().unwrap()
}

#[test]
fn the_costs_are_those_of_the_documents_drawings() {
    let only: Vec<_> = DRAWN.iter().map(|(_, section, _)| *section).collect();
    let record = counted(&How { only: &only, ..How::default() });
    let documents: toml::Table = toml::from_str(DOCUMENTS).unwrap();
    for (document, section, expected) in DRAWN {
        let name = format!("{document}, {section}");
        let twice = usize::from((document, section) == TWICE);
        let drawn = i64::try_from(expected.all() + twice).unwrap();
        assert_eq!(drawn, arrows_of(&documents, document, section), "{name}: the table itself");

        let protocol = if document == "buffering" { document } else { "learning" };
        let states = &record.flow(section).unwrap().states;
        let is_drawn = |one: &&StateRecord| one.protocol == protocol && one.drawn.is_some();
        let state = states.iter().find(is_drawn).unwrap();
        let run = state.runs.iter().find(|run| Some(&run.pick) == state.drawn.as_ref()).unwrap();
        assert_eq!(Arrows::from_run(run, &state.region), expected, "{name}: {run:#?}");
        // The figures next to the exchange are those of its arrows.
        let Figures { requests, preflights, crossings, .. } = run.total;
        let writes_abroad = run.total.writes_abroad;
        let counts = [requests, preflights, crossings - writes_abroad].map(|count| count as usize);
        assert_eq!(counts, [expected.requests, expected.preflights, expected.abroad], "{name}");
    }
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
    let two = counted(&How { only: &PICKS, ..How::default() });
    let three = counted(&How { only: &PICKS, cells: 3, ..How::default() });
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
    let seven = |protocol: &str, owner| {
        let way = two.larger.ways.iter().find(|way| way.protocol == protocol && way.owner == owner);
        way.unwrap().sizes.iter().find(|(cells, _)| *cells == 7).unwrap().1
    };
    let near = |figure: f64, expected: f64| {
        assert!((figure - expected).abs() < 1e-9, "{figure}, not {expected}");
    };
    // Half of the visits miss: 1/2 + (2 - 1/7) / 2.
    near(seven("buffering", Owner::Home).requests, 0.5 + (2.0 - 1.0 / 7.0) / 2.0);
    // In learning half of the others have expired: three in four are asked about.
    near(seven("learning", Owner::Home).preflights, 0.75);
    // Of seven cells in the US, one is US0: it gets a seventh of what is picked there.
    near(seven("buffering", Owner::Abroad).at_us0, 0.5 / 7.0);
    near(seven("learning", Owner::Abroad).at_us0, 0.75 / 7.0);
}

/// The first cell that got a request or a pre-flight.
fn asked_first(request: &RequestRecord) -> &str {
    let line = request.exchange.get(1).unwrap();
    line.split_once("->>").and_then(|(_, rest)| rest.split_once(':')).unwrap().0
}

#[test]
fn a_router_that_picks_by_chance_costs_what_a_run_with_that_pick_says() {
    let forced = counted(&How { only: &PICKS, ..How::default() });
    let free = counted(&How { only: &PICKS, by_chance: true, ..How::default() });
    for id in PICKS {
        let (forced, free) = (forced.flow(id).unwrap(), free.flow(id).unwrap());
        for (forced, free) in forced.states.iter().zip(&free.states) {
            for run in &free.runs {
                for (at, request) in run.requests.iter().enumerate() {
                    let like = forced.runs.iter().map(|run| &run.requests[at]);
                    let mut like = like.filter(|one| asked_first(one) == asked_first(request));
                    let like = like.next().unwrap_or_else(|| panic!("{id}: {request:?}"));
                    assert_eq!(
                        (request.figures, request.status),
                        (like.figures, like.status),
                        "{id}, {} {:?}",
                        free.protocol,
                        free.state
                    );
                }
            }
        }
    }
}

#[test]
fn a_request_at_a_cell_reads_a_session_with_its_user_and_a_route() {
    let record = counted(&How { only: &["project-signed-in"], ..How::default() });
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

#[test]
fn every_figure_of_the_page_leads_to_its_exchange() {
    let record = counted(&How { only: &["project-signed-in", "root"], ..How::default() });
    let page = page(&record, false);
    let ids: std::collections::BTreeSet<_> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let links: Vec<_> = page
        .split(" href=\"#")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        // Terms of the formula that were not counted here.
        .filter(|link| *link != "cons-unknown")
        .collect();
    assert!(links.len() > 2 * 12 * 8, "{}", links.len());
    for link in links {
        assert!(ids.contains(link), "nothing has the id {link}");
    }
    assert!(page.contains("2 \u{2212} 1/N"), "the formula");
}

#[test]
fn a_state_names_the_router_and_a_flow_its_owner_if_it_has_one() {
    let record = counted(&How { only: &["project-elsewhere", "sign-up"], ..How::default() });
    let owners: Vec<_> = record.flows.iter().map(|flow| flow.owner.as_deref()).collect();
    assert_eq!(owners, [Some("US"), None]);
    let page = page(&record, false);
    assert!(page.contains("cold, EU router") && page.contains("No cell owns it"), "{page}");
    assert!(!page.contains("owner at home"), "{page}");
    // The crossing of a sign-in comes from the fleet's store of sessions.
    assert!(page.contains("A-110") && page.contains("LN-13"), "{page}");
    // A project of US0 is served there; a customer signs up where the router is, or learn says.
    let cold = State { cache: Cache::Cold, owner: Owner::Home };
    let at_us0 = |flow: &str, protocol: &str| {
        record.flow(flow).unwrap().state(protocol, cold).unwrap().expected.at_us0
    };
    assert_eq!(at_us0("project-elsewhere", "buffering"), 1.0);
    assert_eq!(at_us0("sign-up", "buffering"), 0.0);
}

#[test]
fn text_fits_narrow_and_wide_terminals() {
    let record = counted(&How { only: &["project-signed-in"], ..How::default() });
    for width in [60, 160] {
        let text = text(&record, &Screen { width: Some(width), ..Screen::default() });
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(width), "{longest:?}: {text}");
        assert!(text.contains("requests 1.5 (2)"), "{text}");
    }
}
