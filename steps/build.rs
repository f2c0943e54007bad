//! Builds the features into the library, so that one binary is the whole suite.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("features");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    // It is played before scenarios of other files, and is none itself.
    files.retain(|file| *file != root.join("late.feature"));
    // What a proposal itself permits judges no router, so these features are a separate catalog.
    let (proposals, features): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.starts_with(root.join("proposals")));
    write_features(&root, &features, "features.rs")?;
    write_features(&root, &proposals, "proposals.rs")
}

/// Feature files as a list of path and text.
fn write_features(root: &Path, files: &[PathBuf], name: &str) -> io::Result<()> {
    let mut text = String::from("&[\n");
    for file in files {
        let name =
            file.strip_prefix(root).map_err(io::Error::other)?.to_string_lossy().replace('\\', "/");
        let _ = writeln!(text, "    (\"{name}\", include_str!({:?})),", file.to_string_lossy());
    }
    text.push_str("]\n");
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join(name), text)
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
