//! What a router is free to do: the deviations that no text forbids, from `fixtures/allowed.toml`.

use std::sync::LazyLock;

use maud::{Markup, html};
use serde::Deserialize;

use super::frame::spec_page;
use super::review::linked;

const FILE: &str = include_str!("../../fixtures/allowed.toml");

const TITLE: &str = "What a router is free to do";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    allowed: Vec<Freedom>,
}

/// Deviations that a text leaves free. The parts of a deviation have the names that the generator
/// of broken routers gives them; a name stands for all that begin with its words.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freedom {
    /// Its short name.
    pub name: String,
    /// What the text says, and where.
    pub source: String,
    /// A correct variant of the broken routers that uses this freedom.
    pub variant: String,
    /// The only protocol in which it holds; both without it.
    pub protocol: Option<String>,
    /// Where the router may deviate.
    pub seams: Vec<String>,
    /// In what.
    pub elements: Vec<String>,
    /// How.
    pub operations: Vec<String>,
    /// One of the conditions of a deviation has to be one of these; without the list, none is
    /// needed.
    #[serde(default)]
    pub when: Vec<String>,
}

impl Freedom {
    /// All of the embedded file, in its order.
    ///
    /// # Panics
    ///
    /// Never: a test reads the file.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Freedom>> = LazyLock::new(|| {
            let file: File = toml::from_str(FILE)
                .unwrap_or_else(|error| panic!("fixtures/allowed.toml: {error}"));
            file.allowed
        });
        &ALL
    }
}

/// The page for authors of routers, and for reviewers who ask what the texts leave open.
pub(super) fn page() -> String {
    let content = html! {
        header { h1 { (TITLE) } }
        p {
            "Broken routers are also drawn at random: somewhere in a router, something is left out, \
             altered, late or taken from another request. Most of that is forbidden. Each entry \
             here is not: it names the sentence that leaves it free, and a correct router that does \
             so and passes the suite. An author who does it as well is right. What is not here, and \
             what no scenario forbids, is a blind spot of the suite."
        }
        @for freedom in Freedom::all() { (entry(freedom)) }
    };
    spec_page(TITLE, &content)
}

fn entry(freedom: &Freedom) -> Markup {
    let plain = |names: &[String]| names.join(", ").replace('-', " ");
    html! {
        article class="card sc" id=(freedom.name) {
            h3 {
                (freedom.name.replace('-', " "))
                @if let Some(protocol) = &freedom.protocol { " " small { "(" (protocol) " alone)" } }
            }
            p.why { (linked(&freedom.source)) }
            dl.req {
                dt { small { "Where" } } dd { (plain(&freedom.seams)) }
                dt { small { "In what" } } dd { (plain(&freedom.elements)) }
                dt { small { "How" } } dd { (plain(&freedom.operations)) }
                @if !freedom.when.is_empty() {
                    dt { small { "If one of" } } dd { (plain(&freedom.when)) }
                }
                dt { small { "Done by" } }
                dd {
                    @if freedom.variant == "plain" { "no variant, but it passes as drawn" }
                    @else { "the variant " code { (freedom.variant) } }
                }
            }
        }
    }
}
