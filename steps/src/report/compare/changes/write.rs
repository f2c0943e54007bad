//! The changes between two reports as text.

use std::fmt::{self, Write as _};

use super::{Change, Changes, Meaning};

/// The meanings in the order in which they are shown, with the title of each.
const TITLES: [(Meaning, &str); 4] = [
    (Meaning::Regression, "regressions"),
    (Meaning::VerdictLost, "verdicts lost"),
    (Meaning::Fix, "fixes"),
    (Meaning::Other, "other changes of the outcome"),
];

const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const GREEN: &str = "\x1b[32m";
const RESET: &str = "\x1b[0m";

/// The text in a colour of the terminal for a regression, a fix and a lost verdict.
fn coloured(meaning: Meaning, text: &str) -> String {
    let colour = match meaning {
        Meaning::Regression => RED,
        Meaning::VerdictLost => YELLOW,
        Meaning::Fix => GREEN,
        Meaning::Other => return text.to_owned(),
    };
    format!("{colour}{text}{RESET}")
}

impl Changes {
    /// The changes as lines of text, for a terminal with colours or without.
    pub fn text(&self, has_colours: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, &|meaning, words| {
            if has_colours { coloured(meaning, words) } else { words.to_owned() }
        });
        text
    }

    fn write(&self, out: &mut String, paint: &dyn Fn(Meaning, &str) -> String) -> fmt::Result {
        self.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))?;
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
            writeln!(out, "{}", paint(meaning, &format!("{title} ({}):", changes.len())))?;
            for Change { name, before, after, violated, .. } in changes {
                let ids =
                    if violated.is_empty() { String::new() } else { format!(" ({violated})") };
                writeln!(out, "  {name}\n    {before} -> {after}{ids}")?;
            }
        }
        if !self.shifted.is_empty() {
            let count = self.shifted.len();
            writeln!(out, "same outcome, other requirements violated ({count}):")?;
            for (name, old, new) in &self.shifted {
                let (old, new) = (or_nothing(old), or_nothing(new));
                writeln!(out, "  {name}\n    {old} -> {new}")?;
            }
        }
        for (title, rows) in [("new", &self.new), ("gone", &self.gone)] {
            if !rows.is_empty() {
                writeln!(out, "{title} ({}):", rows.len())?;
                rows.iter().try_for_each(|(name, word)| writeln!(out, "  {name}\n    {word}"))?;
            }
        }
        Ok(())
    }
}

fn or_nothing(ids: &str) -> &str {
    if ids.is_empty() { "nothing" } else { ids }
}
