//! A feature file, before it is read.

/// A feature file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// Path below `features/`; of a custom file, the path where it was read.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}
