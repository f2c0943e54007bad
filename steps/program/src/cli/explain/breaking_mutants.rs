//! The mutants that break a requirement.

use std::fmt::{self, Write as _};

use conformance_suite::ledger::Requirement;

/// Adds the mutants that break the requirement. The broken routers are known only to a program that
/// was built with them; any other says so.
#[cfg(feature = "broken")]
pub(super) fn describe(text: &mut String, row: &Requirement) -> fmt::Result {
    use conformance_laboratory::self_test::MutantUnderTest;
    use conformance_suite::engine::counted;

    let breaking: Vec<_> = MutantUnderTest::routers()
        .chain(MutantUnderTest::cells())
        .filter(|mutant| mutant.requirement == row.id.as_str())
        .collect();
    let Some(first) = breaking.first() else {
        return writeln!(text, "\n  no mutant breaks it");
    };
    let kind = if first.is_cell() { "cell mutant" } else { "router mutant" };
    writeln!(text, "\n  broken by {}:", counted(breaking.len(), kind))?;
    for mutant in &breaking {
        writeln!(text, "    {}\n      {}", mutant.name, mutant.summary)?;
    }
    writeln!(text, "    see how it is caught: cells-conformance self-test --quick {}", first.name)
}

#[cfg(not(feature = "broken"))]
pub(super) fn describe(text: &mut String, _: &Requirement) -> fmt::Result {
    writeln!(text, "\n  mutants that break it: not in this build (feature `broken`)")
}
