//! The modules of the crate import each other in one direction only, and so do the files of a module
//! but for pairs, and the files of the broken routers' base.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Which modules, or files of one module, each one imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let imports = imports();
    assert!(imports.contains_key("route") && imports["route"].contains("cache"), "{imports:?}");
    assert!(imports.len() <= 20, "more modules than a reader keeps in mind: {:?}", imports.keys());
    for module in imports.keys() {
        assert!(!reaches(&imports, module, module), "{}", circle(&imports, module));
    }
}

/// A file and the `mod.rs` above it may take from each other.
#[test]
fn no_more_than_two_files_of_a_module_import_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = BTreeSet::new();
    for module in imports().keys().filter(|module| root.join(module).is_dir()) {
        let imports = imports_between_files(&root.join(module));
        for file in imports.keys() {
            let in_circle =
                |other: &&String| reaches(&imports, file, other) && reaches(&imports, other, file);
            let number = imports.keys().filter(in_circle).count();
            assert!(number <= 2, "{module}: {}", circle(&imports, file));
            seen.extend(
                imports[file].iter().map(|imported| format!("{module}: {file} {imported}")),
            );
        }
    }
    for import in ["route: mod bookkeeping", "route: learning mod", "upstream: error link"] {
        assert!(seen.contains(import), "{import} is not found: {seen:?}");
    }
}

/// The base is beside this crate, and not in its package.
#[test]
fn no_files_of_the_base_of_broken_routers_import_each_other_in_a_circle() {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("broken/src/base");
    if !base.is_dir() {
        eprintln!("the broken routers are not there: nothing to read");
        return;
    }
    let mut files = Vec::new();
    files_below(&base, &mut files);
    let read = |file: &PathBuf| {
        let name = file.strip_prefix(&base).expect("it is below").with_extension("");
        let name = name.to_string_lossy().trim_end_matches("/mod").to_owned();
        (name, without_tests(&std::fs::read_to_string(file).expect("sources are text")))
    };
    let sources: BTreeMap<String, String> = files.iter().map(read).collect();
    let file_of = |path: String| {
        let mut steps: Vec<&str> = path.split("::").collect();
        while !steps.is_empty() && !sources.contains_key(&steps.join("/")) {
            steps.pop();
        }
        steps.join("/")
    };
    let imported = |(name, code): (&String, &String)| {
        let mut imported: BTreeSet<_> =
            paths_behind(code, "crate::base::").into_iter().map(file_of).collect();
        imported.remove(name);
        (name.clone(), imported)
    };
    let imports: Imports = sources.iter().map(imported).collect();
    for (file, other) in [("forward", "http1/cell"), ("edge/response", "edge"), ("pages", "body")] {
        assert!(imports[file].contains(other), "{file} -> {other} is not found: {imports:?}");
    }
    for file in imports.keys() {
        assert!(!reaches(&imports, file, file), "{}", circle(&imports, file));
    }
}

#[test]
fn metrics_is_a_leaf() {
    assert_eq!(imports()["metrics"], BTreeSet::new());
}

/// Whether imports lead from one module to another, in one step or more.
fn reaches(imports: &Imports, from: &str, to: &str) -> bool {
    let (mut seen, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(module) = left.pop() {
        for imported in imports.get(module).into_iter().flatten() {
            if imported == to {
                return true;
            }
            if seen.insert(imported) {
                left.push(imported);
            }
        }
    }
    false
}

/// The imports between the modules of the circles that this one is part of.
fn circle(imports: &Imports, module: &str) -> String {
    let within = |other: &str| reaches(imports, module, other) && reaches(imports, other, module);
    let mut text = format!("`{module}` imports itself in a circle:");
    for (from, imported) in imports.iter().filter(|(from, _)| within(from)) {
        for to in imported.iter().filter(|to| within(to)) {
            text.push_str(&format!("\n  {from} -> {to}"));
        }
    }
    text
}

/// Reads the sources of the crate, without its tests.
fn imports() -> Imports {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = std::fs::read_to_string(root.join("lib.rs")).expect("the crate has a root");
    let modules: BTreeSet<String> = without_tests(&library)
        .lines()
        .filter_map(|line| line.trim_end_matches(';').rsplit_once("mod "))
        .map(|(_, module)| module.to_owned())
        .collect();
    let mut imports = Imports::new();
    for module in &modules {
        let mut imported = BTreeSet::new();
        let mut files = vec![root.join(module).with_extension("rs")];
        files_below(&root.join(module), &mut files);
        for file in files.iter().filter(|file| file.exists()) {
            let source = std::fs::read_to_string(file).expect("sources are text");
            let is_top = file.parent() == Some(&root) || file.ends_with("mod.rs");
            for name in names_in_the_crate(&without_tests(&source), is_top, file) {
                assert!(modules.contains(&name), "{}: `crate::{name}`", file.display());
                imported.insert(name);
            }
        }
        imported.remove(module);
        imports.insert(module.clone(), imported);
    }
    imports
}

/// Which files of a folder each one imports, by their names without `.rs`.
fn imports_between_files(folder: &Path) -> Imports {
    let mut files = Vec::new();
    files_below(folder, &mut files);
    let name = |file: &PathBuf| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names: BTreeSet<String> = files.iter().map(name).collect();
    let mut imports = Imports::new();
    for file in files.iter().filter(|file| file.parent() == Some(folder)) {
        let own = name(file);
        let code = without_tests(&std::fs::read_to_string(file).expect("sources are text"));
        // `mod.rs` names its files as they are, and another file by way of `super`.
        let mut imported: BTreeSet<String> = if own == "mod" {
            let is_named = |name: &&String| {
                code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
                    .any(|path| path.starts_with(&format!("{name}::")))
            };
            names.iter().filter(is_named).cloned().collect()
        } else {
            words_behind(&code, "super::")
                .map(|word| names.get(&word).cloned().unwrap_or_else(|| "mod".to_owned()))
                .collect()
        };
        imported.remove(&own);
        imports.insert(own, imported);
    }
    imports
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("the folder can be read").path();
        match path.file_stem().and_then(|name| name.to_str()) {
            Some(name) if name == "tests" || name.ends_with("_tests") => {}
            _ if path.is_dir() => files_below(&path, files),
            _ => files.push(path),
        }
    }
}

/// Code without comments, and without the items that are there for tests alone.
fn without_tests(source: &str) -> String {
    let mut code = String::new();
    let mut lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            code.push_str(line);
            code.push('\n');
            continue;
        }
        // As `rustfmt` has it, an item ends on a line of its own depth.
        let depth = line.len() - line.trim_start().len();
        let ends = |line: &&str| {
            let own = line.len() - line.trim_start().len() == depth;
            own && (line.ends_with('}') || line.ends_with(';') || line.ends_with("},"))
        };
        lines.find(ends);
    }
    code
}

/// What follows `crate::`, wherever it is written. There is no other way to another module.
fn names_in_the_crate(code: &str, is_top: bool, file: &Path) -> Vec<String> {
    let other_way = ["crate::{", "super::super::", if is_top { "super::" } else { "crate::{" }];
    let found = other_way.iter().find(|way| code.contains(*way));
    assert!(found.is_none(), "{}: write `crate::NAME` instead of {found:?}", file.display());
    words_behind(code, "crate::").collect()
}

/// The word behind each of these ways to one; empty where braces are.
fn words_behind(code: &str, way: &str) -> impl Iterator<Item = String> {
    let word = |rest: &str| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    code.split(way).skip(1).map(word)
}

/// The paths behind each of these ways, those in braces one by one.
fn paths_behind(code: &str, way: &str) -> Vec<String> {
    let paths = |rest: &str| {
        let is_path = |c: char| c.is_alphanumeric() || "_:".contains(c);
        let (path, more) = rest.split_at(rest.find(|c| !is_path(c)).unwrap_or(rest.len()));
        let inner = more.strip_prefix('{').and_then(|more| more.split('}').next());
        inner.map_or(vec![path.to_owned()], |inner| {
            inner.split(',').map(|name| format!("{path}{}", name.trim())).collect()
        })
    };
    code.split(way).skip(1).flat_map(paths).collect()
}
