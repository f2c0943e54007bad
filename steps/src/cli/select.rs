//! The options that select scenarios.

use clap::{Args, ValueEnum};

use crate::catalog::Case;
use crate::engine::Selection;
use crate::ledger::{Ledger, Profile};

/// The options that select scenarios; without any, all are selected.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SelectionOptions {
    /// Scenario names: a part of the name, or a pattern with `*`
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

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Core => Self::Core,
            ProfileName::Hardening => Self::Hardening,
            ProfileName::Fleet => Self::Fleet,
        }
    }
}

impl SelectionOptions {
    /// The selection that the options describe.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            filters: self.filters.clone(),
            tags: self.tags.clone(),
            profiles: self.profiles.iter().copied().map(Into::into).collect(),
        }
    }

    /// The selected cases.
    ///
    /// # Errors
    ///
    /// If nothing is selected, or a filter matches nothing.
    pub(super) fn of(&self, cases: &[Case], ledger: &Ledger) -> Result<Vec<Case>, String> {
        self.selection().of(cases, ledger)
    }
}
