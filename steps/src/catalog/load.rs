//! From the text of a feature file to cases.

use std::sync::{LazyLock, OnceLock};

use cell_fleet::Protocol;
use cucumber::gherkin::{Step, StepType};

use super::tags::LATE;
use super::{Case, Catalog, CatalogError, Source, gherkin, lint, names, own, tags, titles};
use crate::ledger::RequirementId;
use crate::stage::readable_text;

/// Whose features they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Whose<'a> {
    /// The suite's, at the path of their source.
    Suite,
    /// Custom features: every step is looked up at once.
    Own {
        /// Path below the folder that was named, with `/`.
        path: &'a str,
    },
}

/// Adds the cases of a file, or its errors.
pub(super) fn load(source: &Source<'_>, whose: Whose<'_>, catalog: &mut Catalog) {
    let module = match whose {
        Whose::Suite => names::module(source.path),
        Whose::Own { path } => own::module(path),
    };
    let mut fault = |message: String| {
        // What is quoted of a file may hold what a terminal obeys.
        let message = readable_text(&message);
        let name = format!("{module}::fault_{}", catalog_number(&message));
        catalog.errors.push(CatalogError { name, message })
    };
    // Windows editors begin a file with a byte order mark.
    let text = source.text.strip_prefix('\u{feff}').unwrap_or(source.text);
    let source = &Source { text, ..*source };
    let feature = match gherkin::parse(source) {
        Ok(feature) => feature,
        Err(why) => return fault(why),
    };
    let mut complaints = lint::complaints(source, &feature);
    if matches!(whose, Whose::Own { .. }) {
        complaints.extend(tags::complaints(source, &feature));
    }
    let mut feature = match gherkin::expanded(feature, source.path) {
        Ok(feature) => feature,
        Err(why) => return fault(why),
    };
    let undefined = match whose {
        Whose::Suite => Vec::new(),
        Whose::Own { .. } => lint::undefined(source, &feature),
    };
    let complaints = [
        complaints,
        lint::complaints_of_claims(source, &mut feature),
        titles::complaints(source, &feature),
        undefined,
    ]
    .concat();
    if !complaints.is_empty() {
        // With a complaint, a case could check less than its text says.
        return complaints.into_iter().for_each(&mut fault);
    }
    let plain = feature.scenarios.iter().map(|scenario| (None, scenario));
    let ruled = feature
        .rules
        .iter()
        .flat_map(|rule| rule.scenarios.iter().map(move |scenario| (Some(rule), scenario)));
    let all: Vec<_> = plain.chain(ruled).collect();
    // The examples of one outline are neighbors.
    for examples in all.chunk_by(|(_, one), (_, other)| one.span == other.span) {
        let scenarios: Vec<_> = examples.iter().map(|(_, scenario)| *scenario).collect();
        for ((rule, scenario), name) in examples.iter().zip(names::example_names(&scenarios)) {
            let all_tags = [
                scenario.tags.as_slice(),
                rule.map_or(&[], |rule| rule.tags.as_slice()),
                feature.tags.as_slice(),
            ]
            .concat();
            let backgrounds =
                [feature.background.as_ref(), rule.and_then(|rule| rule.background.as_ref())];
            for protocol in Protocol::ALL
                .into_iter()
                .filter(|protocol| all_tags.iter().any(|tag| tag == protocol.as_str()))
            {
                let given =
                    backgrounds.iter().flatten().flat_map(|background| background.steps.iter());
                let mut steps: Vec<_> = given.chain(&scenario.steps).cloned().collect();
                let elsewhere = cite_under(protocol, &mut steps);
                let is_here = |tag: &&String| !elsewhere.contains(tag);
                let tags: Vec<_> = all_tags.iter().filter(is_here).cloned().collect();
                let rule = rule.map(|rule| rule.name.as_str());
                let named = |name: &str| names::case_name(&module, rule, name, protocol);
                let case = Case {
                    bound: OnceLock::new(),
                    name: named(&name),
                    location: format!("{}:{}", source.path, scenario.position.line),
                    file: source.path.to_owned(),
                    feature: feature.name.clone(),
                    rule: rule.map(str::to_owned),
                    title: scenario.name.clone(),
                    requirements: tags
                        .iter()
                        .filter_map(|tag| tag.strip_prefix("req:")?.parse().ok())
                        .collect(),
                    tags,
                    protocol,
                    steps,
                    life: 0,
                };
                let is_late = case.tags.iter().any(|tag| tag == LATE);
                let late = is_late.then(|| late(&case, named(&format!("{name}_{LATE}"))));
                catalog.cases.push(case);
                catalog.cases.extend(late);
            }
        }
    }
}

/// The case once more, on a router that has first lived through `features/late.feature`.
fn late(case: &Case, name: String) -> Case {
    let mut late = Case { name, ..case.clone() };
    late.title.push_str(", late in the life of the router");
    late.life = LIFE.len();
    late.steps.splice(..0, LIFE.iter().cloned());
    late
}

static LIFE: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let text = include_str!("../../features/late.feature");
    let feature = gherkin::parse(&Source { path: "late.feature", text });
    let feature = feature.expect("features/late.feature is a feature");
    feature.scenarios.into_iter().flat_map(|scenario| scenario.steps).collect()
});

/// Leaves to each Then step what it proves under this protocol. Returns the tags of what is proved
/// under the other protocol alone.
fn cite_under(protocol: Protocol, steps: &mut [Step]) -> Vec<String> {
    let (mut here, mut elsewhere) = (Vec::new(), Vec::new());
    for step in steps.iter_mut().filter(|step| step.ty == StepType::Then) {
        let split = RequirementId::split_citation(&step.value);
        let Some((text, [buffering, learning])) = split else { continue };
        let (own, other) = match protocol {
            Protocol::Buffering => (buffering, learning),
            Protocol::Learning => (learning, buffering),
        };
        step.value = format!("{text} ({own})");
        here.push(own);
        elsewhere.push(other);
    }
    elsewhere.retain(|id| !here.contains(id));
    elsewhere.iter().map(|id| format!("req:{id}")).collect()
}

/// A number for a message: errors of one file need different names, the same in each run.
fn catalog_number(message: &str) -> u32 {
    message
        .bytes()
        .fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
