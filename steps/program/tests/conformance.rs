//! The suite, one trial for each scenario and protocol: against the reference router, or against
//! the router that the environment names.
//!
//! `CELLS_ROUTER_FILE` is the path of a router file; a relative path starts at the root of the
//! workspace. `CELLS_ROUTER` is a command of words separated by blanks; with a router file, it
//! replaces the file's command. With the reference router a violated SHOULD fails too; hyper differs from a MAY (Z-55).

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use conformance_suite::harness::{Harness, REFERENCE_CLAIMS, usage_error};

fn main() -> ExitCode {
    match chosen(|name| std::env::var_os(name)) {
        Ok(harness) => harness.main(),
        Err(why) => usage_error(&why),
    }
}

fn chosen(variable: impl Fn(&str) -> Option<OsString>) -> Result<Harness, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."));
    let value = |name: &str| match variable(name) {
        Some(value) if value.to_string_lossy().trim().is_empty() => {
            Err(format!("{name} is set, but empty: unset it, or name a router"))
        }
        Some(value) => Ok(Some(
            value.into_string().map_err(|value| format!("{name} is not valid UTF-8: {value:?}"))?,
        )),
        None => Ok(None),
    };
    let file = value("CELLS_ROUTER_FILE")?.map(|path| Harness::of_router_file(root.join(path)));
    let command = value("CELLS_ROUTER")?;
    let mut words = command.iter().flat_map(|command| command.split_whitespace());
    // A program without a slash is looked for in PATH.
    let program = words.next().map(|word| {
        if word.contains('/') { root.join(word).into_os_string() } else { word.into() }
    });
    Ok(match (file, program) {
        (None, None) => Harness::of_command(env!("CARGO_BIN_EXE_cells-conformance"), ["router"])
            .claiming(REFERENCE_CLAIMS)
            .strict(),
        (None, Some(program)) => Harness::of_command(program, words),
        (Some(file), None) => file,
        (Some(file), Some(program)) => file.with_command(program, words),
    })
}
