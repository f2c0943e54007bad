//! Scenario outlines, expanded: one scenario for each row of their examples.

use std::fmt;
use std::sync::LazyLock;

use gherkin::{Examples, Feature, LineCol, Scenario, Step};
use regex::{Captures, Regex};

/// A placeholder that names no column of the examples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnknownPlaceholder {
    name: String,
    at: LineCol,
}

impl fmt::Display for UnknownPlaceholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, at } = self;
        write!(f, "{}:{}: the examples have no column <{name}>", at.line, at.col)
    }
}

/// A feature with a scenario for each row of examples. Each keeps its own row under the header.
pub(super) fn expand(mut feature: Feature) -> Result<Feature, UnknownPlaceholder> {
    feature.scenarios = expand_all(feature.scenarios)?;
    for rule in &mut feature.rules {
        rule.scenarios = expand_all(std::mem::take(&mut rule.scenarios))?;
    }
    Ok(feature)
}

fn expand_all(scenarios: Vec<Scenario>) -> Result<Vec<Scenario>, UnknownPlaceholder> {
    let mut expanded = Vec::new();
    for scenario in scenarios {
        if scenario.examples.is_empty() {
            expanded.push(scenario);
            continue;
        }
        for examples in &scenario.examples {
            let rows = examples.table.as_ref().map_or(&[][..], |table| &table.rows);
            let Some((header, rows)) = rows.split_first() else { continue };
            for (number, row) in rows.iter().enumerate() {
                expanded.push(of_row(&scenario, examples, header, (number, row))?);
            }
        }
    }
    Ok(expanded)
}

fn of_row(
    outline: &Scenario,
    examples: &Examples,
    header: &[String],
    (number, row): (usize, &Vec<String>),
) -> Result<Scenario, UnknownPlaceholder> {
    let mut scenario = outline.clone();
    scenario.position = examples.position;
    // The header stands between the keyword and the first row.
    scenario.position.line += number + 2;
    scenario.tags.extend(examples.tags.iter().cloned());
    let mut own = examples.clone();
    if let Some(table) = &mut own.table {
        table.rows = vec![header.to_vec(), row.clone()];
    }
    scenario.examples = vec![own];
    scenario.name = filled(&scenario.name, header, row, scenario.position)?;
    for step in &mut scenario.steps {
        fill(step, header, row)?;
    }
    Ok(scenario)
}

fn fill(step: &mut Step, header: &[String], row: &[String]) -> Result<(), UnknownPlaceholder> {
    let cells = step.table.iter_mut().flat_map(|table| table.rows.iter_mut().flatten());
    for text in [&mut step.value].into_iter().chain(&mut step.docstring).chain(cells) {
        *text = filled(text, header, row, step.position)?;
    }
    Ok(())
}

/// `<column>`. What begins or ends with a space is not a placeholder.
static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"<([^>\s](?:[^>\t\n\r]*[^>\s])?)>";
    Regex::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"))
});

/// A text with the row's value in place of each placeholder.
fn filled(
    text: &str,
    header: &[String],
    row: &[String],
    at: LineCol,
) -> Result<String, UnknownPlaceholder> {
    let mut unknown = None;
    let filled = PLACEHOLDER.replace_all(text, |found: &Captures<'_>| {
        let column = header.iter().position(|column| *column == found[1]);
        column.and_then(|column| row.get(column)).cloned().unwrap_or_else(|| {
            unknown.get_or_insert(UnknownPlaceholder { name: found[1].to_owned(), at });
            String::new()
        })
    });
    let filled = filled.into_owned();
    unknown.map_or(Ok(filled), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_is_filled_and_nothing_else() {
        let header = ["a", "long name"].map(str::to_owned);
        let row = ["1", "two"].map(str::to_owned);
        let at = LineCol { line: 3, col: 5 };
        for (text, expected) in [
            ("<a> and <long name>", "1 and two"),
            ("<a><a>", "11"),
            ("a < b > c", "a < b > c"),
            ("1 < <a>", "1 < 1"),
            ("<>", "<>"),
            ("an open <a", "an open <a"),
        ] {
            assert_eq!(filled(text, &header, &row, at).unwrap(), expected);
        }
        let unknown = filled("<b>", &header, &row, at).unwrap_err();
        assert_eq!(unknown.to_string(), "3:5: the examples have no column <b>");
    }
}
