//! The record of an exploration: its counts, and its failures as scenarios with their texts.

use strum::VariantArray as _;

use super::exploration::Exploration;
use super::explored::{Explored, Found};
use conformance_suite::catalog::Catalog;
use conformance_suite::engine::record::{
    CaseRecord, ExplorationRecord, FoundRecord, IncompleteRecord, OwnFeature, OwnFeatures,
    PairsRecord, RunRecord, milliseconds, requirements_of, suite_with,
};
use conformance_suite::engine::settings;
use conformance_suite::judge::model::State;
use conformance_suite::ledger::{Ledger, RequirementId};

/// The shortened journey of a failure as a feature file, not saved.
pub fn feature(found: &Found) -> OwnFeature {
    let FoundRecord { requirement, seed, .. } = &found.record;
    let path = format!("{requirement}-{}-{seed}.feature", found.protocol.as_str());
    OwnFeature { file: path.clone(), path, text: described(found, Ledger::embedded()) }
}

/// The feature with words about the requirement that the journey violated.
fn described(found: &Found, ledger: &Ledger) -> String {
    let feature = found.shortest.feature();
    let Some((title, scenario)) = feature.split_once('\n') else { return feature };
    format!("{title}\n\n{}{scenario}", words(&found.record.requirement, ledger))
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
        all_found.push(FoundRecord {
            scenario: case.name.clone(),
            saved: (feature.file != feature.path).then(|| feature.file.clone()),
            ..found.record.clone()
        });
    }
    record.features = Some(own);
    record.requirements = requirements_of(&record.scenarios, ledger);
    record.incomplete = explored.ended_early.as_ref().map(|(by, why)| IncompleteRecord {
        ended_by: *by,
        reason: why.clone(),
        not_run: explored
            .counted
            .planned
            .map_or(0, |planned| planned.saturating_sub(explored.total()) as usize),
    });
    record.exploration = Some(ExplorationRecord {
        journeys_per_second: (explored.per_second() * 10.0).round() / 10.0,
        shortening_ms: milliseconds(explored.shortening),
        options,
        pairs: PairsRecord { states: State::VARIANTS.to_vec(), kinds: explored.pairs.table() },
        found: all_found,
        ..explored.counted.clone()
    });
    record.conclude(&catalog);
    Ok(record)
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
