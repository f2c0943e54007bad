//! Builds the features into the program, so that one binary is the whole suite.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    link_at_a_fixed_address();
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("features");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    let mut text = String::from("&[\n");
    for file in &files {
        let name = file
            .strip_prefix(&root)
            .map_err(io::Error::other)?
            .to_string_lossy()
            .replace('\\', "/");
        let _ = writeln!(text, "    (\"{name}\", include_str!({:?})),", file.to_string_lossy());
    }
    text.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("features.rs"), text)
}

/// A run starts the program two thousand times, as the reference router. Half of a start is the
/// dynamic linker, which moves the program to an address that cannot be guessed. Only routers
/// under test need that; `reference-router`, for operators, has it.
fn link_at_a_fixed_address() {
    let target = |name| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// All feature files below a folder; each folder is watched, so that a new file is noticed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "feature") {
            files.push(path);
        }
    }
    Ok(())
}
