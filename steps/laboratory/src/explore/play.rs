//! Plays journeys: one with its own router, or several that share one.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::batch::{fit, joined, journey_of, length};
use super::exploration::{Exploration, played};
use super::pairs::Met;
use super::source::Drawn;
use conformance_suite::judge::model::violated_in;
use conformance_suite::ledger::RequirementId;
use conformance_suite::run::planned_for;
use conformance_suite::verdict::{Outcome, Verdict};

/// A journey that has run.
pub(super) struct Ran {
    pub(super) drawn: Drawn,
    pub(super) verdict: Verdict,
    /// Whether the router cannot run it, by what it claims or by how it is started.
    pub(super) skipped: bool,
    /// Whether it shared a router with others, and needed none of its own.
    pub(super) shared: bool,
    /// The pairs that it met.
    pub(super) met: Vec<Met>,
    pub(super) began: Duration,
    /// How long it took; of journeys that shared a router, each took the same part.
    pub(super) took: Duration,
}

/// Journeys with their numbers.
type Numbered = Vec<(u64, Drawn)>;

/// A run of journeys that shared a router.
struct Run {
    /// The run as one journey.
    drawn: Drawn,
    /// The numbers of actions of its journeys.
    lengths: Vec<usize>,
}

impl Run {
    fn of(journeys: &[(u64, Drawn)]) -> Option<Self> {
        let (_, last) = journeys.last()?;
        let journey = joined(journeys.iter().map(|(_, drawn)| &drawn.journey))?;
        let earlier = &journeys[..journeys.len() - 1];
        let earlier = earlier.iter().map(|(_, drawn)| drawn.seed).collect();
        let lengths = journeys.iter().map(|(_, drawn)| length(&drawn.journey)).collect();
        Some(Self { drawn: Drawn::after(earlier, last.seed, last.protocol, journey), lengths })
    }
}

impl Exploration<'_> {
    /// Parts journeys into those that share a router and those that need one of their own.
    pub(super) fn parted(&self, journeys: Numbered) -> (Numbered, Numbered) {
        let mut shared: Numbered = Vec::new();
        let mut alone = Vec::new();
        for (number, drawn) in journeys {
            let fits = shared.iter().all(|(_, other)| fit(&other.journey, &drawn.journey));
            let is_skipped =
                || drawn.case.as_ref().is_ok_and(|it| self.subject.skips(it).is_some());
            let shares = !self.alone && drawn.can_share() && fits && !is_skipped();
            if shares { shared.push((number, drawn)) } else { alone.push((number, drawn)) }
        }
        if shared.len() < 2 {
            alone.append(&mut shared);
        }
        (shared, alone)
    }

    /// Plays a journey and counts what it met. The trace is kept only where it is needed.
    pub(super) fn play(&self, drawn: Drawn, clock: Instant) -> Ran {
        let began = clock.elapsed();
        let skips = drawn.case.as_ref().ok().and_then(|case| self.subject.skips(case));
        let skipped = skips.is_some();
        let mut verdict = match (&drawn.case, skips) {
            (_, Some(outcome)) => Verdict::of(outcome),
            (Ok(case), None) => played(case, self.launch, self.ledger),
            (Err(why), None) => Verdict::of(Outcome::SuiteError(why.clone())),
        };
        let mut met = Vec::new();
        if let (Some(trace), Ok(case)) = (&verdict.trace, &drawn.case)
            && let Ok(plan) = planned_for(case)
        {
            met = Met::of(trace, &plan);
        }
        if verdict.outcome != Outcome::Failed {
            drop_trace(&mut verdict);
        }
        let took = clock.elapsed().saturating_sub(began);
        Ran { drawn, verdict, skipped, shared: false, met, began, took }
    }

    /// Plays journeys one after another with one router, and hands over each, until that breaks.
    /// What follows a router that died, or a journey that could not go on, gets another router.
    pub(super) fn play_shared(
        &self,
        mut left: Numbered,
        clock: Instant,
        mut hand_over: impl FnMut(u64, Ran) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while left.len() > 1 {
            let Some(rest) = self.play_run(&mut left, clock, &mut hand_over) else { break };
            left = rest?;
        }
        left.into_iter().try_for_each(|(number, drawn)| hand_over(number, self.play(drawn, clock)))
    }

    /// Plays a run, hands over the journeys that were played, and returns the others unless that
    /// breaks; `None` where no journey could be judged.
    fn play_run(
        &self,
        journeys: &mut Numbered,
        clock: Instant,
        hand_over: &mut impl FnMut(u64, Ran) -> ControlFlow<()>,
    ) -> Option<ControlFlow<(), Numbered>> {
        let run = Run::of(journeys)?;
        let case = run.drawn.case.as_ref().ok()?;
        let plan = planned_for(case).ok()?;
        let began = clock.elapsed();
        let verdict = played(case, self.launch, self.ledger);
        let took = clock.elapsed().saturating_sub(began);
        let is_judged =
            matches!(verdict.outcome, Outcome::Passed | Outcome::Warned | Outcome::Failed);
        let trace = verdict.trace.as_ref().filter(|_| is_judged)?.clone();
        let last = journey_of(&run.lengths, trace.actions.len().checked_sub(1)?);
        let rest = journeys.split_off(last + 1);
        let mut met = Met::of(&trace, &plan);
        let mut violated: Vec<Vec<RequirementId>> = vec![Vec::new(); last + 1];
        for (id, action) in violated_in(&plan, &trace) {
            violated[journey_of(&run.lengths, action).min(last)].push(id);
        }
        // What no request shows, like the end of a process, is looked for from the last journey on.
        let others = verdict.findings.iter().filter(|finding| finding.step.is_none());
        violated[last].extend(others.map(|finding| finding.requirement.clone()));
        let share = took / u32::try_from(last + 1).unwrap_or(1);
        let all = std::mem::take(journeys);
        for (place, ids) in violated.into_iter().enumerate() {
            let sought: BTreeSet<_> = ids
                .iter()
                .filter(|id| self.is_failure(id, all[place].1.protocol))
                .cloned()
                .collect();
            let (number, drawn) = &all[place];
            let mut ran = if sought.is_empty() {
                let verdict = weighed(&ids, &verdict);
                let drawn = drawn.clone();
                Ran {
                    drawn,
                    verdict,
                    skipped: false,
                    shared: true,
                    met: Vec::new(),
                    began,
                    took: share,
                }
            } else {
                self.again(&all[..=place], &sought, clock).unwrap_or_else(|| {
                    let (drawn, verdict) = (run.drawn.clone(), verdict.clone());
                    Ran {
                        drawn,
                        verdict,
                        skipped: false,
                        shared: true,
                        met: Vec::new(),
                        began,
                        took,
                    }
                })
            };
            ran.met.append(&mut met);
            if hand_over(*number, ran).is_break() {
                return Some(ControlFlow::Break(()));
            }
        }
        Some(ControlFlow::Continue(rest))
    }

    /// Repeats the last journey alone, then after more and more of those before it, until one of
    /// these requirements is violated; `None` if none of the runs does.
    fn again(
        &self,
        journeys: &[(u64, Drawn)],
        sought: &BTreeSet<RequirementId>,
        clock: Instant,
    ) -> Option<Ran> {
        let runs = (0..journeys.len()).rev().filter_map(|from| Run::of(&journeys[from..]));
        for run in runs {
            let ran = self.play(run.drawn, clock);
            let is_sought = ran.verdict.findings.iter().any(|it| sought.contains(&it.requirement));
            if is_sought && matches!(ran.verdict.outcome, Outcome::Failed | Outcome::Warned) {
                return Some(Ran { shared: run.lengths.len() > 1, met: Vec::new(), ..ran });
            }
        }
        None
    }
}

/// The verdict of a journey that violates these, as far as it is counted.
fn weighed(ids: &[RequirementId], of_run: &Verdict) -> Verdict {
    if ids.is_empty() {
        return Verdict::of(Outcome::Passed);
    }
    let findings = of_run.findings.iter().filter(|it| ids.contains(&it.requirement));
    Verdict { findings: findings.cloned().collect(), ..Verdict::of(Outcome::Warned) }
}

fn drop_trace(verdict: &mut Verdict) {
    verdict.trace = None;
    verdict.exchanges.clear();
    verdict.logs.clear();
}
