//! The totals of a round as a page: where the net is thin stands out.

use conformance_suite::report::page::page as framed;
use maud::{Markup, html};

use super::totals::{Share, Totals};

const TITLE: &str = "Mutants that nobody wrote";

impl Totals {
    /// The totals as a page that opens offline.
    pub fn page(&self) -> String {
        let text = self.to_string();
        let content = html! {
            header { h1 { (TITLE) } }
            @for sentence in text.lines().take_while(|line| !line.is_empty()) { p { (sentence) } }
            p.legend {
                "Killed, in percent, of the mutants without a condition, with one and with two. What \
                 is allowed is no defect, and what anything kills is counted apart."
            }
            @for (title, table) in self.tables() { (shares(title, &table)) }
        };
        framed(TITLE, None, &content)
    }
}

fn shares(title: &str, table: &[(String, [Share; 3])]) -> Markup {
    html! {
        h2 { "By " (title) }
        div.tw {
            table {
                thead {
                    tr { th { (title) } th { "no condition" } th { "one" } th { "two" } }
                }
                tbody {
                    @for (name, shares) in table {
                        tr { th scope="row" { (name) } @for share in shares { (cell(*share)) } }
                    }
                }
            }
        }
    }
}

/// A share, marked where it is below the goals: 98 percent, and 85 for a single seam.
fn cell(share: Share) -> Markup {
    let class = match share.percent() {
        None => "t-none",
        Some(percent) if percent >= 98.0 => "t-passed",
        Some(percent) if percent >= 85.0 => "t-warned",
        Some(_) => "t-failed",
    };
    html! { td { span class=(class) { (share) } } }
}
