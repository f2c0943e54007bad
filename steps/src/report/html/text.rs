//! Text on its way into HTML and SVG.

use std::fmt::{self, Write as _};

/// A text that stands in an element or in a quoted attribute: markup is escaped, and characters
/// that cannot be seen are shown. What a router wrote must not become part of the page.
pub(crate) struct Esc<'a>(pub &'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_char(character)?,
                // The pictures of control characters, U+2400 and following.
                '\u{0}'..='\u{1f}' => f.write_char(
                    char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{fffd}'),
                )?,
                '\u{7f}' => f.write_char('\u{2421}')?,
                // What would turn the direction of the text that follows.
                '\u{80}'..='\u{9f}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{fffe}'
                | '\u{ffff}' => {
                    write!(f, "\\u{{{:x}}}", u32::from(character))?;
                }
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A statement of the ledger or of a decision: escaped, with what stands between backticks as code.
pub(crate) struct Prose<'a>(pub &'a str);

impl fmt::Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: Vec<_> = self.0.split('`').collect();
        for (place, piece) in pieces.iter().enumerate() {
            match (place % 2, place + 1 == pieces.len()) {
                (1, false) => write!(f, "<code>{}</code>", Esc(piece))?,
                // A backtick without a companion is a backtick.
                (1, true) => write!(f, "`{}", Esc(piece))?,
                _ => write!(f, "{}", Esc(piece))?,
            }
        }
        Ok(())
    }
}

/// A name of a scenario as an anchor: `journeys::root::cold[learning]` is
/// `journeys.root.cold-learning`.
pub(crate) fn anchor(name: &str) -> String {
    let plain = name.replace("::", ".").replace('[', "-").replace(']', "");
    plain.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect()
}

/// The beginning of a text, at most so many bytes, and whether that is all of it.
pub(crate) fn beginning(text: &str, most: usize) -> (&str, bool) {
    if text.len() <= most {
        return (text, true);
    }
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    (&text[..end], false)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_and_what_cannot_be_seen_is_shown() {
        assert_eq!(Esc("<a b='c'>&\"").to_string(), "&lt;a b=&#39;c&#39;&gt;&amp;&quot;");
        assert_eq!(
            Esc("a\0\x1b\r\n\tb\u{202e}").to_string(),
            "a\u{2400}\u{241b}\u{240d}\n\tb\\u{202e}"
        );
    }

    #[test]
    fn backticks_make_code() {
        assert_eq!(
            Prose("to `/a<b` and `c` or `").to_string(),
            "to <code>/a&lt;b</code> and <code>c</code> or `"
        );
    }

    #[test]
    fn anchors_have_nothing_that_a_link_would_encode() {
        assert_eq!(anchor("journeys::root::cold[learning]"), "journeys.root.cold-learning");
    }

    proptest! {
        #[test]
        fn nothing_escaped_opens_an_element_or_ends_an_attribute(text in ".*") {
            let escaped = Esc(&text).to_string();
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
        }

        #[test]
        fn a_beginning_is_one(text in ".*", most in 0usize..40) {
            let (begin, all) = beginning(&text, most);
            prop_assert!(text.starts_with(begin) && begin.len() <= most.max(text.len().min(most)));
            prop_assert_eq!(all, begin == text);
        }
    }
}
