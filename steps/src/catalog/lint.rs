//! What must not stand in a feature file: whatever Gherkin would silently leave out, and whatever
//! would let a scenario claim more than it proves.

use gherkin::{Background, Feature, Scenario, Step, StepType};

use super::Source;
use crate::exchange::Exchange;
use crate::ledger::{Ledger, Level, RequirementId};
use crate::steps::{self, Role};

/// A scenario that cites more proves too many things to be read at a glance.
const MOST_CITED: usize = 3;

/// Everything that is wrong with a feature file as it stands: expanding its examples would hide an
/// outline without rows.
pub(super) fn complaints(source: &Source<'_>, feature: &Feature) -> Vec<String> {
    let mut found = Vec::new();
    keywords(source, &mut found);
    let scenarios =
        || feature.scenarios.iter().chain(feature.rules.iter().flat_map(|rule| &rule.scenarios));
    if scenarios().next().is_none() {
        found.push(format!("{}: no scenario", source.path));
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
    if let Some(rule) = feature.rules.iter().find(|rule| rule.description.is_some()) {
        found.push(format!(
            "{}:{}: text under a rule; a misspelt keyword is taken for that",
            source.path, rule.position.line
        ));
    }
    scenarios().for_each(|scenario| self::scenario(source, scenario, &mut found));
    found
}

/// Everything that is wrong with what the scenarios of a feature claim to prove, once its examples
/// are expanded.
pub(super) fn complaints_of_claims(source: &Source<'_>, expanded: &Feature) -> Vec<String> {
    let mut found = Vec::new();
    let given = |background: &Option<Background>| {
        background.as_ref().is_some_and(|one| steps::needs(&one.steps).router)
    };
    let common = given(&expanded.background);
    for scenario in &expanded.scenarios {
        claims(source, scenario, &expanded.tags, &mut found);
        runs_once(source, scenario, &expanded.tags, common, &mut found);
    }
    for rule in &expanded.rules {
        let outer = [rule.tags.as_slice(), expanded.tags.as_slice()].concat();
        for scenario in &rule.scenarios {
            claims(source, scenario, &outer, &mut found);
            runs_once(source, scenario, &outer, common || given(&rule.background), &mut found);
        }
    }
    found
}

/// What is said of the cells alone runs once: under a second protocol it would show the same again.
/// Where the cells of the two protocols differ, so does what is expected of them.
fn runs_once(
    source: &Source<'_>,
    scenario: &Scenario,
    outer: &[String],
    has_router: bool,
    found: &mut Vec<String>,
) {
    let has = |protocol: &str| scenario.tags.iter().chain(outer).any(|tag| tag == protocol);
    let is_about_cells = !has_router && !steps::needs(&scenario.steps).router;
    if is_about_cells && has("buffering") && has("learning") {
        let place = format!("{}:{}", source.path, scenario.position.line);
        found.push(format!("{place}: no router takes part, so one protocol is enough; where the cells differ, write a scenario for each"));
    }
}

/// A line that begins with a misspelt keyword becomes a description: `Scenaro: ...` makes its
/// scenario vanish without a word.
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
                "{}:{}: `{word}:` is no keyword; Gherkin would take the line for a description",
                source.path,
                number + 1
            ));
        }
    }
}

fn scenario(source: &Source<'_>, scenario: &Scenario, found: &mut Vec<String>) {
    let place = format!("{}:{}", source.path, scenario.position.line);
    let mut complain = |message: &str| found.push(format!("{place}: {message}"));
    if scenario.description.is_some() {
        complain("text under a scenario; a misspelt step is taken for that");
    }
    if !scenario.steps.iter().any(|step| step.ty == StepType::Then) {
        complain("no Then step, so nothing is checked");
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

fn rank(step: StepType) -> u8 {
    match step {
        StepType::Given => 0,
        StepType::When => 1,
        StepType::Then => 2,
    }
}

/// A row that is longer than its header is cut silently.
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
                "a row of a table has another number of cells than the one above: {line}"
            ));
        }
        width = Some(cells);
    }
}

/// The tags cite exactly what the Then steps prove, and every id stands in the ledger.
fn claims(source: &Source<'_>, scenario: &Scenario, outer: &[String], found: &mut Vec<String>) {
    let mut complain = |message: &str| {
        found.push(format!("{}:{}: {message}", source.path, scenario.position.line))
    };
    let all: Vec<&String> = scenario.tags.iter().chain(outer).collect();
    if !all.iter().any(|tag| *tag == "buffering" || *tag == "learning") {
        complain("neither @buffering nor @learning, so it would never run");
    }
    if outer.iter().any(|tag| tag.starts_with("req:")) {
        complain("requirements are cited on scenarios, not on rules or features");
    }
    let mut tagged = Vec::new();
    for tag in scenario.tags.iter().filter_map(|tag| tag.strip_prefix("req:")) {
        match tag.parse::<RequirementId>() {
            Ok(id) if Ledger::embedded().row(&id).is_none() => {
                complain(&format!("{id} does not stand in fixtures/requirements.toml"))
            }
            Ok(id) => tagged.push(id),
            Err(error) => complain(&error.to_string()),
        }
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
    let missing = |ids: &[RequirementId], among: &[RequirementId]| {
        ids.iter().find(|id| !among.contains(id)).cloned()
    };
    if let Some(id) = missing(&proved, &tagged) {
        complain(&format!("a Then step proves {id}, but the scenario has no tag @req:{id}"));
    }
    if let Some(id) = missing(&tagged, &proved) {
        complain(&format!("the tag @req:{id} is proved by no Then step"));
    }
    if tagged.len() > MOST_CITED {
        complain(&format!("it cites {} requirements; at most {MOST_CITED}", tagged.len()));
    }
}

/// What a Then step cites.
struct Cited {
    /// The requirements that it proves.
    proved: Vec<RequirementId>,
    /// Those that it only notes where a router chooses otherwise. Tags and their number leave them
    /// out.
    choices: Vec<RequirementId>,
}

fn cited(step: &Step) -> Result<Cited, String> {
    let (_, id) = RequirementId::split_citation(&step.value)
        .ok_or("a Then step ends with what it proves, like ` (BF-03)`")?;
    let mut cited = Cited { proved: vec![id], choices: Vec::new() };
    if steps::find(step).is_ok_and(|found| found.definition.role == Role::Exchange) {
        let drawn = step.docstring.as_deref().ok_or("the exchange is missing")?;
        let exchange = Exchange::parse(drawn).map_err(|error| error.to_string())?;
        cited.proved.extend(exchange.cited());
        cited.choices = exchange.choices();
    }
    Ok(cited)
}

/// A choice that a MUST rules out is none: the arrow itself then says what is asked for.
fn unfit_choice(id: &RequirementId) -> Option<String> {
    match Ledger::embedded().row(id) {
        None => Some(format!("the choice {id} does not stand in fixtures/requirements.toml")),
        Some(row) if row.level == Level::Must => {
            Some(format!("{id} is a MUST, so it leaves no choice"))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Catalog;
    use super::*;

    const SOUND: &str = "Feature: F\n\n  @buffering @req:BF-03\n  Scenario: s\n    Given a cold EU router\n    When anna visits \"/a\"\n    Then it is so (BF-03)\n";

    fn faults(text: &str) -> Vec<String> {
        Catalog::load([Source { path: "a/b.feature", text }])
            .faults
            .into_iter()
            .map(|fault| fault.message)
            .collect()
    }

    #[test]
    fn a_sound_file_gives_a_case_and_no_complaint() {
        let catalog = Catalog::load([Source { path: "a/01_b.feature", text: SOUND }]);
        assert_eq!(catalog.faults, []);
        assert_eq!(catalog.cases[0].name, "a::b::s[buffering]");
        assert_eq!(catalog.cases[0].place, "a/01_b.feature:4");
    }

    #[test]
    fn whatever_gherkin_would_leave_out_is_complained_of() {
        for (from, to, word) in [
            ("Feature: F\n", "Feature: F\n\n  Scenaro: lost\n", "no keyword"),
            ("    Given a", "    Givn a", "text under a scenario"),
            ("    Then it is so (BF-03)", "", "no Then step"),
            ("    Then it is so (BF-03)", "    Then it is so", "ends with what it proves"),
            ("    Then it is so (BF-03)", "    Then it is so (BF-04)", "BF-04"),
            ("@req:BF-03", "@req:BF-99", "BF-99"),
            ("@buffering ", "", "never run"),
            ("Scenario: s", "Scenario Outline: s", "needs Examples"),
            (
                "    When anna visits \"/a\"\n",
                "    When anna visits \"/a\"\n      | a | b |\n      | 1 | 2 | 3 |\n",
                "another number of cells",
            ),
            (
                "    Given a cold EU router\n",
                "    When it is\n    Given a cold EU router\n",
                "come first",
            ),
        ] {
            let damaged = SOUND.replace(from, to);
            assert_ne!(damaged, SOUND, "{word}");
            let found = faults(&damaged);
            assert!(
                found.iter().any(|message| message.contains(word)),
                "{word}: {found:?}\n{damaged}"
            );
        }
    }

    /// A scenario whose exchange leaves a choice.
    fn choosing(id: &str) -> String {
        let exchange = format!(
            "      user->>router_eu: GET /a\n      %% choice {id}\n      router_eu->>any_eu_cell: GET {{learn}}?method=GET&path_info=/a\n"
        );
        let step =
            format!("    Then the exchange was (LN-18)\n      \"\"\"\n{exchange}      \"\"\"\n");
        SOUND
            .replace("@buffering @req:BF-03", "@learning @req:LN-18")
            .replace("    Then it is so (BF-03)\n", &step)
    }

    #[test]
    fn a_choice_needs_no_tag_and_is_of_a_should() {
        assert_eq!(faults(&choosing("LN-17")), Vec::<String>::new());
        assert!(
            faults(&choosing("LN-18")).iter().any(|message| message.contains("leaves no choice"))
        );
        assert!(faults(&choosing("LN-99")).iter().any(|message| message.contains("LN-99")));
        let unsaid = choosing("LN-17").replace("      %% choice LN-17\n", "");
        assert!(faults(&unsaid).iter().any(|message| message.contains("%% choice")));
    }

    #[test]
    fn what_is_said_of_cells_alone_names_one_protocol() {
        let twice = SOUND.replace("@buffering", "@buffering @learning");
        assert_eq!(faults(&twice), Vec::<String>::new());
        let without = twice.replace("    Given a cold EU router\n", "");
        assert!(faults(&without)[0].contains("one protocol is enough"));
        assert_eq!(faults(&without.replace(" @learning", "")), Vec::<String>::new());
        let background = without
            .replace("Feature: F\n", "Feature: F\n\n  Background:\n    Given a cold EU router\n");
        assert_eq!(faults(&background), Vec::<String>::new());
    }

    #[test]
    fn a_file_that_is_no_gherkin_is_a_fault_and_two_cases_of_one_name_too() {
        assert!(faults("Featur: x\n")[0].contains("no Gherkin"));
        assert!(faults(&SOUND.replace("Scenario: s", "Scenaro: s"))[0].contains("no Gherkin"));
        let twice = format!("{SOUND}{}", SOUND.split_once("\n\n").unwrap().1);
        assert!(faults(&twice)[0].contains("same name"));
    }
}
