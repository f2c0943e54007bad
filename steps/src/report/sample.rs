//! A small report with every outcome, for the tests of the writers.

use crate::action::Kind;
use crate::engine::Conclusion;
use crate::engine::record::{
    CaseRecord, DivergenceRecord, ExchangeRecord, ExplorationRecord, FindingRecord, FoundRecord,
    LogRecord, OutcomeRecord, OwnFeature, OwnFeatures, PairsOfKind, PairsRecord, ProfileVerdict,
    RequirementRecord, RouterRecord, RunRecord, RunSettings, StepRecord, SuiteRecord,
};
use crate::judge::model::State;
use crate::verdict::OutcomeWord;

/// A report of a router that a router file describes; the scenarios have no traces.
pub(crate) fn report() -> RunRecord {
    let scenarios = vec![
        scenario("a_project[buffering]", OutcomeWord::Passed),
        violating(scenario("a_warning[buffering]", OutcomeWord::Warned), "Z-03", "SHOULD"),
        violating(scenario("a_failure[buffering]", OutcomeWord::Failed), "BF-03", "MUST"),
        because(
            violating(scenario("known[buffering]", OutcomeWord::KnownFailure), "RT-08", "MUST"),
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
    let requirement = |profile: &str, level: &str| RequirementRecord {
        profile: profile.to_owned(),
        level: level.to_owned(),
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
        protocols: vec!["buffering".to_owned()],
        capabilities: vec!["exact-limits".to_owned()],
        ..RouterRecord::default()
    };
    let run = RunSettings {
        began: "2026-01-02T03:04:05Z".to_owned(),
        took_ms: 61_250,
        starts: None,
        seed: 7,
        jobs: 4,
        selection: Vec::new(),
        excluded: Vec::new(),
        platform: "linux-x86_64".to_owned(),
        part: None,
    };
    let verdict = |profile: &str, verdict: &str, outcomes| ProfileVerdict {
        profile: profile.to_owned(),
        verdict: verdict.to_owned(),
        outcomes,
    };
    RunRecord {
        suite: SuiteRecord {
            version: "0.1.0".to_owned(),
            features_digest: "f0".repeat(32),
            ledger_digest: "1e".repeat(32),
        },
        conclusion: Conclusion::SuiteFault,
        exit_code: 4,
        profiles: vec![
            verdict("core", "not conformant", outcomes),
            verdict("hardening", "not run", Default::default()),
        ],
        complaints: vec!["the known failure `x` matches no scenario that was run".to_owned()],
        requirements: [
            ("BF-03", "core", "MUST"),
            ("RT-08", "core", "MUST"),
            ("Z-03", "hardening", "SHOULD"),
        ]
        .map(|(id, profile, level)| (id.to_owned(), requirement(profile, level)))
        .into(),
        scenarios,
        ..RunRecord::empty(router, run)
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
    let step = |keyword: &str, text: &str| {
        let (keyword, text) = (keyword.to_owned(), text.to_owned());
        StepRecord { keyword, text, doc: None }
    };
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
        journeys: [("buffering".to_owned(), 600), ("learning".to_owned(), 400)].into(),
        planned: Some(1_000),
        depth: None,
        skipped: 0,
        shared: 600,
        shared_per_second: 120.0,
        warnings: [("Z-03".to_owned(), 3)].into(),
        warned: Default::default(),
        left_out: Vec::new(),
        journeys_per_second: 61.5,
        shortening_ms: 2_000,
        options: ["--runs", "1000"].map(str::to_owned).into(),
        weights_digest: Some("3e".repeat(32)),
        pairs: PairsRecord {
            states: vec![State::Cold, State::Warm, State::OwnerInTrouble],
            kinds: vec![
                PairsOfKind { kind: Kind::Visit, met: vec![1_200, 70, 0] },
                PairsOfKind { kind: Kind::ForgedFields, met: vec![3, 0, 1] },
            ],
        },
        found: vec![FoundRecord {
            scenario: report.scenarios[0].name.clone(),
            requirement: "BF-03".to_owned(),
            seed: Some(77),
            earlier: Vec::new(),
            number: None,
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
        not_judged: Vec::new(),
    });
    report
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
            finding.requirement.push_str(HOSTILE);
        }
        for exchange in &mut scenario.exchanges {
            exchange.observed.push(HOSTILE.to_owned());
        }
        scenario.logs.push(LogRecord { router: HOSTILE.to_owned(), end: HOSTILE.to_owned() });
    }
    report
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
        protocol: if name.ends_with("[learning]") { "learning" } else { "buffering" }.to_owned(),
        profile: "core".to_owned(),
        has_router: true,
        tags: lines(&["req:BF-03", "buffering"]),
        requirements: lines(&["BF-03", "RT-08"]),
        steps: vec![StepRecord {
            keyword: "Then".to_owned(),
            text: "the exchange was (BF-03)".to_owned(),
            doc: None,
        }],
        outcome: OutcomeRecord { word, reason: None, link: None },
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

fn violating(mut scenario: CaseRecord, id: &str, level: &str) -> CaseRecord {
    let step = "Then the exchange was (BF-03)".to_owned();
    let message = "nothing more was observed".to_owned();
    scenario.exchanges[0].divergence =
        Some(DivergenceRecord { expected: Some(1), observed: None, why: message.clone() });
    scenario.findings.push(FindingRecord {
        requirement: id.to_owned(),
        level: level.to_owned(),
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
