//! The layout of a drawing: a column for each participant.

use maud::{Markup, html};

use super::notation::Item;

/// The width of a character of a label in pixels, as a fraction: 73/10. The fonts of the page are
/// monospaced and at most this wide.
pub(super) const CHARACTER: (usize, usize) = (73, 10);

/// The height of the heads, with the space under them.
pub(super) const HEAD: usize = 28;
/// The least width of a drawing, which leaves labels some room.
const LEAST: usize = 400;
/// The least distance of two columns.
const GAP: usize = 104;

/// The columns: users, then routers, then cells, each in order of appearance.
pub(super) struct Columns<'a> {
    names: Vec<(&'a str, usize)>,
    pub(super) width: usize,
}

impl<'a> Columns<'a> {
    pub(super) fn placed<'i>(items: impl Iterator<Item = &'i Item<'a>>) -> Self
    where
        'a: 'i,
    {
        let mut names: Vec<&str> = Vec::new();
        for item in items {
            if let Item::Arrow { from, to, .. } = item {
                for name in [from, to] {
                    if !names.contains(name) {
                        names.push(name);
                    }
                }
            }
        }
        names.sort_by_key(|name| rank(name));
        let mut x = 0;
        let mut placed = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| width_of(names[before]));
            x += before.map_or(width_of(name) / 2 + 6, |before| {
                GAP.max(usize::midpoint(before, width_of(name)) + 10)
            });
            placed.push((*name, x));
        }
        let wide = x + names.last().map_or(0, |last| width_of(last) / 2) + 6;
        if wide < LEAST && placed.len() > 1 {
            // A drawing of few participants is spread over the least width.
            let more = (LEAST - wide) / (placed.len() - 1);
            placed.iter_mut().enumerate().for_each(|(place, (_, x))| *x += place * more);
        }
        Self { names: placed, width: wide.max(LEAST) }
    }

    /// The middle of the column of a participant.
    pub(super) fn x(&self, name: &str) -> usize {
        self.names.iter().find(|(own, _)| *own == name).map_or(0, |(_, x)| *x)
    }

    /// All, from left to right.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, usize)> {
        self.names.iter().copied()
    }

    /// The heads of all columns, with their names.
    pub(super) fn heads(&self, top: usize) -> Markup {
        html! {
            @for (name, x) in self.all() {
                @let width = width_of(name);
                g class={ "h " (["u", "o", "c"][rank(name)]) } {
                    rect x=(x.saturating_sub(width / 2)) y=(top + 4) width=(width) height="22"
                        rx="4" {}
                    text x=(x) y=(top + 19) { (name) }
                }
            }
        }
    }
}

/// Users come first, cells last.
fn rank(name: &str) -> usize {
    if name.starts_with("router_") {
        1
    } else if name.starts_with("cell_") || name.ends_with("_cell") {
        2
    } else {
        0
    }
}

fn width_of(name: &str) -> usize {
    (name.chars().count() * CHARACTER.0 / CHARACTER.1 + 14).max(50)
}
