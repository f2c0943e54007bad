//! `cells-conformance init`: a router file to start from.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::output::{Ended, Failed};
use conformance_suite::engine::ExitCode;
use conformance_suite::report::write_file;

/// The router file that is written. It is the documentation of router files as well.
const TEMPLATE: &str = include_str!("router.toml");
/// Name of the router file where only its folder is given.
const NAME: &str = "router.toml";

/// Write a commented router file to start from
#[derive(Debug, Args)]
pub(super) struct Init {
    /// File to write, or the folder for a `router.toml`
    #[arg(default_value = NAME)]
    path: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl Init {
    pub(super) fn execute(&self) -> Ended {
        let path = if self.path.is_dir() { self.path.join(NAME) } else { self.path.clone() };
        let shown = path.display();
        if path.exists() && !self.force {
            let why = format!("{shown} exists and was not changed; use `--force` to replace it");
            return Err(Failed::Usage(why));
        }
        write_file(&path, TEMPLATE.as_bytes()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                format!("{shown}: the folder does not exist; make it first")
            }
            _ => format!("{shown}: {error}"),
        })?;
        eprintln!("wrote {shown}; set its `name`, `command` and `protocols`, then run:");
        // `run` takes the file of the current folder.
        if path == Path::new(NAME) || path == Path::new(".").join(NAME) {
            eprintln!("  cells-conformance run");
        } else {
            eprintln!("  cells-conformance run --router-file {shown}");
        }
        Ok(ExitCode::Success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::router_file::{Capability, RouterFile};

    /// The template with its commented lines of TOML switched on.
    fn with_all_examples() -> String {
        let is_toml = |rest: &str| {
            rest.starts_with("[[")
                || rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '))
        };
        let line = |line: &'static str| {
            line.strip_prefix("# ").filter(|rest| is_toml(rest)).unwrap_or(line)
        };
        TEMPLATE.lines().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_commented_examples_are_valid_too() {
        let file = RouterFile::parse(&with_all_examples()).unwrap();
        assert_eq!(file.known_failures.len(), 1);
        assert!(file.url.is_some() && file.contact.is_some() && file.health_check_path.is_some());
        assert!(file.start_timeout.is_some() && file.reset.is_some());
    }

    #[test]
    fn every_capability_and_every_placeholder_is_explained() {
        for capability in Capability::ALL {
            assert!(
                TEMPLATE.contains(&format!("#   {} ", capability.as_str())),
                "{}",
                capability.as_str()
            );
        }
        for placeholder in ["{topology}", "{listen}", "{region}", "{protocol}"] {
            assert!(TEMPLATE.contains(placeholder), "{placeholder}");
        }
    }
}
