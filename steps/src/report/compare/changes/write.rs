//! The changes between two reports as text.

use std::fmt::{self, Write as _};

use anstyle::Style;

use super::{Change, Changes, Meaning};
use crate::engine::counted;
use crate::report::Styles;
use crate::stage::readable_text;

/// The meanings in the order in which they are shown, with the title of each.
const TITLES: [(Meaning, &str); 4] = [
    (Meaning::Regression, "regressions"),
    (Meaning::VerdictLost, "verdicts lost"),
    (Meaning::Fix, "fixes"),
    (Meaning::Other, "other changes of the outcome"),
];

/// How the title of changes with this meaning looks.
fn style(meaning: Meaning, styles: &Styles) -> Style {
    match meaning {
        Meaning::Regression => styles.failed,
        Meaning::VerdictLost => styles.warned,
        Meaning::Fix => styles.passed,
        Meaning::Other => Style::new(),
    }
}

impl Changes {
    /// The changes as lines of text in these styles.
    pub fn text(&self, styles: &Styles) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, styles);
        text
    }

    fn write(&self, out: &mut String, styles: &Styles) -> fmt::Result {
        // Reports of others can hold anything, also what a terminal obeys.
        let plain = readable_text;
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {}", plain(note)))?;
        if self.changed.is_empty()
            && self.shifted.is_empty()
            && self.new.is_empty()
            && self.gone.is_empty()
        {
            return writeln!(out, "no scenario changed");
        }
        for (meaning, title) in TITLES {
            let changes: Vec<_> = self.with(meaning).collect();
            if changes.is_empty() {
                continue;
            }
            let style = style(meaning, styles);
            writeln!(out, "{style}{title} ({}):{style:#}", changes.len())?;
            for Change { name, before, after, violated, .. } in changes {
                let ids =
                    if violated.is_empty() { String::new() } else { format!(" ({violated})") };
                let change = format!("{before} -> {after}{ids}");
                writeln!(out, "  {}\n    {}", plain(name), plain(&change))?;
            }
        }
        if !self.shifted.is_empty() {
            let count = self.shifted.len();
            writeln!(out, "same outcome, other findings ({count}):")?;
            for (name, old, new) in &self.shifted {
                let (old, new) = (or_nothing(old), or_nothing(new));
                let change = format!("{old} -> {new}");
                writeln!(out, "  {}\n    {}", plain(name), plain(&change))?;
            }
        }
        for (title, rows, selection) in
            [("new", &self.new, "first"), ("gone", &self.gone, "second")]
        {
            if self.from_the_same && !rows.is_empty() {
                let count = counted(rows.len(), "scenario");
                writeln!(out, "not selected for the {selection} report: {count}")?;
            } else if !rows.is_empty() {
                writeln!(out, "{title} ({}):", rows.len())?;
                rows.iter()
                    .try_for_each(|(name, word)| writeln!(out, "  {}\n    {word}", plain(name)))?;
            }
        }
        Ok(())
    }
}

fn or_nothing(ids: &str) -> &str {
    if ids.is_empty() { "nothing" } else { ids }
}
