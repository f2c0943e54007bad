//! Which files of a crate import which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::source::{self, Source};

/// The files that each file imports. A file is named by the path of its module, with `/`; the root
/// is `lib` or `main`.
pub(crate) type Imports = BTreeMap<String, BTreeSet<String>>;

/// The files of a crate, by the paths of their modules.
struct Crate(BTreeMap<source::Path, Source>);

/// How many `use` lines of other files a path may lead through.
const LONGEST_WAY: usize = 12;

/// Reads the sources of a crate, without its tests.
pub(crate) fn imports(src: &Path) -> Imports {
    let mut files = BTreeMap::new();
    let root = if src.join("lib.rs").exists() { "lib" } else { "main" };
    read(src, root, &[], &mut files);
    let files = Crate(files);
    let name = |module: &[String]| match module {
        [] => root.to_owned(),
        module => module.join("/"),
    };
    let imports = files.0.keys().map(|module| {
        let imported = files.imported_by(module).into_iter();
        (name(module), imported.map(|module| name(&module)).collect())
    });
    imports.collect()
}

/// Reads the file of a module, and those of its modules.
fn read(folder: &Path, stem: &str, module: &[String], files: &mut BTreeMap<source::Path, Source>) {
    let inner = match stem {
        "lib" | "main" if module.is_empty() => folder.to_owned(),
        _ => folder.join(stem),
    };
    let own = folder.join(stem).with_extension("rs");
    let file = if own.exists() { own } else { inner.join("mod.rs") };
    let text = std::fs::read_to_string(&file);
    let source = Source::read(&text.unwrap_or_else(|why| panic!("{}: {why}", file.display())));
    for name in &source.modules {
        let module = [module, std::slice::from_ref(name)].concat();
        read(&inner, name, &module, files);
    }
    files.insert(module.to_vec(), source);
}

impl Crate {
    fn imported_by(&self, module: &source::Path) -> BTreeSet<source::Path> {
        let source = &self.0[module];
        // What is passed on is imported by those who name it.
        let own = source.uses.iter().filter(|brought| !brought.is_public);
        let named = own.map(|brought| &brought.path).chain(&source.paths);
        let mut imported: BTreeSet<_> =
            named.filter_map(|path| self.find(module, path, LONGEST_WAY)).collect();
        imported.remove(module);
        imported
    }

    /// The module in whose file a path of this module leads to an item; `None` for a module, and for
    /// what is not in this crate.
    fn find(&self, module: &[String], path: &[String], ways: usize) -> Option<source::Path> {
        let ways = ways.checked_sub(1)?;
        let mut module = module.to_vec();
        let mut rest = path;
        while let [first, more @ ..] = rest {
            match first.as_str() {
                "crate" => module.clear(),
                "super" => drop(module.pop()),
                "self" => {}
                _ => break,
            }
            rest = more;
        }
        let is_rooted = rest.len() < path.len();
        while let [name, more @ ..] = rest {
            let source = self.0.get(&module)?;
            // A module may pass on an item of its own name.
            let is_item = more.is_empty() && source.uses.iter().any(|it| it.name == *name);
            if source.modules.contains(name) && !is_item {
                module.push(name.clone());
                rest = more;
                continue;
            }
            if source.items.contains(name) {
                return Some(module);
            }
            let found = source.uses.iter().find_map(|brought| {
                let (last, before) = brought.path.split_last()?;
                let first = &brought.path[0];
                let is_of_crate = source.modules.contains(first)
                    || matches!(first.as_str(), "crate" | "super" | "self");
                match last.as_str() {
                    _ if !is_of_crate => None,
                    "*" => self.find(&module, &[before, rest].concat(), ways),
                    _ if brought.name != *name => None,
                    _ => self.find(&module, &[&brought.path, more].concat(), ways),
                }
            });
            // A macro may define what no file does.
            return found.or_else(|| is_rooted.then_some(module));
        }
        None
    }
}

/// The circles of files that import each other.
pub(crate) fn circles(imports: &Imports) -> BTreeSet<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|file| (file.as_str(), reached_from(imports, file))).collect();
    let circle_of = |file: &&str| -> BTreeSet<&str> {
        let back = |other: &&&str| reached.get(**other).is_some_and(|from| from.contains(file));
        reached[file].iter().filter(back).copied().collect()
    };
    reached.keys().map(circle_of).filter(|circle| !circle.is_empty()).collect()
}

/// The files to which imports lead from one, in one step or more.
fn reached_from<'a>(imports: &'a Imports, file: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut left) = (BTreeSet::new(), vec![file]);
    while let Some(file) = left.pop() {
        let imported = imports.get(file).into_iter().flatten();
        left.extend(imported.map(String::as_str).filter(|file| seen.insert(*file)));
    }
    seen
}

/// The imports between the files of a circle.
pub(crate) fn shown(imports: &Imports, circle: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for file in circle {
        for imported in imports[*file].iter().filter(|file| circle.contains(file.as_str())) {
            text.push_str(&format!("\n  {file} -> {imported}"));
        }
    }
    text
}
