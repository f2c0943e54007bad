//! Plays drawn mutants until something sees each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io};

use broken_routers::Protocols;
use broken_routers::deviation::{Draw, Seam};
use cell_fleet::Protocol;

use super::super::Setup;
use super::super::mutant::{broken_router, follows};
use super::allowed;
use super::row::{Fate, Row};
use crate::explore::Prepared;
use conformance_suite::catalog::Case;
use conformance_suite::engine::pool::{self, Progress};
use conformance_suite::engine::run_all;
use conformance_suite::ledger::Ledger;
use conformance_suite::router_file::reference_claims;
use conformance_suite::run::run;
use conformance_suite::stage::{Launch, RouterCommand, Waits, launch};
use conformance_suite::verdict::Outcome;

/// Scenarios that tell which mutants anything kills.
const CONTROLS: usize = 20;
/// How many scenarios and journeys an allowed mutant plays beside them: it should pass them all.
const OF_ALLOWED: (usize, usize) = (60, 20);
/// Mutants side by side, for each job of a working router: many wait for what never comes.
const AT_ONCE: usize = 2;

/// A round: mutants, what they meet, and what has been learnt of it.
#[derive(Debug)]
pub struct Round<'a> {
    setup: Setup<'a>,
    journeys: &'a Prepared,
    /// The scenarios that the base passes, the quickest first.
    scenarios: BTreeMap<&'static str, Vec<&'a Case>>,
    /// How many mutants of a seam a scenario has killed.
    kills: Mutex<HashMap<(Seam, &'a str), usize>>,
    /// Whether the base passes a case twice, where that was asked.
    sound: Mutex<HashMap<String, bool>>,
    reports: PathBuf,
    problems: Mutex<Vec<String>>,
}

/// What a mutant's report says: whether its deviation happened, and whether it changed anything.
struct Done {
    fired: bool,
    changed: bool,
}

impl<'a> Round<'a> {
    /// Prepares a round: the base plays every scenario with a router.
    ///
    /// # Errors
    ///
    /// Where there is no place for the reports of mutants.
    pub fn new(setup: Setup<'a>, journeys: &'a Prepared) -> io::Result<Self> {
        let reports = std::env::temp_dir().join(format!("drawn-mutants-{}", std::process::id()));
        fs::create_dir_all(&reports)?;
        let all = &setup.catalog.cases;
        let applies = |case: &&Case| case.needs().router && reference_claims(case.capability());
        let cases: Vec<Case> = all.iter().filter(applies).cloned().collect();
        let ended = run_all(&cases, &base(&setup), Ledger::embedded(), setup.jobs, |_| {});
        let mut passed: Vec<(Duration, &str)> = ended
            .iter()
            .filter(|one| one.verdict.outcome == Outcome::Passed)
            .map(|one| (one.took, one.case.name.as_str()))
            .collect();
        passed.sort();
        let mut scenarios: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (_, name) in &passed {
            if let Some(case) = all.iter().find(|case| case.name == **name) {
                scenarios.entry(case.protocol.as_str()).or_default().push(case);
            }
        }
        Ok(Self {
            setup,
            journeys,
            scenarios,
            kills: Mutex::default(),
            sound: Mutex::default(),
            reports,
            problems: Mutex::default(),
        })
    }

    /// Plays these mutants. `tell` hears of each as soon as it is done, since some take long; when it
    /// breaks, nothing more starts. The rows are in the order of the draws.
    pub fn play(&self, draws: &[Draw], mut tell: impl FnMut(&Row) -> ControlFlow<()>) -> Vec<Row> {
        let work = |draw: &Draw, _: &_| self.row(draw);
        let stop = self.setup.stop;
        let mut whole = BTreeSet::new();
        let rows = pool::run(
            AT_ONCE * self.setup.jobs,
            draws,
            |_| None,
            work,
            |progress| match progress {
                _ if stop.reason().is_some() => ControlFlow::Break(()),
                Progress::Finished(index, Ok(row)) => {
                    whole.insert(index);
                    tell(row)
                }
                _ => ControlFlow::Continue(()),
            },
        );
        // The end cuts the others short, and says nothing of them.
        let is_kept = |index: &usize| stop.reason().is_none() || whole.contains(index);
        let each = rows.into_iter().zip(draws).enumerate();
        each.filter(|(index, _)| is_kept(index))
            .filter_map(|(_, (row, draw))| {
                row.inspect_err(|why| self.problem(format!("{}: {why}", draw.seed))).ok()
            })
            .collect()
    }

    /// What went wrong: scenarios in which the suite failed, and what is allowed and fails.
    pub fn problems(&self) -> Vec<String> {
        locked(&self.problems).clone()
    }

    fn problem(&self, why: String) {
        locked(&self.problems).push(why);
    }

    /// Plays one mutant.
    fn row(&self, draw: &Draw) -> Row {
        let line = allowed::line_for(draw);
        let mutant = self.launch(draw);
        let own = self.scenarios.get(draw.protocol.to_string().as_str());
        let own = own.map(Vec::as_slice).unwrap_or_default();
        // Spread over all that are quick.
        let quick = &own[..own.len() / 2];
        let controls: Vec<_> =
            quick.iter().step_by((quick.len() / CONTROLS).max(1)).take(CONTROLS).collect();
        let (mut failed, mut killer) = (0, None);
        for (played, case) in controls.iter().enumerate() {
            if self.fails(case, &mutant) {
                failed += 1;
                killer = killer.or_else(|| self.kills(case, &mutant).then_some(**case));
            }
            let left = controls.len() - played - 1;
            if 2 * failed > controls.len() || (2 * (failed + left) <= controls.len() && failed > 0)
            {
                break;
            }
        }
        let is_coarse = 2 * failed > controls.len();
        let (most, journeys) = match line {
            Some(_) => OF_ALLOWED,
            None => (own.len(), self.journeys.count()),
        };
        let seam = draw.deviation.seam;
        let killer = killer.or_else(|| {
            self.in_order(own, seam)
                .into_iter()
                .take(most)
                .find(|case| self.fails(case, &mutant) && self.kills(case, &mutant))
        });
        let fate = match killer {
            Some(case) => {
                *locked(&self.kills).entry((seam, &case.name)).or_default() += 1;
                Fate::Scenarios(case.name.clone())
            }
            None => self.explored(draw, &mutant, journeys),
        };
        let done = self.done(draw);
        let fate = match (line, fate) {
            (Some(line), Fate::Survived) => Fate::Allowed(line.name.clone()),
            (Some(line), Fate::Scenarios(by) | Fate::Exploration(by)) => {
                let (name, seed) = (&line.name, draw.seed);
                self.problem(format!("{seed} is allowed by {name}, and fails {by}"));
                Fate::Allowed(line.name.clone())
            }
            (None, Fate::Survived) if !done.fired => Fate::NeverFired,
            (_, fate) => fate,
        };
        Row { draw: *draw, fate, is_coarse, has_changed: done.changed }
    }

    /// Plays journeys until one fails.
    fn explored(&self, draw: &Draw, mutant: &Launch, most: usize) -> Fate {
        let protocol = protocol_of(draw);
        for number in 0..most {
            let Some(Ok(case)) = self.journeys.get(protocol, number) else { continue };
            if self.fails(case, mutant) && self.kills(case, mutant) {
                let id = self.journeys.id(number).map(|id| id.to_string()).unwrap_or_default();
                return Fate::Exploration(id);
            }
        }
        Fate::Survived
    }

    /// Scenarios in the order in which they have killed so far: mutants of this seam, then others.
    fn in_order(&self, cases: &[&'a Case], seam: Seam) -> Vec<&'a Case> {
        let kills = locked(&self.kills);
        let mut of_any: HashMap<&str, usize> = HashMap::new();
        kills.iter().for_each(|((_, name), times)| *of_any.entry(name).or_default() += times);
        let mut cases = cases.to_vec();
        cases.sort_by_cached_key(|case| {
            let name = case.name.as_str();
            let of_seam = kills.get(&(seam, name)).copied().unwrap_or_default();
            Reverse((of_seam, of_any.get(name).copied().unwrap_or_default()))
        });
        cases
    }

    /// Whether a case that failed once fails again, and is one that the base passes twice.
    fn kills(&self, case: &Case, mutant: &Launch) -> bool {
        self.fails(case, mutant) && self.is_sound(case)
    }

    fn is_sound(&self, case: &Case) -> bool {
        if let Some(known) = locked(&self.sound).get(&case.name) {
            return *known;
        }
        let base = base(&self.setup);
        let sound = (0..2).all(|_| self.outcome(case, &base) == Outcome::Passed);
        locked(&self.sound).insert(case.name.clone(), sound);
        sound
    }

    /// Whether a requirement is violated. Trouble of the suite is no violation.
    fn fails(&self, case: &Case, router: &Launch) -> bool {
        match self.outcome(case, router) {
            Outcome::Failed | Outcome::Warned => true,
            Outcome::SuiteError(why) => {
                self.problem(format!("{}: {why}", case.name));
                false
            }
            _ => false,
        }
    }

    fn outcome(&self, case: &Case, router: &Launch) -> Outcome {
        run(case, router, Ledger::embedded(), &Arc::default()).outcome
    }

    fn launch(&self, draw: &Draw) -> Launch {
        let report = self.report(draw);
        mutant(&self.setup, draw, &["--report".into(), report.into()])
    }

    fn report(&self, draw: &Draw) -> PathBuf {
        self.reports.join(draw.seed.to_string())
    }

    fn done(&self, draw: &Draw) -> Done {
        let text = fs::read_to_string(self.report(draw)).unwrap_or_default();
        let has = |word: &str| text.lines().any(|line| line == word);
        Done { fired: has("fired"), changed: has("changed") }
    }
}

impl Drop for Round<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.reports);
    }
}

/// Whether the scenario that killed a mutant in an earlier round still does.
///
/// # Errors
///
/// Says why not.
pub fn still_kills(setup: &Setup<'_>, row: &Row) -> Result<(), String> {
    let Fate::Scenarios(name) = &row.fate else { return Err("no scenario killed it".to_owned()) };
    let mut cases = setup.catalog.cases.iter();
    let case = cases.find(|case| case.name == *name).ok_or("there is no such scenario")?;
    let router = mutant(setup, &row.draw, &[]);
    match run(case, &router, Ledger::embedded(), &Arc::default()).outcome {
        Outcome::Failed | Outcome::Warned => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// A drawn mutant, with more arguments.
fn mutant(setup: &Setup<'_>, draw: &Draw, more: &[OsString]) -> Launch {
    let RouterCommand { program, mut arguments } = broken_router(setup.program, "generated");
    arguments.extend(["--seed".into(), draw.seed.to_string().into()]);
    arguments.extend_from_slice(more);
    let command = RouterCommand { program, arguments };
    of(setup, command)
}

/// The base without any deviation.
fn base(setup: &Setup<'_>) -> Launch {
    let command = broken_router(setup.program, "plain");
    of(setup, command)
}

fn of(setup: &Setup<'_>, command: RouterCommand) -> Launch {
    Launch { waits: Waits::impatient(), stop: setup.stop.clone(), ..launch(command, 1) }
}

fn protocol_of(draw: &Draw) -> Protocol {
    let own = match draw.protocol {
        broken_routers::Protocol::Buffering => Protocols::Buffering,
        broken_routers::Protocol::Learning => Protocols::Learning,
    };
    let mut all = Protocol::ALL.into_iter();
    all.find(|protocol| follows(own, *protocol)).unwrap_or(Protocol::Buffering)
}

/// A panic leaves the guarded data whole: each change is one insertion or one addition.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
