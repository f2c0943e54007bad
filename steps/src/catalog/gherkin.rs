//! From text to a feature, with its outlines expanded. What cannot be read is said in a sentence.

use cucumber::feature::{ExpandExamplesError, Ext as _};
use cucumber::gherkin::{Examples, Feature, GherkinEnv, Scenario};

use super::Source;

/// The longest row of blanks and tabs of a file: the parser looks at all of its rest at each one.
const MOST_BLANKS: usize = 1_000;

/// Reads a feature. The error says what cannot be read, and where.
pub(super) fn parse(source: &Source<'_>) -> Result<Feature, String> {
    let Source { path, text } = source;
    if let Some(line) = too_many_blanks(text) {
        return Err(format!("{path}:{line}: more than {MOST_BLANKS} blanks in a row; write fewer"));
    }
    if let Some((line, language)) = other_language(text) {
        return Err(format!(
            "{path}:{line}: the language `{language}`: feature files are written in English; \
             translate the keywords, and remove this line"
        ));
    }
    Feature::parse(text, GherkinEnv::default()).map_err(|error| {
        // What the parser expected is a set of its own words, in no order. Its message begins with
        // the place, which it tells in no other way: `Error at 3:5: {...}`.
        let place = error.to_string();
        let place = place.strip_prefix("Error at ").and_then(|rest| rest.split(':').next());
        not_gherkin(source, place.and_then(|line| line.parse().ok()).unwrap_or(1))
    })
}

/// Why a text is no feature that the parser could read up to this line.
fn not_gherkin(source: &Source<'_>, line: usize) -> String {
    let Source { path, text } = source;
    let is_said = |line: &str| !line.is_empty() && !line.starts_with(['#', '@']);
    let first = text.lines().map(str::trim).zip(1..).find(|(line, _)| is_said(line));
    let Some((first, number)) = first else {
        return format!("{path}: nothing is written in it; a feature file begins with `Feature:`");
    };
    if !first.starts_with("Feature:") {
        return format!(
            "{path}:{number}: it begins with `{first}`; a feature file begins with `Feature:` and \
             its title"
        );
    }
    match misplaced(text) {
        Misplaced::None => format!(
            "{path}:{line}: the file cannot be read from here on; a Feature has a Background, \
             then Scenarios, then Rules, and tags stand above them"
        ),
        Misplaced::Open(number) => {
            format!("{path}:{number}: the doc string has no end; close it with three quotes")
        }
        Misplaced::Line(shown, number) => format!(
            "{path}:{number}: `{shown}` cannot stand here; after a step come another step, its doc \
             string or table, a Scenario, a Rule, Examples, or a tag, and after a tag what has it"
        ),
    }
}

/// What the parser cannot read past.
enum Misplaced<'t> {
    None,
    Open(usize),
    Line(&'t str, usize),
}

/// The first line that cannot stand where it does.
fn misplaced(text: &str) -> Misplaced<'_> {
    const STEPS: [&str; 6] = ["Given ", "When ", "Then ", "And ", "But ", "* "];
    const BLOCKS: [&str; 5] = ["Background:", "Rule:", "Scenario", "Example", "@"];
    let (mut quoted, mut has_feature) = (None, false);
    let (mut follows_step, mut follows_tag) = (false, false);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        let starts = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        if starts(&["\"\"\"", "```"]) {
            quoted = if quoted.is_some() { None } else { Some(number) };
        } else if quoted.is_some() || line.is_empty() || starts(&["#", "|"]) {
        } else if starts(&BLOCKS) {
            (follows_step, follows_tag) = (false, line.starts_with('@'));
        } else if starts(&["Feature:"]) && !has_feature {
            (has_feature, follows_tag) = (true, false);
        } else if follows_tag || follows_step && !starts(&STEPS) {
            return Misplaced::Line(line, number);
        } else {
            follows_step = starts(&STEPS);
        }
    }
    quoted.map_or(Misplaced::None, Misplaced::Open)
}

/// The line above the feature that names another language, and its name.
fn other_language(text: &str) -> Option<(usize, &str)> {
    let above = text.lines().map(str::trim).zip(1..);
    let mut above = above.take_while(|(line, _)| line.is_empty() || line.starts_with('#'));
    above.find_map(|(line, number)| {
        let name = line.strip_prefix('#')?.trim_start().strip_prefix("language")?;
        let name = name.trim_start().strip_prefix(':')?.trim();
        (name != "en").then_some((number, name))
    })
}

/// The number of the first line with too many blanks in a row.
fn too_many_blanks(text: &str) -> Option<usize> {
    let longest = |line: &str| {
        line.split(|c| c != ' ' && c != '\t').map(str::len).max().is_some_and(|it| it > MOST_BLANKS)
    };
    text.lines().position(longest).map(|place| place + 1)
}

/// Expands the outlines of a feature. The error names a column that the examples lack.
pub(super) fn expanded(mut feature: Feature, path: &str) -> Result<Feature, String> {
    let rules = feature.rules.iter_mut().map(|rule| &mut rule.scenarios);
    for scenarios in rules.chain([&mut feature.scenarios]) {
        *scenarios = std::mem::take(scenarios).into_iter().flat_map(one_outline_per_row).collect();
    }
    feature.expand_examples().map_err(|ExpandExamplesError { pos, name, .. }| {
        format!("{path}:{}:{}: the examples have no column <{name}>", pos.line, pos.col)
    })
}

/// An outline as outlines with one row each: expanding copies all rows of an outline for each of
/// them.
fn one_outline_per_row(mut outline: Scenario) -> Vec<Scenario> {
    let all = std::mem::take(&mut outline.examples);
    if all.is_empty() {
        return vec![outline];
    }
    let rows = all.into_iter().flat_map(|mut examples| {
        let rows = examples.table.as_mut().map(|table| std::mem::take(&mut table.rows));
        let mut rows = rows.unwrap_or_default().into_iter();
        let head = rows.next().unwrap_or_default();
        let of_row = move |(row, place): (Vec<String>, usize)| {
            let mut one: Examples = examples.clone();
            one.position.line += place;
            if let Some(table) = &mut one.table {
                table.rows = vec![head.clone(), row];
            }
            one
        };
        rows.zip(0..).map(of_row)
    });
    rows.map(|row| Scenario { examples: vec![row], ..outline.clone() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(text: &str) -> String {
        parse(&Source { path: "a.feature", text }).unwrap_err()
    }

    #[test]
    fn what_is_no_feature_is_said_in_a_sentence() {
        const STEPS: &str = "  Scenario: a page arrives\n    Given it is\n";
        for (text, said) in [
            (String::new(), "a.feature: nothing is written in it"),
            (format!("Featur: F\n{STEPS}"), "a.feature:1: it begins with `Featur: F`"),
            (format!("# language: de\nFunktion: F\n{STEPS}"), "a.feature:1: the language `de`"),
            (format!("\n#  language : fr \nFeature: F\n{STEPS}"), "a.feature:2: the language `fr`"),
            (
                format!("Feature: F\n{STEPS}      \"\"\"\n      open\n"),
                "a.feature:4: the doc string has no end",
            ),
            (
                format!("Feature: F\n{STEPS}    nonsense\n"),
                "a.feature:4: `nonsense` cannot stand here",
            ),
            (
                format!("Feature: F\n  @buffering\n{}", STEPS.replace("rio", "ro")),
                "a.feature:3: `Scenaro: a page arrives` cannot stand here",
            ),
            (
                format!("Feature: F\n{STEPS}Feature: G\n{STEPS}"),
                "a.feature:4: `Feature: G` cannot stand here",
            ),
        ] {
            let why = why(&text);
            assert!(why.starts_with(said), "{why}\n{text}");
            assert!(!why.contains('{'), "{why}");
        }
        assert!(
            parse(&Source { path: "", text: &format!("# language: en\nFeature: F\n{STEPS}") })
                .is_ok()
        );
    }

    #[test]
    fn each_row_is_expanded_alone_and_keeps_its_line() {
        let text = "Feature: F\n  Scenario Outline: number <n>\n    Given it is <n>\n    Examples:\n      \
                    | n |\n      | 1 |\n      | 2 |\n    Examples:\n      | n |\n      | 3 |\n";
        let feature = parse(&Source { path: "a", text }).unwrap();
        let whole = feature.clone().expand_examples().unwrap().scenarios;
        let alone = feature.scenarios.iter().cloned().flat_map(one_outline_per_row);
        let rows: Vec<_> =
            alone.map(|it| it.examples[0].table.clone().unwrap().rows.len()).collect();
        assert_eq!(rows, [2, 2, 2]);
        let shown = |them: &[Scenario]| -> Vec<_> {
            let one = |it: &Scenario| (it.name.clone(), it.position, it.steps.clone());
            them.iter().map(one).collect()
        };
        assert_eq!(shown(&expanded(feature, "a").unwrap().scenarios), shown(&whole));
        assert_eq!(whole[2].name, "number 3");
    }
}
