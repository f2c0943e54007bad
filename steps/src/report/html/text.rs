//! Text on its way into HTML and SVG, beyond the escaping that maud does.

use maud::{Markup, html};

use super::super::text::without_hidden;

/// Makes characters visible that a reader would not see, or that would reorder what they see.
///
/// It is applied to a finished page, so that no text can be forgotten: markup has none of these
/// characters.
pub(crate) fn visible(page: &str) -> String {
    let mut visible = String::with_capacity(page.len());
    for character in without_hidden(page).chars() {
        match character {
            '\n' | '\t' => visible.push(character),
            // The pictures of control characters, U+2400 and following.
            '\u{0}'..='\u{1f}' => {
                let picture = char::from_u32(0x2400 + u32::from(character));
                visible.push(picture.unwrap_or('\u{fffd}'));
            }
            '\u{7f}' => visible.push('\u{2421}'),
            '\u{fffe}' | '\u{ffff}' => visible.push('\u{fffd}'),
            other => visible.push(other),
        }
    }
    visible
}

/// A sentence of the ledger, a decision or a feature; text between backticks becomes code.
pub fn prose(text: &str) -> Markup {
    let pieces: Vec<_> = text.split('`').collect();
    html! {
        @for (index, piece) in pieces.iter().enumerate() {
            @match (index % 2, index + 1 == pieces.len()) {
                (1, false) => { code { (piece) } }
                // A backtick without a partner is a backtick.
                (1, true) => { "`" (piece) }
                _ => { (piece) }
            }
        }
    }
}

/// A link if the text is a web address, otherwise the text.
pub(in super::super) fn link_to(link: &str) -> Markup {
    html! {
        @if link.starts_with("https://") || link.starts_with("http://") {
            a href=(link) rel="noreferrer" { (link) }
        } @else {
            (link)
        }
    }
}

/// The documents that a row of the ledger comes from.
pub(crate) fn documents_of(documents: &[String]) -> String {
    if documents.is_empty() { "derived".to_owned() } else { documents.join(", ") }
}

/// The anchor of a scenario: `journeys.root.cold-learning` for `journeys::root::cold[learning]`.
pub(crate) fn anchor(name: &str) -> String {
    let plain = name.replace("::", ".").replace('[', "-").replace(']', "");
    plain.chars().map(|c| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect()
}

/// At most the first `most` bytes of a text, and whether that is all of it.
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
    fn control_and_direction_characters_become_visible() {
        assert_eq!(visible("a\0\x1b\r\n\tb\u{202e}"), "a\u{2400}\u{241b}\u{240d}\n\tb\\u{202e}");
        assert_eq!(visible("<a href='b'>&"), "<a href='b'>&");
    }

    #[test]
    fn backticks_make_code() {
        assert_eq!(
            prose("to `/a<b` and `c` or `").into_string(),
            "to <code>/a&lt;b</code> and <code>c</code> or `"
        );
    }

    #[test]
    fn anchors_need_no_encoding_in_links() {
        assert_eq!(anchor("journeys::root::cold[learning]"), "journeys.root.cold-learning");
    }

    proptest! {
        #[test]
        fn text_never_opens_an_element_nor_ends_an_attribute(text in ".*") {
            let page = html! { p title=(text) { (text) } }.into_string();
            let page = visible(&page);
            let document = roxmltree::Document::parse(&page).unwrap();
            let paragraph = document.root_element();
            prop_assert_eq!(paragraph.children().filter(|node| node.is_element()).count(), 0);
            prop_assert_eq!(paragraph.attributes().count(), 1);
        }

        #[test]
        fn a_beginning_starts_the_text_and_is_short_enough(text in ".*", most in 0usize..40) {
            let (begin, all) = beginning(&text, most);
            prop_assert!(text.starts_with(begin) && begin.len() <= most);
            prop_assert_eq!(all, begin == text);
        }
    }
}
