//! One scenario under one protocol.

use cell_fleet::Protocol;

use super::Needs;
use crate::ledger::{Ledger, Profile, RequirementId};
use crate::steps;

/// One scenario under one protocol: what is listed, filtered and run.
#[derive(Clone, Debug)]
pub struct Case {
    /// The stable name.
    pub name: String,
    /// Where it stands: `journeys/01_project_signed_in.feature:12`.
    pub place: String,
    /// Path of the feature file below `features/`.
    pub file: String,
    /// Title of the feature.
    pub feature: String,
    /// Title of the rule, where it stands under one.
    pub rule: Option<String>,
    /// Title of the scenario.
    pub title: String,
    /// All tags, without `@`: the scenario's own, its rule's and its feature's.
    pub tags: Vec<String>,
    /// The protocol.
    pub protocol: Protocol,
    /// What it cites: the requirements that its Then steps prove, the main one first.
    pub requirements: Vec<RequirementId>,
    /// The steps: backgrounds first.
    pub steps: Vec<gherkin::Step>,
    /// What its steps need.
    pub needs: Needs,
}

impl Case {
    /// The profile of the main requirement.
    pub fn profile(&self, ledger: &Ledger) -> Profile {
        self.requirements
            .first()
            .and_then(|id| ledger.row(id))
            .map_or(Profile::Core, |row| row.profile)
    }

    /// The capability without which it is not applicable, by its tag `@capability:NAME`.
    pub fn capability(&self) -> Option<&str> {
        self.tags.iter().find_map(|tag| tag.strip_prefix("capability:"))
    }

    /// Whether it holds whatever the router remembers from before, by its tag `@any-cache`.
    pub fn holds_with_any_cache(&self) -> bool {
        self.tags.iter().any(|tag| tag == "any-cache")
    }

    /// The line on which it stands.
    pub fn line(&self) -> usize {
        self.place.rsplit(':').next().and_then(|line| line.parse().ok()).unwrap_or(0)
    }

    /// A step as it stands in the scenario, keyword first; empty where there is none.
    pub fn step_text(&self, index: usize) -> String {
        let text = |step: &gherkin::Step| format!("{} {}", step.keyword.trim(), step.value);
        self.steps.get(index).map(text).unwrap_or_default()
    }

    /// The paths whose owners at the end belong to the trace.
    pub(crate) fn watched_paths(&self) -> Vec<String> {
        let watching = self.steps.iter().filter_map(|step| steps::find(step).ok());
        let watching = watching.filter(|found| found.definition.needs.ownership);
        watching.flat_map(|found| found.quoted()).collect()
    }

    /// Whether a name filter selects it: a part of the name, or a pattern with `*`.
    pub fn matches(&self, filter: &str) -> bool {
        if filter.contains('*') { glob(filter, &self.name) } else { self.name.contains(filter) }
    }
}

/// Whether a text is as the pattern says, in which `*` stands for anything.
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
    fn a_star_stands_for_anything() {
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
