//! The bodies of scenarios, packed. A page unpacks the body of a scenario when it is opened, so
//! that the page of a whole suite stays small and is painted at once.
//!
//! Bodies are packed in blocks: neighbors are much alike, and share what repeats. A block is
//! Base64 of zlib (RFC 1950) in a `<script>` of a type that no browser runs, which `page.js`
//! inflates.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, PreEscaped, html};

use super::text::visible;

/// How many bodies are in one block. More pack better, and take longer to open.
const IN_BLOCK: usize = 32;

/// How hard to pack, from 0 to 10. Higher levels win a few percent for twice the time.
const LEVEL: u8 = 6;

/// Stands between the bodies of a block. No body has it: [`visible`] makes it visible.
const BETWEEN: &str = "\0";

/// Packs bodies.
#[derive(Default)]
pub(super) struct Packer {
    block: Vec<String>,
    done: Vec<String>,
}

impl Packer {
    /// Adds a body. Returns its place as `page.js` reads it: the number of its block, and its number
    /// in that block.
    pub(super) fn add(&mut self, body: Markup) -> String {
        if self.block.len() == IN_BLOCK {
            self.finish_block();
        }
        // The finished page is made visible as a whole, which does not reach packed text.
        self.block.push(visible(&body.into_string()));
        format!("{}.{}", self.done.len(), self.block.len() - 1)
    }

    fn finish_block(&mut self) {
        let text = std::mem::take(&mut self.block).join(BETWEEN);
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), LEVEL);
        self.done.push(STANDARD.encode(packed));
    }

    /// The blocks, for the end of the page.
    pub(super) fn blocks(mut self) -> Markup {
        if !self.block.is_empty() {
            self.finish_block();
        }
        html! {
            @for (number, block) in self.done.iter().enumerate() {
                "\n"
                script type="text/plain" id={ "z" (number) } { (PreEscaped(block)) }
            }
        }
    }
}

/// All bodies that a page has packed, for tests.
#[cfg(test)]
pub(super) fn unpacked(page: &str) -> Vec<String> {
    let mut bodies = Vec::new();
    for block in page.split("<script type=\"text/plain\"").skip(1) {
        let block = &block[block.find('>').unwrap() + 1..block.find("</script>").unwrap()];
        let packed = STANDARD.decode(block).unwrap();
        let text = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap();
        let text = String::from_utf8(text).unwrap();
        bodies.extend(text.split(BETWEEN).map(str::to_owned));
    }
    bodies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_found_where_they_were_placed() {
        let mut packer = Packer::default();
        let texts: Vec<_> = (0..70).map(|number| format!("<{number}>\0")).collect();
        let places: Vec<_> = texts.iter().map(|text| packer.add(html! { p { (text) } })).collect();
        assert_eq!((&*places[0], &*places[31], &*places[32]), ("0.0", "0.31", "1.0"));
        let bodies = unpacked(&packer.blocks().into_string());
        let expected: Vec<_> =
            (0..70).map(|number| format!("<p>&lt;{number}&gt;\u{2400}</p>")).collect();
        assert_eq!(bodies, expected);
    }
}
