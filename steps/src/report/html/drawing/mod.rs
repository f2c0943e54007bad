//! Exchanges drawn as sequence diagrams: inline SVG that takes the colors of its page.

mod notation;
mod plan;

use maud::{Markup, html};

use super::super::lines::folded;
use notation::{Item, abbreviated, items};
use plan::{CHARACTER, Columns};

/// The height of a line of a label.
const LINE: usize = 14;

/// More arrows than this are not drawn; the middle is left out.
const MOST: usize = 60;

/// Where an exchange first differs from the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    Line(usize),
    /// After its last line: something is missing there.
    End,
}

#[derive(Debug)]
pub struct SequenceDiagram<'a> {
    /// Its label for screen readers.
    pub title: &'a str,
    /// The lines in the notation of the features.
    pub lines: &'a [String],
    pub mark: Option<Mark>,
    /// The text at a mark after the last line.
    pub at_end: &'a str,
    /// For each line, the anchor of the message that it shows.
    pub links: &'a [Option<String>],
}

/// What has been drawn so far, from top to bottom.
struct Pen<'a> {
    columns: Columns<'a>,
    y: usize,
    /// Frames and marks, which lie behind the arrows.
    behind: Vec<Markup>,
    arrows: Vec<Markup>,
    /// Tops of the frames that are open.
    open: Vec<usize>,
}

impl SequenceDiagram<'_> {
    pub fn svg(&self) -> Markup {
        let keep = match self.mark {
            Some(Mark::Line(line)) => Some(line),
            Some(Mark::End) | None => None,
        };
        let rows = abbreviated(items(self.lines), MOST, keep);
        let columns = Columns::placed(rows.iter().map(|(_, item)| item));
        let mut pen = Pen {
            columns,
            y: plan::HEAD + 8,
            behind: Vec::new(),
            arrows: Vec::new(),
            open: Vec::new(),
        };
        for (line, item) in &rows {
            let marked = self.mark == Some(Mark::Line(*line));
            pen.draw(item, marked, self.links.get(*line).and_then(Option::as_deref));
        }
        if self.mark == Some(Mark::End) {
            let top = pen.y;
            pen.draw_mark_label();
            pen.y = top + 34;
            pen.draw_band(top);
            pen.arrows.push(html! { text.n x="8" y=(top + 27) { (self.at_end) } });
        }
        // A frame that is never closed ends with the drawing.
        while !pen.open.is_empty() {
            pen.close();
        }
        pen.finish(self.title, rows.len() > 16)
    }
}

impl Pen<'_> {
    fn draw(&mut self, item: &Item<'_>, marked: bool, link: Option<&str>) {
        let top = self.y;
        if marked {
            self.draw_mark_label();
        }
        match *item {
            Item::Arrow { from, to, message, response } => {
                self.arrow(from, to, message, response, link)
            }
            Item::Open { word, label } => {
                self.open.push(self.y + 4);
                self.frame_label(self.y + 16, word, label);
                self.y += 22;
            }
            Item::Else { label } => {
                let inset = self.inset();
                let line = format!("M{inset} {}H{}", self.y + 4, self.columns.width - inset);
                self.behind.push(html! { path.e d=(line) {} });
                self.frame_label(self.y + 17, "else", label);
                self.y += 23;
            }
            Item::Close => self.close(),
            Item::Note(text) => {
                let room = self.columns.width - 16 - 2 * self.inset();
                for line in wrapped(text, room * CHARACTER.1 / CHARACTER.0, 3) {
                    self.y += LINE;
                    let x = self.inset() + 6;
                    self.arrows.push(html! { text.n x=(x) y=(self.y) { (line) } });
                }
                self.y += 5;
            }
            Item::Gap(count) => {
                let (middle, y) = (self.columns.width / 2, self.y + 18);
                self.arrows.push(html! {
                    text class="n g" x=(middle) y=(y) {
                        "\u{22ee} " (count) " more arrows \u{22ee}"
                    }
                });
                self.y += 28;
            }
        }
        if marked {
            self.draw_band(top);
        }
    }

    fn frame_label(&mut self, y: usize, word: &str, label: &str) {
        let x = self.inset() + 6;
        self.arrows.push(html! { text.n x=(x) y=(y) { tspan.w { (word) } " " (label) } });
    }

    fn arrow(&mut self, from: &str, to: &str, message: &str, response: bool, link: Option<&str>) {
        let (start, end) = (self.columns.x(from), self.columns.x(to));
        let width = self.columns.width;
        // A label may be wider than its arrow. It covers a piece of the lifelines, which show above
        // and below it.
        let lines = wrapped(message, (width - 12) * CHARACTER.1 / CHARACTER.0, 4);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)
            * CHARACTER.0
            / CHARACTER.1;
        let middle = usize::midpoint(start, end)
            .clamp(longest / 2 + 4, (width - longest / 2).saturating_sub(4).max(longest / 2 + 4));
        let class = if response { "a" } else { "r" };
        let head = if start < end { "l-8-4v8z" } else { "l8-4v8z" };
        let top = self.y;
        let y = top + lines.len() * LINE + 6;
        let shown: usize = lines.iter().map(|line| line.chars().count()).sum();
        let is_cut = shown < message.chars().filter(|c| *c != ' ').count();
        let body = html! {
            path d=(format!("M{start} {y}H{end}M{end} {y}{head}")) {}
            @for (number, line) in lines.iter().enumerate() {
                text x=(middle) y=(top + (number + 1) * LINE) { (line) }
            }
            @if is_cut { title { (message) } }
        };
        self.arrows.push(match link {
            Some(link) => html! { a class=(class) href={ "#" (link) } { (body) } },
            None => html! { g class=(class) { (body) } },
        });
        self.y = y + 8;
    }

    /// Labels the mark: a color alone says nothing to some readers.
    fn draw_mark_label(&mut self) {
        let y = self.y + 12;
        self.arrows.push(html! { text.x x="8" y=(y) { "\u{2717} first difference" } });
        self.y += 14;
    }

    /// Draws a band behind everything since `top`.
    fn draw_band(&mut self, top: usize) {
        let (width, height) = (self.columns.width - 2, self.y - top);
        self.behind.push(html! { rect.m x="1" y=(top) width=(width) height=(height) rx="4" {} });
    }

    fn close(&mut self) {
        let inset = self.inset();
        if let Some(top) = self.open.pop() {
            let (width, height) = (self.columns.width - 2 * inset, self.y + 2 - top);
            self.behind.push(html! {
                rect.f x=(inset) y=(top) width=(width) height=(height) rx="3" {}
            });
            self.y += 8;
        }
    }

    /// Frames inside frames are narrower.
    fn inset(&self) -> usize {
        3 + 5 * self.open.len().saturating_sub(1).min(8)
    }

    fn finish(self, title: &str, repeat: bool) -> Markup {
        let (bottom, width) = (self.y + 4, self.columns.width);
        let height = if repeat { bottom + plan::HEAD } else { bottom };
        let lifelines: String =
            self.columns.all().map(|(_, x)| format!("M{x} {}V{bottom}", plan::HEAD)).collect();
        // On a phone a narrow drawing shrinks to fit; a wide one scrolls, so that it stays legible.
        let class = if width > 420 { "q wide" } else { "q" };
        html! {
            svg class=(class) viewBox=(format!("0 0 {width} {height}")) width=(width)
                height=(height) aria-label=(title) {
                @for piece in &self.behind { (piece) }
                path.l d=(lifelines) {}
                (self.columns.heads(0))
                @if repeat { (self.columns.heads(bottom)) }
                @for piece in &self.arrows { (piece) }
            }
        }
    }
}

/// A label in at most `most` lines of at most `width` characters. One that does not fit ends with an
/// ellipsis.
fn wrapped(label: &str, width: usize, most: usize) -> Vec<String> {
    let width = width.max(8);
    let words: Vec<_> = label.split(' ').filter(|word| !word.is_empty()).collect();
    // More has no room, however long the label is.
    let shown: String = words.join(" ").chars().take(width * (most + 1)).collect();
    if shown.is_empty() {
        return Vec::new();
    }
    let mut lines = folded(&shown, width, "", "");
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            let kept: String = last.chars().take(width - 1).collect();
            *last = format!("{kept}\u{2026}");
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::text::visible;
    use super::*;
    use crate::report::tests::shows;

    fn svg(text: &str, mark: Option<Mark>) -> String {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let (title, at_end) = ("an exchange", "nothing more");
        SequenceDiagram { title, lines: &lines, mark, at_end, links: &[] }.svg().into_string()
    }

    #[test]
    fn a_drawing_has_every_arrow_participant_frame_and_the_mark() {
        let drawn = "router_eu->>any_eu_cell: GET /a->>b: c\n\nopt asked & bounced\n  \
                     %% RG-01 <why>\n  any_eu_cell-->>router_eu: 302 /x\nend\nalt\n  \
                     cell_eu0-->>user: 200\nelse\n  router_eu-->>user: 502|503\nend\nwhat";
        let drawings = [Mark::Line(4), Mark::End].map(|mark| svg(drawn, Some(mark)));
        shows("drawing", &drawings.join("\n\n").replace("><", ">\n<"));
    }

    #[test]
    fn a_long_exchange_is_cut_around_its_mark_and_a_long_label_has_a_tooltip() {
        let many: String =
            (0..500).map(|number| format!("user->>router_eu: GET /{number}\n")).collect();
        let cut = svg(&many, Some(Mark::Line(250)));
        assert!(cut.contains(">GET /250<") && cut.contains("more arrows"), "{cut}");
        assert!(cut.matches("<path d=").count() < 80);
        let long = "x".repeat(2000);
        let labeled = svg(&format!("user->>router_eu: GET /{long}"), None);
        assert!(labeled.contains(&format!("<title>GET /{long}</title>")), "{labeled}");
    }

    const LINE_PATTERN: &str = concat!(
        "(opt|alt|else|end|%%|user->>router_eu:|cell_eu0-->>user:|[a-z<&]{1,40}->>x:)",
        "( .{0,80})?"
    );

    proptest! {
        #[test]
        fn no_line_is_too_long_and_nothing_is_lost(text in "[a-z/? ]{0,200}", width in 8usize..60) {
            let lines = wrapped(&text, width, 1000);
            prop_assert!(lines.iter().all(|line| line.chars().count() <= width));
            prop_assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        }

        #[test]
        fn a_drawing_of_any_lines_is_well_formed(
            lines in prop::collection::vec(LINE_PATTERN, 0..20),
            mark in 0usize..20,
        ) {
            let drawn = svg(&lines.join("\n"), Some(Mark::Line(mark)));
            prop_assert!(roxmltree::Document::parse(&visible(&drawn)).is_ok(), "{}", drawn);
        }
    }
}
