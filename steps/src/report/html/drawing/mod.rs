//! Exchanges drawn as sequence diagrams, in SVG that stands inside a page and takes its colours.

mod label;
mod notation;
mod plan;

use std::fmt::Write as _;

use super::text::Esc;
use label::{CHARACTER, LINE};
use notation::{Item, abbreviated, items};
use plan::Columns;

/// More arrows than this are not drawn; the middle is left out.
const MOST: usize = 60;

/// Where an exchange leaves the other one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mark {
    /// At this line.
    Line(usize),
    /// After its last line: something is missing there.
    End,
}

/// An exchange to draw.
pub(crate) struct Drawing<'a> {
    /// What it is, for those who do not see it.
    pub title: &'a str,
    /// The notation.
    pub lines: &'a [String],
    /// Where it is marked.
    pub mark: Option<Mark>,
    /// What is said at a mark after the last line.
    pub at_end: &'a str,
    /// For each line, the anchor of what it shows.
    pub links: &'a [Option<String>],
}

/// What has been drawn so far, from top to bottom.
struct Pen<'a> {
    columns: Columns<'a>,
    y: usize,
    /// Frames and marks, which lie behind the arrows.
    behind: String,
    arrows: String,
    /// Tops of the frames that are open.
    open: Vec<usize>,
}

impl Drawing<'_> {
    /// The SVG.
    pub(crate) fn svg(&self) -> String {
        let keep = match self.mark {
            Some(Mark::Line(line)) => Some(line),
            Some(Mark::End) | None => None,
        };
        let rows = abbreviated(items(self.lines), MOST, keep);
        let columns = Columns::of(rows.iter().map(|(_, item)| item));
        let mut pen = Pen {
            columns,
            y: plan::HEAD + 8,
            behind: String::new(),
            arrows: String::new(),
            open: Vec::new(),
        };
        for (line, item) in &rows {
            let marked = self.mark == Some(Mark::Line(*line));
            pen.draw(item, marked, self.links.get(*line).and_then(Option::as_deref));
        }
        if self.mark == Some(Mark::End) {
            let top = pen.y;
            pen.say_mark();
            pen.y = top + 34;
            pen.band(top);
            let _ = write!(
                pen.arrows,
                "<text class=\"n\" x=\"8\" y=\"{}\">{}</text>",
                top + 27,
                Esc(self.at_end)
            );
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
            self.say_mark();
        }
        match *item {
            Item::Arrow { from, to, message, response } => {
                self.arrow(from, to, message, response, link)
            }
            Item::Open { word, label } => {
                self.open.push(self.y + 4);
                let inset = self.inset();
                let (y, text) = (self.y + 16, inset + 6);
                let _ = write!(
                    self.arrows,
                    "<text class=\"n\" x=\"{text}\" y=\"{y}\"><tspan class=\"w\">{}</tspan> {}</text>",
                    Esc(word),
                    Esc(label)
                );
                self.y += 22;
            }
            Item::Else { label } => {
                let (inset, end) = (self.inset(), self.columns.width);
                let _ = write!(
                    self.behind,
                    "<path class=\"e\" d=\"M{inset} {}H{}\"/>",
                    self.y + 4,
                    end - inset
                );
                let _ = write!(
                    self.arrows,
                    "<text class=\"n\" x=\"{}\" y=\"{}\"><tspan class=\"w\">else</tspan> {}</text>",
                    inset + 6,
                    self.y + 17,
                    Esc(label)
                );
                self.y += 23;
            }
            Item::Close => self.close(),
            Item::Note(text) => {
                let room = self.columns.width - 16 - 2 * self.inset();
                for line in label::wrapped(text, room * CHARACTER.1 / CHARACTER.0, 3) {
                    self.y += LINE;
                    let _ = write!(
                        self.arrows,
                        "<text class=\"n\" x=\"{}\" y=\"{}\">{}</text>",
                        self.inset() + 6,
                        self.y,
                        Esc(&line)
                    );
                }
                self.y += 5;
            }
            Item::Gap(count) => {
                let (middle, y) = (self.columns.width / 2, self.y + 18);
                let _ = write!(
                    self.arrows,
                    "<text class=\"n g\" x=\"{middle}\" y=\"{y}\">\u{22ee} {count} more arrows \u{22ee}</text>"
                );
                self.y += 28;
            }
        }
        if marked {
            self.band(top);
        }
    }

    fn arrow(&mut self, from: &str, to: &str, message: &str, response: bool, link: Option<&str>) {
        let (start, end) = (self.columns.x(from), self.columns.x(to));
        let width = self.columns.width;
        // A label may be wider than its arrow: what it covers of the lifelines shows above and
        // below.
        let lines = label::wrapped(message, (width - 12) * CHARACTER.1 / CHARACTER.0, 4);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0)
            * CHARACTER.0
            / CHARACTER.1;
        let middle = usize::midpoint(start, end)
            .clamp(longest / 2 + 4, (width - longest / 2).saturating_sub(4).max(longest / 2 + 4));
        let class = if response { "a" } else { "r" };
        let head = if start < end { "l-8-4v8z" } else { "l8-4v8z" };
        let mut y = self.y;
        let mut text = String::new();
        for line in &lines {
            y += LINE;
            let _ = write!(text, "<text x=\"{middle}\" y=\"{y}\">{}</text>", Esc(line));
        }
        y += 6;
        let shown: usize = lines.iter().map(|line| line.chars().count()).sum();
        if shown < message.chars().filter(|c| *c != ' ').count() {
            let _ = write!(text, "<title>{}</title>", Esc(message));
        }
        let body = format!("<path d=\"M{start} {y}H{end}M{end} {y}{head}\"/>{text}");
        let _ = match link {
            Some(link) => {
                write!(self.arrows, "<a class=\"{class}\" href=\"#{}\">{body}</a>", Esc(link))
            }
            None => write!(self.arrows, "<g class=\"{class}\">{body}</g>"),
        };
        self.y = y + 8;
    }

    /// Words above what is marked: a colour alone says nothing to some.
    fn say_mark(&mut self) {
        let _ = write!(
            self.arrows,
            "<text class=\"x\" x=\"8\" y=\"{}\">\u{2717} first difference</text>",
            self.y + 12
        );
        self.y += 14;
    }

    /// A band behind what was drawn since `top`.
    fn band(&mut self, top: usize) {
        let (width, height) = (self.columns.width - 2, self.y - top);
        let _ = write!(
            self.behind,
            "<rect class=\"m\" x=\"1\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/>"
        );
    }

    fn close(&mut self) {
        let inset = self.inset();
        if let Some(top) = self.open.pop() {
            let (width, height) = (self.columns.width - 2 * inset, self.y + 2 - top);
            let _ = write!(
                self.behind,
                "<rect class=\"f\" x=\"{inset}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>"
            );
            self.y += 8;
        }
    }

    /// Frames inside frames are narrower.
    fn inset(&self) -> usize {
        3 + 5 * self.open.len().saturating_sub(1).min(8)
    }

    fn finish(mut self, title: &str, repeat: bool) -> String {
        let (bottom, width) = (self.y + 4, self.columns.width);
        let mut heads = self.columns.heads(0);
        let mut height = bottom;
        if repeat {
            heads.push_str(&self.columns.heads(bottom));
            height += plan::HEAD;
        }
        let lifelines: String =
            self.columns.all().map(|(_, x)| format!("M{x} {}V{bottom}", plan::HEAD)).collect();
        self.behind.push_str(&format!("<path class=\"l\" d=\"{lifelines}\"/>"));
        // On a phone a narrow drawing shrinks to fit; a wide one scrolls, so that it stays legible.
        let class = if width > 420 { "q wide" } else { "q" };
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" aria-label=\"{}\">{}{heads}{}</svg>",
            Esc(title),
            self.behind,
            self.arrows
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn svg(text: &str, mark: Option<Mark>) -> String {
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        Drawing { title: "an exchange", lines: &lines, mark, at_end: "nothing more", links: &[] }
            .svg()
    }

    const DRAWN: &str = "user->>router_eu: GET /a\nopt asked & bounced\n  %% RG-01 <why>\n  router_eu->>any_eu_cell: GET /a\n  any_eu_cell-->>router_eu: 302\nend\nalt\n  cell_eu0-->>user: 200\nelse\n  router_eu-->>user: 502|503\nend";

    fn parsed(svg: &str) -> roxmltree::Document<'_> {
        roxmltree::Document::parse(svg).unwrap_or_else(|error| panic!("{error}:\n{svg}"))
    }

    #[test]
    fn a_drawing_is_well_formed_and_has_every_arrow_participant_and_frame() {
        let svg = svg(DRAWN, None);
        let document = parsed(&svg);
        let count = |class: &str| {
            document.descendants().filter(|node| node.attribute("class") == Some(class)).count()
        };
        assert_eq!((count("r"), count("a"), count("f"), count("e"), count("m")), (2, 3, 2, 1, 0));
        let texts: Vec<_> = document.descendants().filter_map(|node| node.text()).collect();
        for text in ["user", "router_eu", "any_eu_cell", "cell_eu0", "302", "RG-01 <why>", "opt"] {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
    }

    /// The top of what is marked, and the texts that stand on the band.
    fn marked(svg: &str) -> Vec<String> {
        let document = parsed(svg);
        let number = |node: roxmltree::Node<'_, '_>, name: &str| {
            node.attribute(name).and_then(|value| value.parse::<usize>().ok()).unwrap()
        };
        let band =
            document.descendants().find(|node| node.attribute("class") == Some("m")).unwrap();
        let (top, end) = (number(band, "y"), number(band, "y") + number(band, "height"));
        let texts = document
            .descendants()
            .filter(|node| node.has_tag_name("text") && (top..=end).contains(&number(*node, "y")));
        texts.filter_map(|node| node.text().map(str::to_owned)).collect()
    }

    #[test]
    fn the_mark_is_on_its_line_and_says_so_in_words() {
        assert_eq!(marked(&svg(DRAWN, Some(Mark::Line(4)))), ["\u{2717} first difference", "302"]);
        assert_eq!(
            marked(&svg(DRAWN, Some(Mark::Line(0)))),
            ["\u{2717} first difference", "GET /a"]
        );
        assert_eq!(
            marked(&svg(DRAWN, Some(Mark::End))),
            ["\u{2717} first difference", "nothing more"]
        );
    }

    #[test]
    fn a_long_exchange_is_drawn_short_around_its_mark() {
        let many: String =
            (0..500).map(|number| format!("user->>router_eu: GET /{number}\n")).collect();
        let svg = svg(&many, Some(Mark::Line(250)));
        assert_eq!(marked(&svg).last().map(String::as_str), Some("GET /250"));
        assert!(svg.matches("<path d=").count() < 80);
        assert!(svg.contains("more arrows"));
    }

    #[test]
    fn a_label_that_is_too_long_can_be_read_in_full() {
        let svg = svg(&format!("user->>router_eu: GET /{}", "x".repeat(2000)), None);
        let document = parsed(&svg);
        let title = document
            .descendants()
            .find(|node| node.has_tag_name("title"))
            .and_then(|node| node.text());
        assert_eq!(title.map(str::len), Some(2005));
    }

    proptest! {
        #[test]
        fn whatever_the_lines_are_the_drawing_is_well_formed(
            lines in prop::collection::vec("(opt|alt|else|end|%%|user->>router_eu:|cell_eu0-->>user:|[a-z<&]{1,40}->>x:)( .{0,80})?", 0..20),
            mark in 0usize..20,
        ) {
            let drawn = svg(&lines.join("\n"), Some(Mark::Line(mark)));
            prop_assert!(roxmltree::Document::parse(&drawn).is_ok(), "{}", drawn);
        }
    }
}
