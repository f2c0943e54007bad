//! The catalog: one case for each scenario and protocol, examples expanded, each with a stable
//! name.

mod case;
mod lint;
mod load;
mod names;
mod outline;

use std::collections::BTreeMap;

pub use crate::steps::needs::Needs;
pub use case::Case;
pub(crate) use case::glob;
pub use load::Source;

/// The features that are built into the program: path below `features/`, and text.
const EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/features.rs"));

/// All cases, and what is wrong with the features.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The cases, in the order of the features.
    pub cases: Vec<Case>,
    /// What is wrong; a catalog with faults must not give a verdict of passed.
    pub faults: Vec<CatalogError>,
}

/// Something that is wrong with a feature file. It is reported where a case would be, so that the
/// rest can still be listed and run.
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

    /// The part of the embedded catalog in which a case of exactly this name would stand. Reading
    /// only that file is what keeps a process per case affordable.
    pub fn embedded_for(name: &str) -> Self {
        let holds =
            |path: &&(&str, &str)| name.starts_with(&format!("{}::", names::module(path.0)));
        Self::load(EMBEDDED.iter().filter(holds).map(|(path, text)| Source { path, text }))
    }

    /// The embedded feature files: path below `features/`, and text.
    pub fn sources() -> impl Iterator<Item = (&'static str, &'static str)> {
        EMBEDDED.iter().copied()
    }

    /// Reads feature files.
    pub fn load<'a>(sources: impl IntoIterator<Item = Source<'a>>) -> Self {
        let mut catalog = Self::default();
        for source in sources {
            load::load(&source, &mut catalog);
        }
        catalog.refuse_duplicates();
        catalog
    }

    /// Two cases of one name would be merged silently by test runners.
    fn refuse_duplicates(&mut self) {
        let mut seen = BTreeMap::new();
        for case in &self.cases {
            if let Some(earlier) = seen.insert(case.name.clone(), case.place.clone()) {
                let message = format!(
                    "{} and {earlier} have the same name; give one of the scenarios another title",
                    case.place
                );
                self.faults
                    .push(CatalogError { name: format!("{}::duplicate", case.name), message });
            }
        }
    }
}
