//! Stable names of cases: `journeys::project_signed_in::cold_router[buffering]`.

use std::collections::BTreeSet;

use gherkin::Scenario;

/// The module of a feature file, by its path below `features/`. A number that orders files is no
/// part of a name.
pub(super) fn module(path: &str) -> String {
    let path = path.strip_suffix(".feature").unwrap_or(path);
    let parts: Vec<_> = path
        .split('/')
        .map(|part| slug(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_')))
        .collect();
    parts.join("::")
}

/// A title in snake case; what is neither letter nor digit separates words.
pub(super) fn slug(title: &str) -> String {
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

/// Names of the expanded examples of one scenario, or of a plain one: the title, then as many
/// values of the row as it takes to tell them apart. Rows that only punctuation tells apart are
/// numbered.
pub(super) fn of_examples(scenarios: &[&Scenario]) -> Vec<String> {
    let values = |scenario: &Scenario| -> Vec<String> {
        let row =
            scenario.examples.first().and_then(|examples| examples.table.as_ref()?.rows.get(1));
        row.map(|row| row.iter().map(|value| slug(value)).collect()).unwrap_or_default()
    };
    let columns = scenarios.iter().map(|scenario| values(scenario).len()).max().unwrap_or(0);
    let names = |taken: usize| -> Vec<String> {
        let name = |scenario: &&Scenario| {
            let title = slug(&scenario.name);
            let shown = values(scenario)
                .into_iter()
                .take(taken)
                .filter(|value| !value.is_empty() && !title.contains(value.as_str()));
            [title.clone()].into_iter().chain(shown).collect::<Vec<_>>().join("_")
        };
        scenarios.iter().map(name).collect()
    };
    let distinct = |names: &[String]| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let found = (1..=columns.max(1)).map(names).find(|names| distinct(names));
    found.unwrap_or_else(|| {
        names(1).into_iter().zip(1..).map(|(name, number)| format!("{name}_{number}")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_paths_and_titles() {
        assert_eq!(module("journeys/01_project_signed_in.feature"), "journeys::project_signed_in");
        assert_eq!(module("protocol/buffering/redirect.feature"), "protocol::buffering::redirect");
        assert_eq!(slug("A user's POST, re-sent: 3 MiB!"), "a_users_post_re_sent_3_mib");
        assert_eq!(slug("/my%2Dcompany/"), "my_2dcompany");
    }
}
