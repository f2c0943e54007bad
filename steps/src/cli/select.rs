//! The options that select scenarios.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::catalog::{Case, Catalog};
use crate::engine::Selection;
use crate::engine::record::OwnFeatures;
use crate::ledger::{Ledger, Profile};

/// The options that select scenarios; without any, all are selected.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct SelectionOptions {
    /// Scenario names: a part of the name, or a pattern with `*`
    filters: Vec<String>,
    /// Scenarios of one's own in place of the suite's: a feature file, or a folder of them
    #[arg(long, value_name = "PATH")]
    features: Option<PathBuf>,
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
            features: self.features.as_ref().map(|path| path.display().to_string()),
            filters: self.filters.clone(),
            tags: self.tags.clone(),
            profiles: self.profiles.iter().copied().map(Into::into).collect(),
        }
    }

    /// The catalog to select from: the suite's, or that of one's own features.
    ///
    /// # Errors
    ///
    /// If one's own features cannot be read, or the linter complains. (What is wrong with the
    /// suite's features is an error of the suite, and stands in its catalog.)
    pub(super) fn catalog(&self) -> Result<Catalog, String> {
        let Some(path) = &self.features else { return Ok(Catalog::embedded()) };
        let catalog = Catalog::of_own(OwnFeatures::read(path)?);
        if catalog.errors.is_empty() {
            return Ok(catalog);
        }
        let found: Vec<_> = catalog.errors.iter().map(|error| error.message.as_str()).collect();
        Err(format!("the features cannot be run:\n{}", found.join("\n")))
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
