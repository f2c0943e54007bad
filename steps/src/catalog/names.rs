//! Stable names of cases, `area::feature::rule::title_example[protocol]`. A scenario outside a rule
//! leaves out `rule`.

use std::collections::BTreeSet;

use cell_fleet::Protocol;
use cucumber::gherkin::Scenario;

/// The name of a case. `scenario` is one name from [`example_names`].
pub(super) fn case_name(
    module: &str,
    rule: Option<&str>,
    scenario: &str,
    protocol: Protocol,
) -> String {
    let rule = rule.map(|title| format!("{}::", slug(title))).unwrap_or_default();
    format!("{module}::{rule}{scenario}[{}]", protocol.as_str())
}

/// The module of a feature file, by its path below `features/`. Names leave out the number that
/// orders files.
pub(super) fn module(path: &str) -> String {
    let path = path.strip_suffix(".feature").unwrap_or(path);
    let parts: Vec<_> = path
        .split('/')
        .map(|part| slug(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')))
        .collect();
    parts.join("::")
}

/// A title in snake case: every other character separates words.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::new();
    for character in title.chars() {
        if character.is_alphanumeric() {
            slug.extend(character.to_lowercase());
        } else if !slug.ends_with('_') && !slug.is_empty() && character != '\'' {
            slug.push('_');
        }
    }
    slug.trim_end_matches('_').to_owned()
}

/// The names of the expanded examples of one outline, or of one plain scenario: the title, then as
/// many values of the row as it takes to tell the examples apart. Examples that differ in
/// punctuation alone are numbered.
pub(super) fn example_names(scenarios: &[&Scenario]) -> Vec<String> {
    let values = |scenario: &Scenario| -> Vec<String> {
        let table = scenario.examples.first().and_then(|examples| examples.table.as_ref());
        let Some([header, row, ..]) = table.map(|table| table.rows.as_slice()) else {
            return Vec::new();
        };
        let title = slug(&scenario.name);
        header
            .iter()
            .zip(row)
            .map(|(column, value)| words_of_value(&title, column, value))
            .collect()
    };
    let titles: Vec<_> = scenarios.iter().map(|scenario| slug(&scenario.name)).collect();
    let rows: Vec<_> = scenarios.iter().map(|scenario| values(scenario)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    // A title that has the value of a column in each row need not repeat it.
    let said = |column: usize| {
        titles
            .iter()
            .zip(&rows)
            .all(|(title, row)| row.get(column).is_none_or(|value| says(title, value)))
    };
    let names = |columns: &[usize]| -> Vec<String> {
        let name = |(title, row): (&String, &Vec<String>)| {
            let shown = columns.iter().filter_map(|column| row.get(*column));
            let shown = shown.filter(|value| !value.is_empty()).cloned();
            std::iter::once(title.clone()).chain(shown).collect::<Vec<_>>().join("_")
        };
        titles.iter().zip(&rows).map(name).collect()
    };
    let distinct = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let unsaid: Vec<_> = (0..columns).filter(|column| !said(*column)).collect();
    let all: Vec<_> = (0..columns).collect();
    let choices = (0..=unsaid.len())
        .map(|taken| &unsaid[..taken])
        .chain((1..=columns).map(|taken| &all[..taken]));
    choices.map(names).find(|names| distinct(names)).unwrap_or_else(|| {
        titles.iter().zip(1..).map(|(title, number)| format!("{title}_{number}")).collect()
    })
}

/// What one value of a row adds to a name. A number says nothing without its column, `status_404`,
/// unless the title ends with that word.
fn words_of_value(title: &str, column: &str, value: &str) -> String {
    let (column, value) = (slug(column), slug(value));
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let is_named = format!("_{title}").ends_with(&format!("_{column}"));
    if is_number && !is_named { format!("{column}_{value}") } else { value }
}

/// Whether a title has the words of a value already, side by side.
fn says(title: &str, value: &str) -> bool {
    format!("_{title}_").contains(&format!("_{value}_"))
}

#[cfg(test)]
mod tests {
    use cucumber::gherkin::{Feature, GherkinEnv};

    use cucumber::feature::Ext as _;

    use super::*;

    #[test]
    fn a_name_has_the_rule_between_feature_and_title() {
        let name = |rule| case_name("protocol::warm", rule, "a_title", Protocol::Learning);
        assert_eq!(name(None), "protocol::warm::a_title[learning]");
        assert_eq!(
            name(Some("One request teaches the next")),
            "protocol::warm::one_request_teaches_the_next::a_title[learning]"
        );
    }

    #[test]
    fn an_example_adds_the_values_that_tell_it_apart() {
        let outline = |title: &str, rows: &str| {
            let text = format!(
                "Feature: F\n  Scenario Outline: {title}\n    Given it is\n    Examples:\n{rows}"
            );
            let feature = Feature::parse(text, GherkinEnv::default()).unwrap();
            let feature = feature.expand_examples().unwrap();
            example_names(&feature.scenarios.iter().collect::<Vec<_>>())
        };
        assert_eq!(
            outline("a response", "| status | method |\n| 404 | GET |\n| 404 | HEAD |\n"),
            ["a_response_status_404_get", "a_response_status_404_head"]
        );
        assert_eq!(
            outline("a response of any status", "| status |\n| 404 |\n| 500 |\n"),
            ["a_response_of_any_status_404", "a_response_of_any_status_500"]
        );
        assert_eq!(
            outline("a <method> request", "| method |\n| GET |\n| POST |\n"),
            ["a_get_request", "a_post_request"]
        );
        assert_eq!(
            outline("a forgotten entry", "| case |\n| get |\n| gone |\n"),
            ["a_forgotten_entry_get", "a_forgotten_entry_gone"]
        );
        assert_eq!(
            outline("a GET or POST request", "| method |\n| GET |\n| POST |\n"),
            ["a_get_or_post_request_get", "a_get_or_post_request_post"]
        );
        assert_eq!(outline("one example", "| path |\n| /a |\n"), ["one_example"]);
        assert_eq!(outline("a path", "| path |\n| / |\n| // |\n"), ["a_path_1", "a_path_2"]);
    }

    #[test]
    fn names_are_made_of_paths_and_titles() {
        assert_eq!(module("journeys/01_project_signed_in.feature"), "journeys::project_signed_in");
        assert_eq!(module("protocol/buffering/redirect.feature"), "protocol::buffering::redirect");
        assert_eq!(slug("A user's POST, re-sent: 3 MiB!"), "a_users_post_re_sent_3_mib");
        assert_eq!(slug("/my%2Dcompany/"), "my_2dcompany");
    }
}
