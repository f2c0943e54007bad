//! Builds the features into the library, so that one binary is the whole suite.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    write_expressions()?;
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

/// The expressions of the step functions: all of them with their places (`written.rs`), and those
/// that the suite itself writes, as constants with the names of the functions (`expression.rs`).
fn write_expressions() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default())
        .join("src")
        .join("steps");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut paths: Vec<_> =
        fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut written = String::from("const WRITTEN: &[Written] = &[\n");
    let mut constants = String::new();
    for path in paths {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let source = fs::read_to_string(&path)?;
        let mut rest = source.as_str();
        while let Some(at) = ["#[given(", "#[when(", "#[then("]
            .iter()
            .filter_map(|start| rest.find(&format!("\n{start}")))
            .min()
        {
            rest = &rest[at + 1..];
            let line = source[..source.len() - rest.len()].matches('\n').count() + 1;
            let missing = || io::Error::other(format!("{file}:{line} is no step function"));
            let (_, after) = rest.split_once("expr = ").ok_or_else(missing)?;
            let (literal, after) = after.split_once(")]").ok_or_else(missing)?;
            let (_, after) = after.split_once("\nfn ").ok_or_else(missing)?;
            let (name, _) = after.split_once('(').ok_or_else(missing)?;
            let (body, _) = after.split_once("\n}\n").ok_or_else(missing)?;
            let literal = literal.trim();
            let doc_string = body.contains("step.doc_string");
            let _ = writeln!(
                written,
                "    Written {{ file: {file:?}, line: {line}, expression: {literal}, \
                 doc_string: {doc_string} }},"
            );
            // An action renders itself as a When step, an exploration its judgment.
            if file.starts_with("when_") || file == "then_model.rs" {
                let name = name.to_ascii_uppercase();
                let _ = writeln!(constants, "pub(crate) const {name}: &str = {literal};");
            }
            rest = after;
        }
    }
    written.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("written.rs"), written)?;
    fs::write(out.join("expression.rs"), constants)
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
