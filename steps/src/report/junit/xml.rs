//! As much of XML 1.0 as a report needs.

use std::fmt::Write as _;

/// A document that is written from the top down.
#[derive(Debug)]
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// A document without elements.
    pub(super) fn new() -> Self {
        Self { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned(), open: Vec::new() }
    }

    /// Opens an element.
    pub(super) fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// An element with nothing in it but this text.
    pub(super) fn leaf(&mut self, name: &'static str, attributes: &[(&str, &str)], text: &str) {
        self.start(name, attributes);
        if text.is_empty() {
            self.text.push_str("/>\n");
        } else {
            let _ = writeln!(self.text, ">{}</{name}>", escaped(text));
        }
    }

    /// The document; elements that are still open are closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        let _ = write!(self.text, "<{name}");
        for (attribute, value) in attributes {
            // Blanks other than the space would be read back as spaces.
            let value = escaped(value).replace('\n', "&#10;").replace('\t', "&#9;");
            let _ = write!(self.text, " {attribute}=\"{value}\"");
        }
    }

    fn indent(&mut self) {
        self.text.push_str(&"  ".repeat(self.open.len()));
    }
}

/// Text that can stand in an element and between double quotes. What no XML 1.0 document can hold,
/// however it is written, becomes U+FFFD: that something was there is worth knowing.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            // Also so that no `]]>` can arise.
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Written plainly, it would be read back as a line feed.
            '\r' => escaped.push_str("&#13;"),
            '\t' | '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => {
                escaped.push(character)
            }
            _ => escaped.push('\u{fffd}'),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_nest_and_are_closed() {
        let mut xml = Xml::new();
        xml.open("a", &[("b", "1 < 2\n")]);
        xml.leaf("c", &[], "");
        xml.leaf("d", &[], "]]>");
        let expected = "<a b=\"1 &lt; 2&#10;\">\n  <c/>\n  <d>]]&gt;</d>\n</a>\n";
        assert_eq!(
            xml.finish().split_once('\n').map(|(_, rest)| rest.to_owned()),
            Some(expected.to_owned())
        );
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_back(text in any::<String>()) {
            let mut xml = Xml::new();
            xml.leaf("a", &[("b", &text)], &format!("x{text}"));
            let written = xml.finish();
            let document = roxmltree::Document::parse(&written).unwrap();
            let is_lost = |c: char| c != '\u{fffd}' && escaped(&c.to_string()) == "\u{fffd}";
            let expected: String = text.chars().map(|c| if is_lost(c) { '\u{fffd}' } else { c }).collect();
            prop_assert_eq!(document.root_element().attribute("b"), Some(expected.as_str()));
            let body = format!("x{expected}");
            prop_assert_eq!(document.root_element().text(), Some(body.as_str()));
        }
    }
}
