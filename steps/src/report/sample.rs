//! A small report with every outcome, for the tests of the writers.

use std::sync::Arc;
use std::time::Duration;

use cell_fleet::{BodySeen, CellId, Field, Protocol, Region, ResponseSeen, Stamp};

use crate::action::{Action, Kind, Person, RequestKind, Route};
use crate::engine::Conclusion;
use crate::engine::record::{
    CaseRecord, Divergence, ExchangeRecord, ExplorationRecord, FoundRecord, LeftOutBy,
    LeftOutRecord, LogRecord, NotJudgedRecord, OwnFeature, OwnFeatures, PairsOfKind, PairsRecord,
    ProfileVerdict, RequirementRecord, RouterRecord, RunRecord, RunSettings, StartsRecord,
    StepRecord, SuiteRecord, keep_bodies,
};
use crate::judge::model::State;
use crate::ledger::{Level, Profile, RequirementId};
use crate::router_file::Capability;
use crate::trace::{
    ConformanceId, Gate, Hop, Origin, Phase, ReceivedResponse, Trace, UserRequest, UserResponse,
};
use crate::verdict::{Finding, OutcomeWord, Stalled};

/// A report of a router that a router file describes; the scenarios have no traces.
pub(crate) fn report() -> RunRecord {
    let scenarios = vec![
        scenario("a_project[buffering]", OutcomeWord::Passed),
        violating(scenario("a_warning[buffering]", OutcomeWord::Warned), "Z-03", Level::Should),
        violating(scenario("a_failure[buffering]", OutcomeWord::Failed), "BF-03", Level::Must),
        because(
            violating(
                scenario("known[buffering]", OutcomeWord::KnownFailure),
                "RT-08",
                Level::Must,
            ),
            "the engine cannot",
            Some("https://example.com/1"),
        ),
        because(
            scenario("not_claimed[learning]", OutcomeWord::NotApplicable),
            "the router does not claim the learning protocol",
            None,
        ),
        because(
            scenario("no_port[buffering]", OutcomeWord::CouldNotRun),
            "the port is taken",
            None,
        ),
        because(scenario("a_panic[buffering]", OutcomeWord::SuiteError), "a step panicked", None),
    ];
    let outcomes = scenarios.iter().map(|one| (one.outcome.word, 1)).collect();
    let requirement = |profile, level| RequirementRecord {
        profile,
        level,
        documents: vec!["buffering".to_owned()],
        section: "Flows".to_owned(),
        statement: "A bounced request goes to the named cell.".to_owned(),
    };
    let router = RouterRecord {
        name: "Waypoint".to_owned(),
        version: Some("2.1".to_owned()),
        url: Some("https://example.com/waypoint".to_owned()),
        contact: Some("routers@example.com".to_owned()),
        command: ["./start", "--listen", "{listen}"].map(str::to_owned).into(),
        protocols: vec![Protocol::Buffering],
        capabilities: vec![Capability::ExactLimits],
        ..RouterRecord::default()
    };
    let run = RunSettings {
        began: "2026-01-02T03:04:05Z".to_owned(),
        took_ms: 61_250,
        seed: 7,
        jobs: 4,
        platform: "linux-x86_64".to_owned(),
        ..RunSettings::default()
    };
    let verdict = |profile, verdict, outcomes| ProfileVerdict { profile, verdict, outcomes };
    RunRecord {
        suite: SuiteRecord {
            version: "0.1.0".to_owned(),
            features_digest: "f0".repeat(32),
            ledger_digest: "1e".repeat(32),
        },
        conclusion: Conclusion::SuiteFault,
        exit_code: 4,
        profiles: vec![
            verdict(Profile::Core, Conclusion::NotConformant, outcomes),
            verdict(Profile::Hardening, Conclusion::NotRun, Default::default()),
        ],
        complaints: vec!["the known failure `x` matches no scenario that was run".to_owned()],
        requirements: [
            ("BF-03", Profile::Core, Level::Must),
            ("RT-08", Profile::Core, Level::Must),
            ("Z-03", Profile::Hardening, Level::Should),
        ]
        .map(|(id, profile, level)| (id_of(id), requirement(profile, level)))
        .into(),
        scenarios,
        ..RunRecord::empty(router, run)
    }
}

/// The report with a trace of each scenario, in which a cell responds to anna through the router
/// and nina sends raw bytes; the failure and the warning have all that a report says of one.
pub(crate) fn traced() -> RunRecord {
    let mut report = report();
    report.router.options = ["--router-file", "router.toml"].map(str::to_owned).into();
    report.run.selection = ["journeys", "--exclude known_to_hang"].map(str::to_owned).into();
    report.run.excluded = vec!["journeys::sample::known_to_hang[buffering]".to_owned()];
    report.run.starts = Some(StartsRecord { number: 6, took_ms: 1_878 });
    let trace = Arc::new(trace());
    keep_bodies(&trace, &mut report.bodies);
    report.scenarios.iter_mut().for_each(|one| one.trace = Some(trace.clone()));
    let warned = &mut report.scenarios[1];
    let found = "Z-16: it took 6000 ms".to_owned();
    warned.earlier = vec![Stalled { stall_ms: 1_300, bound_ms: 5_000, found }];
    report.scenarios[3].earlier = report.scenarios[1].earlier.clone();
    let failed = &mut report.scenarios[2];
    let mut undrawn = failed.exchanges[0].clone();
    failed.steps = vec![
        step("Given", "a cold EU router"),
        step("And", "cell_us1 responds to \"/acme\" with raw bytes:"),
        step("When", "anna visits \"/a'b\""),
        step("Then", "the exchange was (BF-03)"),
    ];
    failed.steps[1].doc = Some("\nHTTP/1.1 200 OK\n: value\n".to_owned());
    (failed.findings[0].step_index, failed.exchanges[0].step_index) = (Some(3), Some(3));
    let mut may = failed.findings[0].clone();
    (may.requirement, may.level) = (id_of("Z-03"), Level::May);
    failed.findings.insert(0, may);
    for id in ["RT-08", "XX-99"] {
        failed.findings.push(Finding {
            requirement: id_of(id),
            level: Level::Must,
            step: String::new(),
            step_index: None,
            message: "the scenario could not go on: anna has no response".to_owned(),
        });
    }
    failed.exchanges[0].expected[1] =
        "router_eu->>cell_eu0: GET /my-company/my-project/-/issues X-Forwarded-For=127.0.0.1"
            .to_owned();
    (undrawn.step, undrawn.divergence) = ("Then anna gets a page (RT-08)".to_owned(), None);
    undrawn.expected.clear();
    undrawn.observed.push("user->>router_eu: UNSOLICITED -".to_owned());
    failed.exchanges.push(undrawn);
    let lines =
        ["GET /\n".repeat(20), "\u{1b}[2Jpanic: boom\u{7}\n".to_owned(), "GET /\n".repeat(30)];
    failed.logs.push(LogRecord { router: "router_eu".to_owned(), end: lines.concat() });
    report
}

fn trace() -> Trace {
    let stamp = |sequence| Stamp { sequence, at: Duration::from_millis(sequence) };
    let body = BodySeen { length: 9000, ..BodySeen::of(&"<b>body</b>".repeat(200).into()) };
    let line = |name: &str, value: &str| Field { name: name.into(), value: value.into() };
    let fields = vec![line("x-gitlab-cell-redirect", "{cell:Cell EU0}")];
    let (status, node) = (302, CellId::eu(1));
    let got = ReceivedResponse { status, fields: fields.clone(), body: body.clone() };
    let anna = UserRequest {
        id: ConformanceId("anna.1".to_owned()),
        person: "anna".to_owned(),
        gate: Gate::Router(Region::eu()),
        phase: Phase::Step(0),
        method: "GET".to_owned(),
        target: "/a'b".into(),
        fields: vec![line("X-Conformance-Id", "anna.1")],
        sent: stamp(1),
        response: Some(UserResponse { at: stamp(5), got: Ok(got) }),
        ..UserRequest::default()
    };
    let nina = UserRequest {
        id: ConformanceId("nina.1".to_owned()),
        person: "nina".to_owned(),
        gate: Gate::Router(Region::eu()),
        phase: Phase::Step(1),
        method: "GET".to_owned(),
        target: "/<b>".into(),
        raw: Some((&b"GET /<b>%41 HTTP/1.1\r\nA: \x00'\\\xff\r\n\r\n"[..]).into()),
        heard: vec!["cell_eu0: <hello>".to_owned()],
        interim: vec![103],
        sent: stamp(6),
        ..UserRequest::default()
    };
    let hop = Hop::made(node.clone(), Origin::User(0), stamp(2), "GET", "/a'b".into());
    let response = ResponseSeen { hop: hop.id, cell: node.clone(), status, fields, body };
    let hop = Hop {
        cell: CellId::eu(0),
        read: Some((stamp(3), BodySeen::of(&Default::default()))),
        response: Some((stamp(4), response)),
        ..hop
    };
    let action = |kind| Action::request(Person("anna".to_owned()), kind, Route::Default);
    let visit = RequestKind::Visit { target: "/a'b".to_owned() };
    Trace {
        actions: vec![action(visit), action(RequestKind::FollowRedirect)],
        default_router: Some(Region::eu()),
        sessions: vec![("anna".to_owned(), "anna".to_owned())],
        users: vec![anna, nina],
        hops: vec![hop],
        roles: [(node, CellId::eu(0))].into(),
        ..Trace::default()
    }
}

/// A report of an exploration that found one failure.
pub(crate) fn exploration() -> RunRecord {
    let mut report = report();
    report.scenarios.retain(|scenario| scenario.outcome.word == OutcomeWord::Failed);
    report.complaints.clear();
    report.profiles.truncate(1);
    report.profiles[0].outcomes = [(OutcomeWord::Failed, 1)].into();
    report.conclusion = Conclusion::NotConformant;
    report.exit_code = 1;
    let scenario = &mut report.scenarios[0];
    scenario.name = "own::bf_03_77::the_journey_77_keeps_bf_03[buffering]".to_owned();
    scenario.file = "found/BF-03-77.feature".to_owned();
    scenario.steps = vec![
        step("Given", "a cold EU router"),
        step("When", "anna visits \"/a\""),
        step("Then", "the model of the documents permits every exchange (BF-03)"),
    ];
    scenario.findings[0].step =
        "Then the model of the documents permits every exchange (BF-03)".to_owned();
    scenario.findings[0].step_index = Some(2);
    let observed = &mut scenario.exchanges[0];
    observed.step.clear();
    (observed.step_index, observed.divergence) = (None, None);
    observed.expected.clear();
    let text = concat!(
        "Feature: F\n\n  @buffering\n  Scenario: the journey 77 keeps BF-03\n",
        "    Given a cold EU router\n    When anna visits \"/a\"\n",
        "    Then the model of the documents permits every exchange (BF-03)\n"
    );
    report.features = Some(OwnFeatures {
        files: vec![OwnFeature {
            path: "BF-03-77.feature".to_owned(),
            file: "found/BF-03-77.feature".to_owned(),
            text: text.to_owned(),
        }],
    });
    report.exploration = Some(ExplorationRecord {
        journeys: [(Protocol::Buffering, 600), (Protocol::Learning, 400)].into(),
        planned: Some(1_000),
        skipped: 0,
        warnings: [(id_of("Z-03"), 3)].into(),
        warned: [(id_of("Z-03"), vec!["learning 64".to_owned()])].into(),
        left_out: vec![
            left_out("Z-13", None, LeftOutBy::Except),
            left_out("CA-10", Some(Protocol::Learning), LeftOutBy::KnownFailure),
        ],
        journeys_per_second: 61.5,
        shortening_ms: 2_000,
        options: ["--runs", "1000"].map(str::to_owned).into(),
        pairs: PairsRecord {
            states: vec![State::Cold, State::Warm, State::OwnerInTrouble],
            kinds: vec![
                PairsOfKind { kind: Kind::Visit, met: vec![1_200, 70, 0] },
                PairsOfKind { kind: Kind::ForgedFields, met: vec![3, 0, 1] },
            ],
        },
        found: vec![FoundRecord {
            scenario: report.scenarios[0].name.clone(),
            requirement: id_of("BF-03"),
            seed: 77,
            also: Vec::new(),
            after: 13,
            times: 21,
            repeated: 10,
            failed: 9,
            shortened: true,
            attempts: 40,
            budget_ms: 30_000,
            took_ms: 2_000,
            before: None,
            saved: Some("found/BF-03-77.feature".to_owned()),
        }],
        not_judged: vec![NotJudgedRecord {
            outcome: OutcomeWord::CouldNotRun,
            reason: "the port is taken".to_owned(),
            first: "5".to_owned(),
            journeys: 2,
        }],
    });
    report
}

fn left_out(id: &str, protocol: Option<Protocol>, by: LeftOutBy) -> LeftOutRecord {
    LeftOutRecord { requirement: id_of(id), protocol, by, journeys: 12 }
}

/// A report with the texts of a hostile router or a careless author.
pub(crate) fn hostile() -> RunRecord {
    const HOSTILE: &str = concat!(
        "]]> </failure> <script>alert(1)</script> & \" ' | ` ``` \u{0} \u{1b}[31m \u{fffe} ",
        "\r\n# g\u{fc}n --> <!-- \\|"
    );
    let mut report = report();
    report.router.name = HOSTILE.to_owned();
    report.complaints.push(HOSTILE.to_owned());
    for requirement in report.requirements.values_mut() {
        requirement.statement = HOSTILE.to_owned();
        requirement.section = HOSTILE.to_owned();
    }
    for scenario in &mut report.scenarios {
        for text in
            [&mut scenario.name, &mut scenario.title, &mut scenario.feature, &mut scenario.file]
        {
            text.push_str(HOSTILE);
        }
        for text in [&mut scenario.outcome.reason, &mut scenario.outcome.link].into_iter().flatten()
        {
            text.push_str(HOSTILE);
        }
        for finding in &mut scenario.findings {
            finding.message.push_str(HOSTILE);
        }
        for exchange in &mut scenario.exchanges {
            exchange.observed.push(HOSTILE.to_owned());
        }
        scenario.logs.push(LogRecord { router: HOSTILE.to_owned(), end: HOSTILE.to_owned() });
    }
    report
}

fn id_of(id: &str) -> RequirementId {
    id.parse().expect("a valid id")
}

fn step(keyword: &str, text: &str) -> StepRecord {
    StepRecord { keyword: keyword.to_owned(), text: text.to_owned(), doc: None }
}

fn scenario(name: &str, word: OutcomeWord) -> CaseRecord {
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    CaseRecord {
        name: format!("journeys::sample::{name}"),
        file: "journeys/01_sample.feature".to_owned(),
        line: 12,
        feature: "A sample".to_owned(),
        rule: None,
        title: name.replace('_', " "),
        protocol: match name.ends_with("[learning]") {
            true => Protocol::Learning,
            false => Protocol::Buffering,
        },
        profile: Profile::Core,
        has_router: true,
        tags: lines(&["req:BF-03", "buffering"]),
        requirements: ["BF-03", "RT-08"].map(id_of).into(),
        steps: vec![step("Then", "the exchange was (BF-03)")],
        outcome: word.into(),
        began_ms: 0,
        took_ms: 1_500,
        findings: Vec::new(),
        stalled: None,
        earlier: Vec::new(),
        exchanges: vec![ExchangeRecord {
            step: "Then the exchange was (BF-03)".to_owned(),
            step_index: Some(0),
            expected: lines(&["user->>router_eu: GET /a", "router_eu->>cell_eu0: GET /a"]),
            observed: lines(&["user->>router_eu: GET /a"]),
            hops: vec![None],
            divergence: None,
        }],
        trace: None,
        logs: Vec::new(),
    }
}

fn violating(mut scenario: CaseRecord, id: &str, level: Level) -> CaseRecord {
    let step = "Then the exchange was (BF-03)".to_owned();
    let message = "nothing more was observed".to_owned();
    scenario.exchanges[0].divergence = Some(Divergence {
        requirement: None,
        expected: Some(1),
        observed: None,
        why: message.clone(),
    });
    scenario.findings.push(Finding {
        requirement: id_of(id),
        level,
        step,
        step_index: Some(0),
        message,
    });
    scenario
}

fn because(mut scenario: CaseRecord, reason: &str, link: Option<&str>) -> CaseRecord {
    scenario.outcome.reason = Some(reason.to_owned());
    scenario.outcome.link = link.map(str::to_owned);
    scenario
}
