//! A decision in words.

use std::fmt::{self, Write as _};

use super::wrap;
use conformance_suite::catalog::Coverage;
use conformance_suite::engine::counted;
use conformance_suite::ledger::Ledger;
use conformance_suite::spec::Decision;

/// A decision in two lines.
pub(super) fn short(decision: &Decision) -> String {
    let Decision { id, unclear, reading, .. } = decision;
    format!("{id}  unclear: {unclear}\n  read as: {reading}\n")
}

/// All that a decision says, how strict the suite is, and the requirements that it affects.
pub(super) fn explain(
    decision: &Decision,
    ledger: &Ledger,
    coverage: &Coverage<'_>,
) -> Result<String, fmt::Error> {
    let Decision { id, places, kind, severity, cause, suite, why, requirements, .. } = decision;
    let mut text = format!(
        "{id}  decision: {}, {}, {}\n",
        kind.in_words(),
        severity.in_words(),
        cause.in_words()
    );
    for place in places {
        wrap(&mut text, &format!("where: {}", place.in_words()))?;
    }
    let sentences = [
        ("unclear", Some(&decision.unclear)),
        ("read as", Some(&decision.reading)),
        ("otherwise", decision.otherwise.as_ref()),
        ("leads to", Some(&decision.leads_to)),
        ("blocks", decision.blocks.as_ref()),
        ("should say", decision.should_say.as_ref()),
    ];
    for (name, sentence) in sentences {
        if let Some(sentence) = sentence {
            wrap(&mut text, &format!("{name}: {sentence}"))?;
            text.push('\n');
        }
    }
    wrap(&mut text, suite.in_words())?;
    if let Some(why) = why {
        wrap(&mut text, &format!("no scenario tests the reading: {why}"))?;
    }
    if requirements.is_empty() {
        return Ok(text);
    }
    writeln!(text, "\n  it bears on {}:", counted(requirements.len(), "requirement"))?;
    for id in requirements {
        let Some(row) = ledger.row(id) else { continue };
        let cases = coverage.cases(id).len();
        writeln!(text, "    {id}  {}, {}: {}", row.level, row.profile, counted(cases, "case"))?;
    }
    let cited = requirements.iter().find(|id| !coverage.cases(id).is_empty());
    if let Some(id) = cited {
        writeln!(text, "    run: cells-conformance run --tag req:{id}")?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::catalog::Catalog;
    use conformance_suite::spec::Decisions;

    #[test]
    fn every_decision_is_explained_with_all_that_it_says() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let coverage = Coverage::of(&catalog);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for decision in Decisions::embedded().all() {
            let text = explain(decision, ledger, &coverage).unwrap();
            assert!(text.starts_with(&decision.id));
            for part in decision.sentences() {
                assert!(words(&text).contains(&words(part)), "{part}\n{text}");
            }
            for id in &decision.requirements {
                assert!(text.contains(id.as_str()), "{id}\n{text}");
            }
            assert!(!text.lines().any(|line| line.chars().count() > 102), "{text}");
        }
    }
}
