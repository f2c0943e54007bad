//! The source of the variables: injected, so that tests and other programs can choose it.

use std::ffi::OsString;

/// A source of the variables that configure the router.
pub trait Environment {
    /// The value of a variable, or `None` where it is not set.
    fn variable(&self, name: &str) -> Option<OsString>;
}

/// The environment of this process.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProcessEnvironment;

impl Environment for ProcessEnvironment {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }
}

impl<F: Fn(&str) -> Option<OsString>> Environment for F {
    fn variable(&self, name: &str) -> Option<OsString> {
        self(name)
    }
}
