//! The frame of every page: of reports, of the matrix, and of the specification.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use sha2::{Digest, Sha256};

use super::text::visible;

const STYLE: &str = include_str!("page.css");

/// A table with these heads and rows, which scrolls by itself where it is wider than its page.
pub(crate) fn table(class: &str, heads: &[impl Render], rows: &Markup) -> Markup {
    html! {
        div class=(class) {
            table {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// A whole page around this content.
///
/// Its policy forbids everything that is not in the page itself, so that nothing a router wrote
/// could be fetched or run even if it were taken for markup.
pub fn page(title: &str, script: Option<&str>, content: &Markup) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; \
         style-src {}; script-src {}",
        digest(STYLE),
        script.map_or("'none'".to_owned(), digest)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            "\n"
            body {
                "\n"
                main { (content) }
                "\n"
                @if let Some(script) = script {
                    script { (PreEscaped(script)) }
                }
            }
        }
        "\n"
    };
    visible(&page.into_string())
}
