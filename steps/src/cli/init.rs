//! `cells-conformance init`: a router file to begin with.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::usage_error;

/// What is written: the documentation of router files, and one at the same time.
const TEMPLATE: &str = include_str!("router.toml");
/// What a router file is called where only its folder is named.
const NAME: &str = "router.toml";

/// Writes a router file.
#[derive(Debug, Args)]
pub(super) struct Init {
    /// Where to: a file, or the folder that gets a `router.toml`
    #[arg(default_value = NAME)]
    path: PathBuf,
    /// Replaces a file that is there
    #[arg(long)]
    force: bool,
}

impl Init {
    pub(super) fn execute(&self) -> ExitCode {
        let path = if self.path.is_dir() { self.path.join(NAME) } else { self.path.clone() };
        match write(&path, self.force) {
            Ok(()) => {
                eprintln!(
                    "{} is written; once its `name`, `command` and `protocols` are right:",
                    path.display()
                );
                eprintln!("  cells-conformance run --router-file {}", path.display());
                ExitCode::SUCCESS
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => usage_error(&format!(
                "{} is there already and stays as it is; `--force` replaces it",
                path.display()
            )),
            Err(error) => usage_error(&format!("{}: {error}", path.display())),
        }
    }
}

/// Whether a file is there is decided by the system as it makes it, so that none is lost in
/// between.
fn write(path: &Path, force: bool) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(!force).create(force).truncate(force);
    options.open(path)?.write_all(TEMPLATE.as_bytes())
}

#[cfg(test)]
mod tests {
    use cell_fleet::Protocol;

    use super::*;
    use crate::router_file::{Capability, RouterFile};

    /// The template with every line that is commented out but meant as TOML.
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
    fn the_template_is_a_router_file() {
        let file = RouterFile::parse(TEMPLATE).unwrap();
        assert!(
            file.claims_protocol(Protocol::Buffering) && file.claims_protocol(Protocol::Learning)
        );
        assert!(file.capabilities.is_empty() && file.known_failures.is_empty());
    }

    #[test]
    fn what_is_commented_out_is_sound_too() {
        let file = RouterFile::parse(&with_all_examples()).unwrap();
        assert_eq!(file.known_failures.len(), 1);
        assert!(file.url.is_some() && file.contact.is_some() && file.health_check_path.is_some());
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

    #[test]
    fn a_file_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        write(&path, false).unwrap();
        std::fs::write(&path, "mine, and longer than nothing").unwrap();
        assert_eq!(write(&path, false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine, and longer than nothing");
        write(&path, true).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), TEMPLATE);
    }
}
