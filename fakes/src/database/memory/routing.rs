//! The routes table: finds the rows that cover a request path, byte for byte on whole segments
//!

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::CellId;
use crate::rows::{Conflict, Covering, Id, Route, Source, prefixes};

/// `routes`, with its index on the namespace or project.
#[derive(Clone, Debug, Default)]
pub(super) struct RoutesTable {
    rows: BTreeMap<String, Arc<Route>>,
    sources: HashMap<Source, String>,
}

impl RoutesTable {
    pub(super) fn add(&mut self, mut route: Route) -> Result<(), Conflict> {
        let kept = route.path.trim_end_matches('/').len();
        // An exact row at `/a/` is another path than `/a`.
        if !route.exact {
            route.path.truncate(kept);
        }
        // A page row replaces a row of the population at the same path; other paths are unique.
        if route.source != Source::Page && self.rows.contains_key(&route.path) {
            return Err(Conflict::Taken(route.path));
        }
        self.index(&route);
        self.rows.insert(route.path.clone(), Arc::new(route));
        Ok(())
    }

    /// Lets the id of a namespace or project lead to its row.
    fn index(&mut self, route: &Route) {
        if route.source != Source::Page {
            self.sources.insert(route.source, route.path.clone());
        }
        // A number that is older than the UUID leads to the same row.
        if let Some(number) = route.number.map(Id::Number) {
            let older = match route.source {
                Source::Namespace(_) => Source::Namespace(number),
                Source::Project(_) => Source::Project(number),
                Source::Page => Source::Page,
            };
            self.sources.insert(older, route.path.clone());
        }
    }

    /// Moves the row of a path, and all rows below it, to a cell.
    pub(super) fn place(&mut self, path: &str, cell: &CellId) {
        let below = below(path);
        for (key, row) in self.rows.range_mut(path.to_owned()..below.end) {
            if key == path || *key >= below.start {
                Arc::make_mut(row).cell = cell.clone();
            }
        }
    }

    /// Gives the row of a path, and all rows below it, another path. Nothing may be at or below
    /// that path yet.
    pub(super) fn rename(&mut self, path: &str, to: &str) -> Result<(), Conflict> {
        if self.at_or_below(to).next().is_some() {
            return Err(Conflict::Taken(to.to_owned()));
        }
        let keys: Vec<_> = self.at_or_below(path).cloned().collect();
        if keys.is_empty() {
            return Err(Conflict::Missing(path.to_owned()));
        }
        for key in keys {
            let Some(mut row) = self.rows.remove(&key) else { continue };
            let renamed = format!("{to}{}", &key[path.len()..]);
            Arc::make_mut(&mut row).path = renamed.clone();
            self.index(&row);
            self.rows.insert(renamed, row);
        }
        Ok(())
    }

    fn at_or_below(&self, path: &str) -> impl Iterator<Item = &String> {
        let own = self.rows.get_key_value(path).map(|(key, _)| key);
        own.into_iter().chain(self.rows.range(below(path)).map(|(key, _)| key))
    }

    /// All rows that cover a path, the shortest first.
    pub(super) fn covering(&self, path: &str) -> Vec<Covering> {
        let rows = prefixes(path).filter_map(|prefix| self.rows.get(prefix));
        let covering = rows.filter(|row| !row.exact || row.path == path);
        covering
            .map(|row| Covering { route: Route::clone(row), uniform: self.is_uniform(row) })
            .collect()
    }

    /// All rows, in the order of their paths.
    pub(super) fn rows(&self) -> Vec<Route> {
        self.rows.values().map(|row| Route::clone(row)).collect()
    }

    /// The row of this namespace or project.
    pub(super) fn of(&self, source: Source) -> Option<Route> {
        let row = self.rows.get(self.sources.get(&source)?)?;
        Some(Route::clone(row))
    }

    /// The row of the project with this path (`/group/project`).
    pub(super) fn project_at(&self, path: &str) -> Option<Route> {
        let row = self.rows.get(path)?;
        matches!(row.source, Source::Project(_)).then(|| Route::clone(row))
    }

    fn is_uniform(&self, row: &Route) -> bool {
        self.rows.range(below(&row.path)).all(|(_, child)| child.cell == row.cell)
    }
}

/// The keys below a path.
fn below(path: &str) -> std::ops::Range<String> {
    // '0' is the character after '/'.
    format!("{path}/")..format!("{path}0")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(path: &str, cell: CellId, exact: bool) -> Route {
        Route {
            path: path.to_owned(),
            cell,
            source: Source::Page,
            number: None,
            public: true,
            exact,
            learned_by_own_path: true,
        }
    }

    fn table(rows: &[(&str, bool)]) -> RoutesTable {
        let mut table = RoutesTable::default();
        for (path, exact) in rows {
            table.add(row(path, CellId::eu(0), *exact)).unwrap();
        }
        table
    }

    fn longest(table: &RoutesTable, path: &str) -> Option<String> {
        table.covering(path).pop().map(|covering| covering.route.path)
    }

    #[test]
    fn rows_cover_whole_segments_and_the_longest_is_last() {
        let table =
            table(&[("/a", false), ("/a/b", false), ("/x!y/~z", false), ("/caf%C3%A9", false)]);
        for (path, found) in [
            ("/a", Some("/a")),
            ("/a/", Some("/a")),
            ("/a/b/c", Some("/a/b")),
            ("/a/b-2", Some("/a")),
            ("/a//b", Some("/a")),
            ("/a-2", None),
            ("/%61", None),
            ("/a%2Fb", None),
            ("/x!y/~z/w", Some("/x!y/~z")),
            ("/x!y", None),
            ("/caf%C3%A9/x", Some("/caf%C3%A9")),
            ("/caf%c3%a9/x", None),
            ("/", None),
        ] {
            assert_eq!(longest(&table, path).as_deref(), found, "{path}");
        }
    }

    #[test]
    fn an_exact_row_covers_its_path_alone() {
        let table = table(&[("/a", true), ("/b/", true)]);
        assert_eq!(longest(&table, "/a").as_deref(), Some("/a"));
        for path in ["/a/", "/a/b", "/b", "/b/c"] {
            assert_eq!(longest(&table, path), None, "{path}");
        }
        assert_eq!(longest(&table, "/b/").as_deref(), Some("/b/"));
    }

    #[test]
    fn a_move_takes_the_rows_below_a_path_and_no_others() {
        let mut table = table(&[
            ("/a", false),
            ("/a/b", false),
            ("/a-2", false),
            ("/a.b", false),
            ("/a0", false),
        ]);
        table.place("/a", &CellId::us(1));
        let moved: Vec<_> = table
            .rows
            .values()
            .filter(|row| row.cell == CellId::us(1))
            .map(|row| row.path.as_str())
            .collect();
        assert_eq!(moved, ["/a", "/a/b"]);
        table.place("/a/b", &CellId::eu(1));
        assert!(!table.covering("/a/b")[0].uniform);
        assert!(table.covering("/a/b")[1].uniform);
    }

    #[test]
    fn a_rename_takes_the_rows_below_a_path_and_no_others() {
        let mut table = table(&[("/a", false), ("/a/b", true), ("/a-2", false), ("/c/d", false)]);
        assert_eq!(table.rename("/a", "/a-2"), Err(Conflict::Taken("/a-2".to_owned())));
        assert_eq!(table.rename("/a", "/c"), Err(Conflict::Taken("/c".to_owned())));
        assert_eq!(table.rename("/x", "/y"), Err(Conflict::Missing("/x".to_owned())));
        table.rename("/a", "/b").unwrap();
        let paths: Vec<_> = table.rows().into_iter().map(|row| row.path).collect();
        assert_eq!(paths, ["/a-2", "/b", "/b/b", "/c/d"]);
        assert_eq!(longest(&table, "/b/b").as_deref(), Some("/b/b"));
        assert_eq!(longest(&table, "/a/b"), None);
    }

    proptest! {
        #[test]
        fn covering_is_prefix_on_segments(
            row_path in "(/[ab%!.-]{0,3}){1,3}",
            path in "(/[ab%!.-]{0,3}){1,4}",
        ) {
            let table = table(&[(&row_path, false)]);
            let trimmed = row_path.trim_end_matches('/');
            let rest = path.strip_prefix(trimmed);
            let is_at_or_below = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            let covers = !trimmed.is_empty() && is_at_or_below;
            prop_assert_eq!(longest(&table, &path).is_some(), covers);
        }
    }
}
