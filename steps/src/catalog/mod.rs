//! The catalog: one case for each scenario and protocol, examples expanded, each with a stable
//! name.

mod bound;
mod case;
mod coverage;
pub(crate) mod documents;
mod gherkin;
mod lint;
mod load;
mod names;
mod own;
mod tags;
mod titles;

use std::collections::BTreeMap;

pub(crate) use bound::{BoundCase, BoundCheck};
pub(crate) use case::glob;
pub use case::{Case, without_protocol};
pub use coverage::Coverage;
pub(crate) use lint::tag_with_citations;
pub(crate) use names::slug;
pub use own::{feature_files, is_own, shown_file};
pub(crate) use tags::LATE;

use crate::engine::record::{OwnFeatures, RunRecord};

#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path below `features/`; of a custom file, the path where it was read.
    pub path: &'a str,
    pub text: &'a str,
}

/// The features that are built into the program: path below `features/`, and text.
const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/features.rs"));

/// What the proposals themselves permit: counterexamples of the models, in the same form.
const PROPOSALS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/proposals.rs"));

/// A longer name of a case is cut in the lists of test runners and CI systems.
const LONGEST_NAME: usize = 140;

/// All cases, and the errors of the features.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    pub cases: Vec<Case>,
    /// What is wrong with the features. A run with errors is never conformant.
    pub errors: Vec<CatalogError>,
    /// The custom features that they were read from; `None` for those of the suite.
    pub own: Option<OwnFeatures>,
}

/// An error in a feature file. It is reported like a case, so that all others can still be listed
/// and run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogError {
    /// A name like that of a case.
    pub name: String,
    /// What is wrong, where, and what to do.
    pub message: String,
}

impl Catalog {
    /// The catalog of the features that are built into the program.
    pub fn embedded() -> Self {
        Self::load(EMBEDDED.iter().map(|(path, text)| Source { path, text }))
    }

    /// The catalog of what the proposals themselves permit. It judges no router, and no run has it
    /// that does not ask for it by `--features`.
    pub fn proposals() -> Self {
        Self::load(Self::sources_of_proposals().map(|(path, text)| Source { path, text }))
    }

    /// The feature files of what the proposals permit: path below `features/`, and text.
    pub fn sources_of_proposals() -> impl Iterator<Item = (&'static str, &'static str)> {
        PROPOSALS.iter().copied()
    }

    /// The part of the embedded catalog that would have a case of exactly this name. Reading one
    /// file keeps a process per case cheap.
    pub fn embedded_for(name: &str) -> Self {
        let holds =
            |path: &&(&str, &str)| name.starts_with(&format!("{}::", names::module(path.0)));
        Self::load(EMBEDDED.iter().filter(holds).map(|(path, text)| Source { path, text }))
    }

    /// The embedded feature files: path below `features/`, and text.
    pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
        EMBEDDED.iter().copied()
    }

    pub fn load<'a>(sources: impl IntoIterator<Item = Source<'a>>) -> Self {
        let mut catalog = Self::default();
        for source in sources {
            load::load(&source, load::Whose::Suite, &mut catalog);
        }
        catalog.checked()
    }

    pub fn of_own(features: OwnFeatures) -> Self {
        let mut catalog = Self::default();
        for file in &features.files {
            let source = Source { path: &file.file, text: &file.text };
            load::load(&source, load::Whose::Own { path: &file.path }, &mut catalog);
        }
        Self { own: Some(features), ..catalog.checked() }
    }

    /// The catalog from which the cases of a record were selected.
    pub fn of(record: &RunRecord) -> Self {
        record.features.clone().map_or_else(Self::embedded, Self::of_own)
    }

    fn checked(mut self) -> Self {
        self.refuse_duplicates();
        self.refuse_long_names();
        self
    }

    /// Test runners would silently merge two cases of one name.
    fn refuse_duplicates(&mut self) {
        let mut seen = BTreeMap::new();
        for case in &self.cases {
            if let Some(earlier) = seen.insert(case.name.clone(), case.location.clone()) {
                let message = format!(
                    "{} and {earlier} have the same name; give one of the scenarios another title",
                    case.location
                );
                self.errors
                    .push(CatalogError { name: format!("{}::duplicate", case.name), message });
            }
        }
    }

    /// Names are read whole, in lists and logs.
    fn refuse_long_names(&mut self) {
        for case in self.cases.iter().filter(|case| case.name.len() > LONGEST_NAME) {
            let message = format!(
                "{}: the name has {} characters, at most {LONGEST_NAME} are fine; shorten the \
                 title, the rule or the example: {}",
                case.location,
                case.name.len(),
                case.name
            );
            self.errors.push(CatalogError { name: format!("{}::too_long", case.name), message });
        }
    }
}
