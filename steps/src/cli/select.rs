//! Which scenarios a command is about.

use clap::{Args, ValueEnum};

use crate::catalog::Case;
use crate::ledger::{Ledger, Profile};

/// Which scenarios; all where nothing is said.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Selection {
    /// Names of scenarios: a part of the name, or a pattern with `*`
    filters: Vec<String>,
    /// Only scenarios with this tag, like `req:BF-03`, `doc:buffering/root` or `learning`
    /// (repeatable: any of them)
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only scenarios of this profile (repeatable: any of them)
    #[arg(long = "profile", value_enum, value_name = "PROFILE")]
    profiles: Vec<ProfileName>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ProfileName {
    Core,
    Hardening,
    Fleet,
}

impl ProfileName {
    fn is(self, profile: Profile) -> bool {
        matches!(
            (self, profile),
            (Self::Core, Profile::Core)
                | (Self::Hardening, Profile::Hardening)
                | (Self::Fleet, Profile::Fleet)
        )
    }
}

impl Selection {
    /// The selected cases.
    ///
    /// # Errors
    ///
    /// Where nothing is selected, or a filter matches nothing: a run of nothing must not look
    /// green.
    pub(super) fn of(&self, cases: &[Case], ledger: &Ledger) -> Result<Vec<Case>, String> {
        let hint = "`cells-conformance list` shows the names";
        if let Some(filter) =
            self.filters.iter().find(|filter| !cases.iter().any(|case| case.matches(filter)))
        {
            return Err(format!("no scenario is named like {filter}; {hint}"));
        }
        if let Some(tag) = self.tags.iter().find(|tag| !cases.iter().any(|case| has(case, tag))) {
            return Err(format!("no scenario has the tag {tag}; {hint}"));
        }
        let named = |case: &&Case| {
            self.filters.is_empty() || self.filters.iter().any(|filter| case.matches(filter))
        };
        let tagged =
            |case: &&Case| self.tags.is_empty() || self.tags.iter().any(|tag| has(case, tag));
        let profiled = |case: &&Case| {
            self.profiles.is_empty()
                || self.profiles.iter().any(|profile| profile.is(case.profile(ledger)))
        };
        let selected: Vec<_> =
            cases.iter().filter(named).filter(tagged).filter(profiled).cloned().collect();
        if selected.is_empty() {
            Err(format!("the filters together select no scenario; {hint}"))
        } else {
            Ok(selected)
        }
    }

    /// The filters as they were given.
    pub(super) fn words(&self) -> Vec<String> {
        let tags = self.tags.iter().map(|tag| format!("--tag {tag}"));
        let profiles = self
            .profiles
            .iter()
            .map(|profile| format!("--profile {}", format!("{profile:?}").to_lowercase()));
        self.filters.iter().cloned().chain(tags).chain(profiles).collect()
    }
}

fn has(case: &Case, tag: &str) -> bool {
    let tag = tag.trim_start_matches('@');
    let begins = |own: &str| own.strip_prefix(tag).is_some_and(|rest| rest.starts_with(['/', ':']));
    case.tags.iter().any(|own| own == tag || (tag.starts_with("doc:") && begins(own)))
}
