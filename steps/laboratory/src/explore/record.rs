//! The record of an exploration: its counts, and its failures as scenarios with their texts.

use strum::VariantArray as _;

use super::exploration::Exploration;
use super::explored::{Cause, Explored, Found, Trouble};
use super::left_out::LeftOut;
use super::pairs::Pairs;
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::{
    CaseRecord, ExplorationRecord, FoundRecord, IncompleteRecord, LeftOutRecord, NotJudgedRecord,
    OwnFeature, OwnFeatures, PairsRecord, RunRecord, milliseconds, requirements_of, suite_with,
};
use conformance_suite::engine::settings;
use conformance_suite::judge::model::State;
use conformance_suite::ledger::{Ledger, RequirementId};
use conformance_suite::verdict::OutcomeWord;

/// The shortened journey of a failure as a feature file, not saved.
pub fn feature(found: &Found) -> OwnFeature {
    let Found { requirement, protocol, seed, .. } = found;
    let path = format!("{requirement}-{}-{seed}.feature", protocol.as_str());
    OwnFeature { file: path.clone(), path, text: described(found, Ledger::embedded()) }
}

/// The feature with words about the requirement that the journey violated.
fn described(found: &Found, ledger: &Ledger) -> String {
    let feature = found.shortest.feature();
    let Some((title, scenario)) = feature.split_once('\n') else { return feature };
    format!("{title}\n\n{}{scenario}", words(&found.requirement, ledger))
}

/// Free text about a violated requirement.
fn words(requirement: &RequirementId, ledger: &Ledger) -> String {
    let statement = ledger.row(requirement).map_or("", |row| &row.statement);
    let lines = [
        format!("A router violated {requirement}: {statement}"),
        "`cells-conformance run --features FILE` fails while it does.".to_owned(),
    ];
    let lines = lines.iter().flat_map(|line| textwrap::wrap(line, 96));
    lines.map(|line| format!("  {line}\n")).collect()
}

/// Makes the record. `features` are those of the failures, in their order, and those that were saved
/// name the file; `options` said what to explore, a word each.
///
/// # Errors
///
/// If a scenario cannot be read again: a fault of exploration.
pub fn record(
    plan: &Exploration<'_>,
    explored: &Explored,
    features: &[OwnFeature],
    options: Vec<String>,
) -> Result<RunRecord, String> {
    let ledger = Ledger::embedded();
    let own = OwnFeatures { files: features.to_vec() };
    let catalog = Catalog::of_own(own.clone());
    if let Some(error) = catalog.errors.first() {
        return Err(format!("a scenario that exploration wrote: {}", error.message));
    }
    let settings = settings(explored.began, plan.launch.seed, plan.jobs, Vec::new(), None);
    let mut record = RunRecord::empty(plan.subject.described.clone(), settings);
    record.suite = suite_with(Some(&own));
    record.run.took_ms = milliseconds(explored.took);
    let mut all_found = Vec::new();
    for (found, feature) in explored.found.iter().zip(features) {
        let case = catalog.cases.iter().find(|case| case.file == feature.file);
        let case = case.ok_or_else(|| format!("no scenario comes of {}", feature.file))?;
        let played = &found.shortest;
        record.scenarios.push(CaseRecord::of(
            case,
            &played.verdict,
            played.began,
            played.took,
            ledger,
            &mut record.bodies,
        ));
        all_found.push(found_record(found, &case.name, feature));
    }
    record.features = Some(own);
    record.requirements = requirements_of(&record.scenarios, ledger);
    record.incomplete = explored.ended_early.as_ref().map(|(by, why)| IncompleteRecord {
        ended_by: *by,
        reason: why.clone(),
        not_run: explored
            .planned
            .map_or(0, |planned| planned.saturating_sub(explored.total()) as usize),
    });
    record.exploration = Some(ExplorationRecord {
        journeys: explored.journeys.clone(),
        planned: explored.planned,
        skipped: explored.skipped,
        warnings: explored
            .warnings
            .iter()
            .map(|(requirement, (count, _))| (requirement.clone(), *count))
            .collect(),
        warned: explored
            .warnings
            .iter()
            .map(|(requirement, (_, first))| {
                let named =
                    first.iter().map(|(protocol, seed)| format!("{} {seed}", protocol.as_str()));
                (requirement.clone(), named.collect())
            })
            .collect(),
        left_out: explored.left_out.iter().map(left_out_record).collect(),
        journeys_per_second: (explored.per_second() * 10.0).round() / 10.0,
        shortening_ms: milliseconds(explored.shortening),
        options,
        pairs: pairs_record(&explored.pairs),
        found: all_found,
        not_judged: not_judged(&explored.trouble),
    });
    record.conclude(&catalog);
    Ok(record)
}

fn found_record(found: &Found, scenario: &str, feature: &OwnFeature) -> FoundRecord {
    // The original stands where no shorter journey failed when it was repeated.
    let is_original = found.original_repeats.is_some();
    let shortened = !is_original && found.shortest.journey != found.original.journey;
    FoundRecord {
        scenario: scenario.to_owned(),
        requirement: found.requirement.clone(),
        seed: found.seed,
        also: found.also.clone(),
        after: found.after,
        times: found.times,
        repeated: found.repeats.of,
        failed: found.repeats.failed,
        shortened,
        attempts: found.attempts,
        budget_ms: milliseconds(found.budget),
        took_ms: milliseconds(found.took),
        before: shortened.then(|| found.original.feature()),
        saved: (feature.file != feature.path).then(|| feature.file.clone()),
    }
}

fn left_out_record((one, journeys): &(LeftOut, u64)) -> LeftOutRecord {
    LeftOutRecord {
        requirement: one.requirement.clone(),
        protocol: one.protocol,
        by: one.by,
        journeys: *journeys,
    }
}

fn pairs_record(pairs: &Pairs) -> PairsRecord {
    PairsRecord { states: State::VARIANTS.to_vec(), kinds: pairs.table() }
}

/// What could not be judged: by cause, and what a router refuses by its reason too.
fn not_judged(trouble: &[Trouble]) -> Vec<NotJudgedRecord> {
    let mut all: Vec<NotJudgedRecord> = Vec::new();
    for Trouble { cause, why, seed, .. } in trouble {
        let outcome = match cause {
            Cause::Protocol => OutcomeWord::NotApplicable,
            Cause::Router => OutcomeWord::CouldNotRun,
            Cause::Suite => OutcomeWord::SuiteError,
        };
        let is_known = |one: &&mut NotJudgedRecord| {
            // Other reasons have ports and times.
            one.outcome == outcome && (*cause != Cause::Protocol || one.reason == *why)
        };
        match all.iter_mut().find(is_known) {
            Some(known) => known.journeys += 1,
            None => all.push(NotJudgedRecord {
                outcome,
                reason: why.clone(),
                first: seed.to_string(),
                journeys: 1,
            }),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Source;

    #[test]
    fn the_words_of_every_requirement_stand_in_a_feature() {
        let ledger = Ledger::embedded();
        let scenario = "\n  @buffering @req:RT-08\n  Scenario: the page arrives whole\n    \
             Given a cold EU router\n    When anna visits \"/my-company\"\n    \
             Then anna gets status 200 (RT-08)\n";
        for row in ledger.rows() {
            let text = format!("Feature: F\n\n{}{scenario}", words(&row.id, ledger));
            let catalog = Catalog::load([Source { path: "explored.feature", text: &text }]);
            assert!(catalog.errors.is_empty(), "{:?}\n{text}", catalog.errors);
            assert_eq!(catalog.cases.len(), 1, "{text}");
        }
    }
}
