//! What a router is free to do: the choices of the correct variants, from `fixtures/freedoms.toml`.

use std::sync::LazyLock;

use maud::{Markup, html};
use serde::Deserialize;

use super::review::linked;
use super::spec_page;

const FILE: &str = include_str!("../../fixtures/freedoms.toml");

const TITLE: &str = "What a router is free to do";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    freedom: Vec<Freedom>,
}

/// A choice that a text leaves to the router.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Freedom {
    /// The correct router that takes it, by the name that `self-test --list --only variants` shows.
    pub variant: String,
    /// What that router does, in one sentence.
    pub choice: String,
    /// What the text says, and where.
    pub source: String,
    /// The only protocol in which it is a choice; both without it.
    pub protocol: Option<String>,
}

impl Freedom {
    /// All of the embedded file, in its order.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Freedom>> = LazyLock::new(|| {
            let file: File = toml::from_str(FILE)
                .unwrap_or_else(|error| panic!("fixtures/freedoms.toml: {error}"));
            file.freedom
        });
        &ALL
    }
}

/// The page for authors of routers, and for reviewers who ask what the texts leave open.
pub(super) fn page() -> String {
    let content = html! {
        header { h1 { (TITLE) } }
        p {
            "Each entry is a choice, the sentence that leaves it to the router, and a correct router \
             that takes it and passes the suite. An author who takes it as well is right."
        }
        @for freedom in Freedom::all() { (entry(freedom)) }
    };
    spec_page(TITLE, &content)
}

fn entry(freedom: &Freedom) -> Markup {
    html! {
        article class="card sc" {
            h3 {
                (freedom.variant.replace('-', " "))
                @if let Some(protocol) = &freedom.protocol { " " small { "(" (protocol) " alone)" } }
            }
            p { (freedom.choice) }
            p.why { (linked(&freedom.source)) }
        }
    }
}
