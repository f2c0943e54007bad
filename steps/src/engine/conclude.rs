//! Draws the conclusion of a record, from the outcomes of its cases and the claims of its router.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::{self, Claims, Scope};
use super::record::{
    CaseRecord, ExplorationRecord, ExploredBeside, ProfileVerdict, RequirementRecord, RunRecord,
};
use super::{Conclusion, known, unkept};
use crate::catalog::{Case, Catalog};
use crate::ledger::{Ledger, Level, Profile, RequirementId};
use crate::verdict::OutcomeWord;

impl RunRecord {
    /// Settles the claims of the router and draws the conclusion. No other function concludes a
    /// run. `catalog` is the one that the cases were selected from.
    pub fn conclude(&mut self, catalog: &Catalog) {
        let claims = Claims::recorded(&self.router);
        let is_shard = self.run.part.as_ref().is_some_and(|part| part.shard().is_some());
        let scope = match (is_shard, &self.exploration) {
            (true, _) => Scope::Shard(&catalog.cases),
            // Entries of the router file are about scenarios that an exploration does not run.
            (false, Some(_)) => Scope::One,
            (false, None) => Scope::Among(&catalog.cases),
        };
        self.settle(&claims, scope);
        if !catalog.errors.is_empty() {
            self.set(Conclusion::SuiteFault);
            self.complaints.extend(catalog.errors.iter().map(|fault| fault.message.clone()));
        }
    }

    /// Adds an exploration to the record of a run, and draws the conclusion of both. `catalog` is
    /// the one of the run.
    pub fn add_exploration(&mut self, explored: Self, catalog: &Catalog) -> Result<(), String> {
        let (Some(exploration), Some(features)) = (explored.exploration, explored.features) else {
            return Err("what is to be added is no exploration".to_owned());
        };
        self.scenarios.extend(explored.scenarios);
        self.bodies.extend(explored.bodies);
        self.requirements.extend(explored.requirements);
        self.run.took_ms += explored.run.took_ms;
        self.explored = Some(ExploredBeside { exploration, features });
        self.conclude(catalog);
        Ok(())
    }

    /// Settles the claims on the cases of this scope, and draws the conclusion.
    pub(super) fn settle(&mut self, claims: &Claims, scope: Scope<'_>) {
        self.complaints = claims::settle(&mut self.scenarios, claims, scope);
        let outcomes = self.scenarios.iter().map(|case| case.outcome.word);
        let conclusion = match scope {
            Scope::Shard(_) => Conclusion::weigh_shard(outcomes),
            Scope::Among(_) | Scope::One => Conclusion::of(outcomes),
        };
        let conclusion = match self.complaints.is_empty() {
            true => conclusion,
            false => conclusion.max(Conclusion::NotConformant),
        };
        self.flaky = claims::flaky(&self.scenarios, claims);
        let is_own = self.features.is_some();
        let conclusion = match &self.exploration {
            Some(exploration) if self.complaints.is_empty() => self.weigh_exploration(exploration),
            _ => conclusion,
        };
        // A violation that exploration finds is a scenario of the record; what it could not judge
        // shows here.
        let conclusion = match &self.explored {
            Some(beside) => match self.weigh_exploration(&beside.exploration) {
                explored if explored.is_good() => conclusion,
                explored => conclusion.max(explored),
            },
            None => conclusion,
        };
        // A shard, a single case and custom features say nothing of the whole router.
        let (conclusion, too_much) = match scope {
            Scope::Among(all) if !is_own => {
                let too_much = known::too_much(&self.scenarios, claims, all);
                let unkept = unkept::claims(&self.scenarios, claims, all);
                let conclusion = match conclusion.is_good() {
                    true if !too_much.is_empty() => Conclusion::NotConformant,
                    true if !self.asks_the_router() => Conclusion::Incomplete,
                    true if !unkept.is_empty() => Conclusion::NotAsClaimed,
                    _ => conclusion,
                };
                self.complaints.extend(unkept);
                (conclusion, too_much)
            }
            _ => (conclusion, Vec::new()),
        };
        let in_part = self.in_part(claims, scope);
        let conclusion = match scope {
            Scope::One => conclusion.max(Conclusion::NoFailure),
            Scope::Among(all) | Scope::Shard(all) => {
                // The profile fleet is about the suite's own cells.
                let is_part = in_part.iter().any(|profile| *profile != Profile::Fleet);
                let ran = self.scenarios.iter().filter(|case| case.outcome.word.was_run()).count();
                let of = (!is_own).then_some(all.len());
                if is_part { conclusion.in_part(ran, of) } else { conclusion }
            }
        };
        self.set(conclusion);
        let verdict = |profile| {
            let mut of = verdict_of(profile, &self.scenarios, &self.requirements);
            if in_part.contains(&profile) {
                of.verdict = of.verdict.on_profile_in_part();
            } else if profile == Profile::Core
                && !too_much.is_empty()
                && of.verdict != Conclusion::SuiteFault
            {
                of.verdict = Conclusion::NotConformant;
            }
            of
        };
        self.profiles = Profile::ALL.into_iter().map(verdict).collect();
        self.complaints.extend(too_much);
    }

    /// The profiles of which the record has not every scenario that the router claims.
    fn in_part(&self, claims: &Claims, scope: Scope<'_>) -> Vec<Profile> {
        let Scope::Among(all) = scope else { return Profile::ALL.to_vec() };
        if self.features.is_some() {
            return Profile::ALL.to_vec();
        }
        let has: BTreeSet<_> = self.scenarios.iter().map(|case| case.name.as_str()).collect();
        let ledger = Ledger::embedded();
        let is_missing = |case: &Case| {
            !has.contains(case.name.as_str()) && claims.not_applicable(case).is_none()
        };
        let is_in_part = |profile: &Profile| {
            all.iter().any(|case| case.profile(ledger) == *profile && is_missing(case))
        };
        Profile::ALL.into_iter().filter(is_in_part).collect()
    }

    /// Whether a case was run in which the router has a place. A run of the fleet alone says
    /// nothing of the router.
    pub(crate) fn asks_the_router(&self) -> bool {
        self.scenarios.iter().any(|case| case.has_router && case.outcome.word.was_run())
    }

    /// The conclusion of an exploration: by the failures that it found, the journeys that passed,
    /// and those that could not be judged, where these are more than a tenth. A violation stays one,
    /// whatever else was not judged. An exploration that was ended early has no conclusion without a
    /// failure.
    fn weigh_exploration(&self, exploration: &ExplorationRecord) -> Conclusion {
        let mut outcomes: Vec<_> = self.scenarios.iter().map(|case| case.outcome.word).collect();
        if outcomes.contains(&OutcomeWord::Failed) {
            return Conclusion::NotConformant;
        }
        if exploration.all() > 0 {
            outcomes.push(OutcomeWord::Passed);
        }
        outcomes.extend(exploration.not_judged.iter().map(|some| match some.outcome {
            OutcomeWord::NotApplicable | OutcomeWord::NotAsked => OutcomeWord::NotApplicable,
            // Journeys are drawn by chance: few that a busy machine spoiled leave nothing out.
            OutcomeWord::CouldNotRun if 10 * some.journeys <= exploration.all() => {
                OutcomeWord::Passed
            }
            OutcomeWord::CouldNotRun => OutcomeWord::CouldNotRun,
            _ => OutcomeWord::SuiteError,
        }));
        if self.incomplete.is_some() {
            outcomes.push(OutcomeWord::NotRun);
        }
        Conclusion::of(outcomes)
    }

    fn set(&mut self, conclusion: Conclusion) {
        self.conclusion = conclusion;
        self.exit_code = conclusion.exit_code().code();
    }
}

/// The verdict of one profile: by the cases whose main requirement is of it, and by the findings
/// about its requirements in any case.
fn verdict_of(
    profile: Profile,
    cases: &[CaseRecord],
    requirements: &BTreeMap<RequirementId, RequirementRecord>,
) -> ProfileVerdict {
    let mut outcomes = BTreeMap::new();
    for case in cases.iter().filter(|case| case.profile == profile) {
        *outcomes.entry(case.outcome.word).or_default() += 1;
    }
    let counted = cases.iter().filter_map(|case| counts_as(case, profile, requirements));
    let verdict = match Conclusion::worst(counted) {
        Some(worst) => worst,
        None if outcomes.contains_key(&OutcomeWord::NotAsked) => Conclusion::NotAsked,
        None => Conclusion::NotRun,
    };
    ProfileVerdict { profile, verdict, outcomes }
}

/// The outcome that a case has for a profile; `None` if it says nothing about it.
fn counts_as(
    case: &CaseRecord,
    profile: Profile,
    requirements: &BTreeMap<RequirementId, RequirementRecord>,
) -> Option<OutcomeWord> {
    let is_of = case.profile == profile;
    // A fault of the cells can show through a router, but such a failure counts as the router's: it
    // leaves open what the cells do.
    let is_routers = profile == Profile::Fleet && case.has_router;
    let mut rows = case.findings.iter().filter_map(|found| requirements.get(&found.requirement));
    let mut violates = || rows.any(|row| row.profile == profile && row.level == Level::Must);
    match case.outcome.word {
        word @ (OutcomeWord::Passed | OutcomeWord::NotAsked) => is_of.then_some(word),
        OutcomeWord::Failed if is_routers => is_of.then_some(OutcomeWord::CouldNotRun),
        _ if is_routers => None,
        // A case whose main requirement is of the profile has to pass, whatever failed in it.
        word @ (OutcomeWord::Failed | OutcomeWord::KnownFailure) => {
            (is_of || violates()).then_some(word)
        }
        word => is_of.then_some(word),
    }
}

#[cfg(test)]
mod tests;
