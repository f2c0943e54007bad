//! The groups of tasks that need a part of the machine for themselves.

use super::pool::Group;
use crate::catalog::Case;

/// Cases that judge an upper bound of a time: one of them runs at a time. Two of them would make
/// each other's times longer. It takes one job: with more, it waits for them, and the suite takes a
/// fifth longer.
pub(crate) const QUIET: Group = Group { name: "quiet", limit: 1, slots: 1 };

/// Measurements of time or memory, which need the whole machine.
pub(crate) const MEASUREMENT: Group = Group { name: "measurement", limit: 1, slots: usize::MAX };

/// The group that a case belongs to; `None` for the many that run beside anything.
pub(crate) fn group_of(case: &Case) -> Option<&'static Group> {
    case.needs.quiet.then_some(&QUIET)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn cases_that_judge_a_time_are_quiet_and_others_are_not() {
        let catalog = Catalog::embedded();
        let quiet = catalog.cases.iter().filter(|case| group_of(case) == Some(&QUIET)).count();
        assert!((1..catalog.cases.len() / 10).contains(&quiet), "{quiet} of all");
    }
}
