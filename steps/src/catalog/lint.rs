//! The linter of feature files. It refuses what Gherkin would silently drop, and what would let a
//! scenario claim more than it proves.

use std::collections::BTreeSet;

use cucumber::gherkin::{Background, Feature, Scenario, Step, StepType};

use super::{Source, gherkin};
use crate::exchange::Exchange;
use crate::ledger::{Ledger, Level, RequirementId};
use crate::steps::{self, NotFound, Role};

/// The most requirements that a scenario may cite and still be read at a glance.
const MOST_CITED: usize = 3;

/// What is wrong with a feature file before its outlines are expanded: an outline without rows
/// would vanish.
pub(super) fn complaints(source: &Source<'_>, feature: &Feature) -> Vec<String> {
    let mut found = Vec::new();
    keywords(source, &mut found);
    let scenarios =
        || feature.scenarios.iter().chain(feature.rules.iter().flat_map(|rule| &rule.scenarios));
    if scenarios().next().is_none() {
        found.push(format!("{}: no scenario; add one, or remove the file", source.path));
    }
    for background in feature
        .background
        .iter()
        .chain(feature.rules.iter().filter_map(|rule| rule.background.as_ref()))
    {
        if background.description.is_some()
            || background.steps.iter().any(|step| step.ty != StepType::Given)
        {
            found.push(format!(
                "{}:{}: a background holds Given steps and nothing else",
                source.path, background.position.line
            ));
        }
    }
    if let Some(rule) = feature.rules.iter().find(|rule| is_no_prose(rule.description.as_ref())) {
        found.push(format!(
            "{}:{}: the description of the rule ends without a full stop; Gherkin takes a misspelled \
             keyword for a description; correct the keyword, or end the sentence",
            source.path, rule.position.line
        ));
    }
    scenarios().for_each(|scenario| self::scenario(source, scenario, &mut found));
    found
}

/// What is wrong with the claims of the scenarios of a feature whose outlines are expanded. Tags
/// each of them with what its Then steps cite.
pub(super) fn complaints_of_claims(source: &Source<'_>, expanded: &mut Feature) -> Vec<String> {
    let mut found = Vec::new();
    let given = |background: &Option<Background>| {
        background.as_ref().is_some_and(|one| steps::needs(&one.steps).router)
    };
    let common = given(&expanded.background);
    for scenario in &mut expanded.scenarios {
        claims(source, scenario, &expanded.tags, &mut found);
        runs_once(source, scenario, &expanded.tags, common, &mut found);
    }
    for rule in &mut expanded.rules {
        let outer = [rule.tags.as_slice(), expanded.tags.as_slice()].concat();
        for scenario in &mut rule.scenarios {
            claims(source, scenario, &outer, &mut found);
            runs_once(source, scenario, &outer, common || given(&rule.background), &mut found);
        }
    }
    found
}

/// Tags the scenarios of a feature, outlines not expanded, with what their Then steps cite.
pub(crate) fn tag_with_citations(feature: &mut Feature, path: &str) -> Result<(), String> {
    let mut expanded = gherkin::expanded(feature.clone(), path)?;
    complaints_of_claims(&Source { path, text: "" }, &mut expanded);
    let of_rules = expanded.rules.iter().flat_map(|rule| &rule.scenarios);
    let all: Vec<_> = expanded.scenarios.iter().chain(of_rules).collect();
    let of_rules = feature.rules.iter_mut().flat_map(|rule| &mut rule.scenarios);
    for scenario in feature.scenarios.iter_mut().chain(of_rules) {
        for one in all.iter().filter(|one| one.span == scenario.span) {
            for tag in one.tags.iter().filter(|tag| tag.starts_with("req:")) {
                if !scenario.tags.contains(tag) {
                    scenario.tags.push(tag.clone());
                }
            }
        }
    }
    Ok(())
}

/// A scenario about the cells alone names one protocol: under the other it would show the same
/// again. Where the cells differ, so do the expectations, in a scenario for each.
fn runs_once(
    source: &Source<'_>,
    scenario: &Scenario,
    outer: &[String],
    has_router: bool,
    found: &mut Vec<String>,
) {
    let has = |protocol: &str| scenario.tags.iter().chain(outer).any(|tag| tag == protocol);
    let given = scenario.steps.iter().filter(|step| step.ty == StepType::Given);
    let is_for_both = has("buffering") && has("learning");
    if is_for_both && !has_router && !steps::needs(given).router {
        let place = format!("{}:{}", source.path, scenario.position.line);
        found.push(format!(
            "{place}: no router takes part, so one protocol is enough; where the cells differ, \
             write a scenario for each"
        ));
    }
}

/// A line that begins with a misspelled keyword becomes a description: `Scenaro: ...` silently
/// removes its scenario.
fn keywords(source: &Source<'_>, found: &mut Vec<String>) {
    const KEYWORDS: [&str; 7] =
        ["Feature", "Background", "Rule", "Scenario", "Scenario Outline", "Examples", "Example"];
    let mut quoted = false;
    for (number, line) in source.text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("\"\"\"") || line.starts_with("```") {
            quoted = !quoted;
            continue;
        }
        let Some((word, _)) = line.split_once(':').filter(|_| !quoted) else { continue };
        let is_words = word.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        let looks_like_keyword = is_words
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.split_whitespace().count() <= 2;
        let step = ["Given ", "When ", "Then ", "And ", "But "]
            .iter()
            .any(|keyword| line.starts_with(keyword));
        if looks_like_keyword && !step && !KEYWORDS.contains(&word) {
            found.push(format!(
                "{}:{}: `{word}:` is not a keyword; Gherkin would take the line for a description; \
                 write one of {}, or begin the line with #",
                source.path,
                number + 1,
                KEYWORDS.join(", ")
            ));
        }
    }
}

fn scenario(source: &Source<'_>, scenario: &Scenario, found: &mut Vec<String>) {
    let place = format!("{}:{}", source.path, scenario.position.line);
    let mut complain = |message: &str| found.push(format!("{place}: {message}"));
    if is_no_prose(scenario.description.as_ref()) {
        complain(
            "the description of the scenario ends without a full stop; Gherkin takes a misspelled \
             step for a description; begin the step with Given, When, Then or And, or end the \
             sentence",
        );
    }
    if !scenario.steps.iter().any(|step| step.ty == StepType::Then) {
        complain("no Then step, so nothing is checked; add one");
    }
    let order: Vec<_> = scenario.steps.iter().map(|step| step.ty).collect();
    if order.windows(2).any(|pair| rank(pair[0]) > rank(pair[1])) {
        complain("Given steps come first, then When, then Then, each together");
    }
    let is_outline = scenario.keyword.contains("Outline");
    let rows = |scenario: &Scenario| {
        scenario
            .examples
            .iter()
            .all(|examples| examples.table.as_ref().is_some_and(|table| table.rows.len() > 1))
    };
    if is_outline && (scenario.examples.is_empty() || !rows(scenario)) {
        complain("an outline needs Examples with at least one row");
    }
    if !is_outline && !scenario.examples.is_empty() {
        complain("Examples belong to a Scenario Outline");
    }
    ragged_tables(source, scenario, &mut complain);
}

/// Whether a description is none that people wrote: it ends in a step whose keyword is misspelled,
/// and no step ends with a full stop.
fn is_no_prose(description: Option<&String>) -> bool {
    description.is_some_and(|text| !text.trim_end().ends_with('.'))
}

fn rank(step: StepType) -> u8 {
    match step {
        StepType::Given => 0,
        StepType::When => 1,
        StepType::Then => 2,
    }
}

/// Gherkin silently cuts a row that is longer than its header.
fn ragged_tables(source: &Source<'_>, scenario: &Scenario, complain: &mut impl FnMut(&str)) {
    let text = source.text.get(scenario.span.start..scenario.span.end).unwrap_or_default();
    let mut width = None;
    let mut quoted = false;
    for line in text.lines().map(str::trim) {
        quoted ^= line.starts_with("\"\"\"");
        if quoted || !line.starts_with('|') {
            width = None;
            continue;
        }
        let cells = line.replace("\\|", "").matches('|').count();
        if width.is_some_and(|width| width != cells) {
            complain(&format!(
                "a row of a table has more or fewer cells than the row above; a bar within a cell \
                 is written \\|: {line}"
            ));
        }
        width = Some(cells);
    }
}

/// The ledger has each requirement that a Then step proves, and a tag cites no other. Requirements
/// without a tag get one, behind those that have one.
fn claims(source: &Source<'_>, scenario: &mut Scenario, outer: &[String], found: &mut Vec<String>) {
    let place = format!("{}:{}", source.path, scenario.position.line);
    let mut complain = |message: &str| found.push(format!("{place}: {message}"));
    let all: Vec<&String> = scenario.tags.iter().chain(outer).collect();
    if !all.iter().any(|tag| *tag == "buffering" || *tag == "learning") {
        complain("neither @buffering nor @learning, so it would never run; add one or both");
    }
    if outer.iter().any(|tag| tag.starts_with("req:")) {
        complain("requirements are cited on scenarios, not on rules or features");
    }
    if all.iter().filter(|tag| tag.starts_with("capability:")).count() > 1 {
        complain("a scenario is about one capability; make a scenario for each");
    }
    let mut proved = Vec::new();
    for step in scenario.steps.iter().filter(|step| step.ty == StepType::Then) {
        match cited(step) {
            Ok(cited) => {
                proved.extend(cited.proved);
                cited
                    .choices
                    .iter()
                    .filter_map(unfit_choice)
                    .for_each(|why| complain(&format!("`{}`: {why}", step.value)));
            }
            Err(why) => complain(&format!("`{}`: {why}", step.value)),
        }
    }
    let mut ids: Vec<RequirementId> = Vec::new();
    for tag in scenario.tags.iter().filter_map(|tag| tag.strip_prefix("req:")) {
        match tag.parse::<RequirementId>() {
            Ok(id) if proved.contains(&id) => ids.push(id),
            Ok(id) => complain(&format!("the tag @req:{id} is proved by no Then step")),
            Err(error) => complain(&error.to_string()),
        }
    }
    for id in proved {
        if !ids.contains(&id) {
            scenario.tags.push(format!("req:{id}"));
            ids.push(id);
        }
    }
    for id in ids.iter().filter(|id| Ledger::embedded().row(id).is_none()) {
        complain(&format!(
            "{id} is not in the ledger; `cells-conformance list explain {id}` names similar ids"
        ));
    }
    if ids.len() > MOST_CITED {
        complain(&format!(
            "it cites {} requirements, at most {MOST_CITED} are fine; make two scenarios of it",
            ids.len()
        ));
    }
}

struct Cited {
    proved: Vec<RequirementId>,
    /// The requirements that the drawn exchange leaves to the router's choice. Tags do not cite
    /// them.
    choices: Vec<RequirementId>,
}

fn cited(step: &Step) -> Result<Cited, String> {
    let (_, ids) = RequirementId::split_citation(&step.value)
        .ok_or("a Then step ends with what it proves, like ` (BF-03)`")?;
    let mut cited = Cited { proved: ids.into(), choices: Vec::new() };
    let is_drawing =
        |_: &&String| steps::find(step).is_ok_and(|found| found.meaning.is(Role::Exchange));
    if let Some(drawn) = step.docstring.as_ref().filter(is_drawing) {
        let exchange = Exchange::parse(drawn)?;
        cited.proved.extend(exchange.cited());
        cited.choices = exchange.choices();
    }
    Ok(cited)
}

/// Why a requirement cannot be a choice: a MUST leaves none, so the arrow itself states it.
fn unfit_choice(id: &RequirementId) -> Option<String> {
    match Ledger::embedded().row(id) {
        None => Some(format!("the choice {id} is not in fixtures/requirements.toml")),
        Some(row) if row.level == Level::Must => {
            Some(format!("{id} is a MUST, so it leaves no choice"))
        }
        Some(_) => None,
    }
}

/// Every step of a feature, with its examples expanded, that cannot run. A step that several
/// examples share gives one complaint for each wording.
pub(super) fn undefined(source: &Source<'_>, feature: &Feature) -> Vec<String> {
    let rules = feature.rules.iter();
    let backgrounds =
        feature.background.iter().chain(rules.clone().filter_map(|rule| rule.background.as_ref()));
    let scenarios = feature.scenarios.iter().chain(rules.flat_map(|rule| &rule.scenarios));
    let given = backgrounds.flat_map(|background| &background.steps);
    let steps = given.chain(scenarios.flat_map(|scenario| &scenario.steps));
    let complaint = |step: &Step| {
        let (line, text) = (step.position.line, &step.value);
        Some((line, format!("{}:{line}: `{text}`: {}", source.path, why_undefined(step)?)))
    };
    let found: BTreeSet<_> = steps.filter_map(complaint).collect();
    found.into_iter().map(|(_, complaint)| complaint).collect()
}

fn why_undefined(step: &Step) -> Option<String> {
    match steps::find(step) {
        Ok(found) => found.meaning.bound().err(),
        Err(NotFound::Ambiguous(expressions)) => {
            Some(format!("it fits several steps: {}", expressions.join(" and ")))
        }
        Err(NotFound::Undefined) => {
            let near = steps::near(step);
            let kind = format!("{:?}", step.ty);
            Some(if near.is_empty() {
                format!("no {kind} step is like it; `cells-conformance list steps` shows all")
            } else {
                format!("no {kind} step is so worded; near: {}", near.join("; "))
            })
        }
    }
}

#[cfg(test)]
mod tests;
