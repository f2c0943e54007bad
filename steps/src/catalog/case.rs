//! One scenario under one protocol.

use std::sync::{Arc, OnceLock};

use cell_fleet::Protocol;

use super::bound::BoundCase;
use crate::action::Needs;
use crate::ledger::{Ledger, Profile, RequirementId};
use crate::steps;

/// One scenario under one protocol: what is listed, filtered and run.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// File and line: `journeys/01_project_signed_in.feature:12`.
    pub location: String,
    /// Path of the feature file below `features/`; of a custom one, the path where it was read.
    pub file: String,
    pub feature: String,
    pub rule: Option<String>,
    pub title: String,
    /// All tags, without `@`: the scenario's own, its rule's and its feature's.
    pub tags: Vec<String>,
    pub protocol: Protocol,
    /// The requirements that its Then steps prove, the main one first.
    pub requirements: Vec<RequirementId>,
    /// The steps, those of backgrounds first.
    pub steps: Vec<cucumber::gherkin::Step>,
    /// How many of the steps, the first ones, are what the router has lived through before, by the
    /// tag `@late`: they belong to the setup.
    pub(crate) life: usize,
    /// Its steps, found and read when they are first asked for: a process that runs a single case
    /// need not read the steps of all others.
    pub(super) bound: OnceLock<Result<Arc<BoundCase>, String>>,
}

impl Case {
    pub fn profile(&self, ledger: &Ledger) -> Profile {
        self.requirements
            .first()
            .and_then(|id| ledger.row(id))
            .map_or(Profile::Core, |row| row.profile)
    }

    /// The capability that a router must claim, by its tag `@capability:NAME`.
    pub fn capability(&self) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix("capability:"))
    }

    /// Whether it does not depend on what the router has cached, by its tag `@any-cache`.
    pub fn holds_with_any_cache(&self) -> bool {
        self.tags.iter().any(|tag| tag == "any-cache")
    }

    /// Its steps, found and read. The error names the steps that are not defined, cannot be read or
    /// do not fit the plan.
    pub(crate) fn bound(&self) -> Result<&BoundCase, String> {
        let bound = self.bound.get_or_init(|| BoundCase::of(self).map(Arc::new));
        bound.as_deref().map_err(Clone::clone)
    }

    /// What its steps need together, also where some of them cannot run.
    pub fn needs(&self) -> Needs {
        self.bound().map_or_else(|_| steps::needs(&self.steps), |bound| bound.needs)
    }

    /// The line of its location; 0 if it has none.
    pub fn line(&self) -> usize {
        self.location.rsplit(':').next().and_then(|line| line.parse().ok()).unwrap_or(0)
    }

    /// A step of the scenario, keyword first. Empty if there is no step at this position.
    pub fn step_text(&self, index: usize) -> String {
        let text =
            |step: &cucumber::gherkin::Step| format!("{} {}", step.keyword.trim(), step.value);
        self.steps.get(index).map(text).unwrap_or_default()
    }

    /// A message about a step: the location of the case, the step, and what is wrong.
    pub(crate) fn at_step(&self, index: usize, why: &str) -> String {
        format!("{}: `{}`: {why}", self.location, self.step_text(index))
    }

    /// Whether a filter selects it: a part of its name, or a pattern with `*`.
    pub fn matches(&self, filter: &str) -> bool {
        if filter.contains('*') { glob(filter, &self.name) } else { self.name.contains(filter) }
    }
}

/// The name of a scenario without its protocol.
pub fn without_protocol(name: &str) -> &str {
    name.rsplit_once('[').map_or(name, |(name, _)| name)
}

/// Whether a text matches a pattern, in which `*` stands for any text.
pub(crate) fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<_> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn a_star_matches_any_text() {
        for (pattern, text) in [
            ("*", ""),
            ("a*", "abc"),
            ("*c", "abc"),
            ("a*b*c", "a_bb_c"),
            ("abc", "abc"),
            ("*b*", "abc"),
        ] {
            assert!(glob(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in
            [("a", "abc"), ("*b", "abc"), ("b*", "abc"), ("a*d*c", "abc"), ("abc*c", "abc")]
        {
            assert!(!glob(pattern, text), "{pattern} {text}");
        }
    }
}
