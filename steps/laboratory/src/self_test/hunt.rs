//! The blind hunt: mutants against journeys that exploration made up, with nothing known about the
//! mutants.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use cell_fleet::Protocol;

use super::mutant::MutantUnderTest;
use super::reasons::reasons;
use super::setup::Setup;
use crate::explore::{Prepared, Router, Told};
use conformance_suite::engine::Subject;
use conformance_suite::engine::pool::{self, Progress};
use conformance_suite::ledger::{Ledger, Level, Profile, RequirementId};
use conformance_suite::stage::{Launch, launch, reference_router};
use conformance_suite::verdict::{Outcome, Verdict};

/// Mutants that are hunted side by side, for each job of a working router. A journey is short, and
/// few of them wait.
const HUNTS: usize = 2;

/// After so many journeys in which the suite itself failed, the hunt for a mutant ends.
const MOST_ERRORS: usize = 5;

/// Why mutants are not found, kept by hand.
static NOT_FOUND: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| reasons(include_str!("../../fixtures/not-found-by-exploration.toml")));

/// Whether each journey has a router of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alone(pub bool);

/// How the hunt for one mutant went.
#[derive(Clone, Debug)]
pub struct HuntRun {
    /// The mutant.
    pub mutant: MutantUnderTest,
    /// The profile of the requirement that it breaks.
    pub profile: Profile,
    /// The level of that requirement.
    pub level: Level,
    /// How many journeys it played.
    pub journeys: usize,
    /// What gave it away, if anything did.
    pub trophy: Option<Trophy>,
    /// Journeys in which the suite itself failed, and why.
    pub suite_errors: Vec<String>,
}

/// What gave a mutant away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trophy {
    /// The protocol of the journey.
    pub protocol: Protocol,
    /// The requirements of the findings, each once, in the order in which they were found.
    pub requirements: Vec<RequirementId>,
}

impl HuntRun {
    /// Whether it breaks a requirement of the core that is a MUST.
    pub fn breaks_core_must(&self) -> bool {
        self.profile == Profile::Core && self.level == Level::Must
    }

    /// Takes the verdict of a journey, and breaks where no more are to be played.
    fn take(&mut self, protocol: Protocol, verdict: Verdict) -> ControlFlow<()> {
        match verdict.outcome {
            // A requirement that is no MUST shows as a warning.
            Outcome::Failed | Outcome::Warned | Outcome::KnownFailure { .. } => {
                let mut requirements: Vec<RequirementId> = Vec::new();
                for finding in verdict.findings {
                    if !requirements.contains(&finding.requirement) {
                        requirements.push(finding.requirement);
                    }
                }
                self.trophy = Some(Trophy { protocol, requirements });
                return ControlFlow::Break(());
            }
            Outcome::Passed | Outcome::NotApplicable(_) => {}
            Outcome::NotRun(why) => {
                self.suite_errors.push(why);
                return ControlFlow::Break(());
            }
            Outcome::SuiteError(why) | Outcome::CouldNotRun(why) | Outcome::NotAsked(why) => {
                self.suite_errors.push(why);
                if self.suite_errors.len() == MOST_ERRORS {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Why the mutant is not found, where that is known.
    pub fn why_not_found(&self) -> &'static str {
        NOT_FOUND.get(self.mutant.name).map_or("", String::as_str)
    }
}

impl Setup<'_> {
    /// Plays at most so many journeys with each mutant, until the first one that is not permitted:
    /// alone, or as the end of the shortest run of journeys that fails. For a mutant of both
    /// protocols, the protocols take turns. `tell` hears of each mutant in
    /// order; when it breaks, nothing more starts.
    pub fn hunt(
        &self,
        mutants: &[MutantUnderTest],
        journeys: (&Prepared, Alone),
        most: usize,
        mut tell: impl FnMut(&HuntRun) -> ControlFlow<()>,
    ) -> Vec<HuntRun> {
        let work = |mutant: &MutantUnderTest, _: &_| hunted(mutant, self, journeys, most);
        let mut done: Vec<Option<HuntRun>> = mutants.iter().map(|_| None).collect();
        let mut next = 0;
        pool::run(
            HUNTS * self.jobs,
            mutants,
            |_| None,
            work,
            |progress| {
                if self.stop.reason().is_some() {
                    return ControlFlow::Break(());
                }
                if let Progress::Finished(index, Ok(run)) = progress {
                    done[index] = Some(run.clone());
                }
                while let Some(Some(run)) = done.get(next) {
                    next += 1;
                    if tell(run).is_break() {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            },
        );
        done.into_iter().flatten().collect()
    }

    /// What is wrong with a hunt: errors of the suite, and journeys that the reference router itself
    /// does not pass, which would prove nothing.
    pub fn problems_of(
        &self,
        runs: &[HuntRun],
        (journeys, alone): (&Prepared, Alone),
    ) -> Vec<String> {
        let errors = runs.iter().flat_map(|run| {
            let name = run.mutant.name;
            run.suite_errors.iter().map(move |why| format!("suite error with {name}: {why}"))
        });
        let failed = self.not_permitted(journeys, alone).into_iter();
        errors
            .chain(failed.map(|why| format!("the reference router does not pass the {why}")))
            .collect()
    }

    /// The journeys that the reference router does not pass.
    fn not_permitted(&self, journeys: &Prepared, Alone(alone): Alone) -> Vec<String> {
        let subject = Subject::reference(self.program.to_owned());
        let launch = launch(reference_router(self.program.to_owned()), 1);
        let router = Router { subject: &subject, launch: &launch, alone };
        let groups: Vec<_> = Protocol::ALL
            .into_iter()
            .flat_map(|protocol| journeys.groups().map(move |group| (protocol, group)))
            .collect();
        let work = |(protocol, group): &(Protocol, Range<usize>), _: &_| {
            let mut failed = Vec::new();
            _ = journeys.play_group(&router, *protocol, group.clone(), &mut |told: Told| {
                let Told { protocol, name, verdict } = told;
                let why = match verdict.outcome {
                    Outcome::SuiteError(why) | Outcome::CouldNotRun(why) | Outcome::NotRun(why) => {
                        Some(why)
                    }
                    _ => verdict.findings.into_iter().next().map(|finding| finding.message),
                };
                let journey = format!("{} journey {name}", protocol.as_str());
                failed.extend(why.map(|why| format!("{journey}: {why}")));
                ControlFlow::Continue(())
            });
            failed
        };
        pool::run(2 * self.jobs, &groups, |_| None, work, |_| ControlFlow::Continue(()))
            .into_iter()
            .flat_map(|result| result.unwrap_or_else(|error| vec![error.to_string()]))
            .collect()
    }
}

/// Plays journeys with a mutant until one is not permitted. They share routers where they can, unless
/// each is to have a router of its own.
fn hunted(
    mutant: &MutantUnderTest,
    setup: &Setup<'_>,
    (journeys, Alone(alone)): (&Prepared, Alone),
    most: usize,
) -> HuntRun {
    let &Setup { program, stop, .. } = setup;
    let launch = Launch { stop: stop.clone(), ..mutant.launch(program) };
    let row = mutant.requirement.parse().ok().and_then(|id| Ledger::embedded().row(&id));
    let mut run = HuntRun {
        mutant: *mutant,
        profile: row.map_or(Profile::Hardening, |row| row.profile),
        level: row.map_or(Level::Must, |row| row.level),
        journeys: 0,
        trophy: None,
        suite_errors: Vec::new(),
    };
    // What is claimed decides which journeys cannot be played: a mutant claims what the base does.
    let subject = Subject::reference(program.to_owned());
    let router = Router { subject: &subject, launch: &launch, alone };
    _ = journeys.play(&router, &mutant.protocols(), |told| {
        run.journeys += 1;
        run.take(told.protocol, told.verdict)?;
        if run.journeys < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    run
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The published table.
    const TABLE: &str = include_str!("../../../../docs/blind-hunt.txt");

    /// Names in the rows of the table that begin with these words.
    fn rows(words: &str) -> BTreeSet<&'static str> {
        let rows = TABLE.lines().filter_map(|line| line.strip_prefix(words));
        rows.filter_map(|row| row.split_whitespace().nth(3)).collect()
    }

    /// How many mutants may be newer than the table: it takes long to make.
    const NEWER: usize = 25;

    #[test]
    fn the_table_has_the_routers_that_can_be_hunted() {
        let (found, not_found) = (rows("found "), rows("not found "));
        let table: BTreeSet<_> = found.union(&not_found).copied().collect();
        let mutants = MutantUnderTest::routers().filter(MutantUnderTest::can_be_hunted);
        let mutants: BTreeSet<_> = mutants.map(|mutant| mutant.name).collect();
        let stale: Vec<_> = table.difference(&mutants).collect();
        assert!(stale.is_empty(), "no such mutants: {stale:?}");
        assert!(table.len() + NEWER >= mutants.len(), "{} of {}", table.len(), mutants.len());
    }

    #[test]
    fn a_mutant_has_a_reason_exactly_if_it_is_not_found() {
        assert!(NOT_FOUND.values().all(|reason| !reason.ends_with('.')));
        let listed: BTreeSet<_> = NOT_FOUND.keys().map(String::as_str).collect();
        assert_eq!(listed, rows("not found "));
    }
}
