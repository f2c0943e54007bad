//! How to read the pages: the words of the steps that nothing else explains, and the
//! drawings.

use maud::{Markup, html};

use crate::report::page::prose;

/// Words of the steps, and what they mean; code stands between backticks.
const WORDS: &[(&str, &str)] = &[
    (
        "`anna`, `nina`",
        "Members of `my-organization` on Cell EU0 and of `not-my-organization` on Cell US1, which \
         are their default organizations.",
    ),
    ("`gabe`", "A legacy user: his default organization is GitLab.com Public, on Cell US0."),
    ("`olga`", "The administrator of the installation."),
    ("`visitor`, `the new customer`", "Somebody who never signs in, and somebody who signs up."),
    ("`runner_a`, `runner_b`", "Runners, which ask cells for jobs."),
    (
        "`a cold EU router`",
        "A router of the region that has just started, with an empty cache. A visit in a Given \
         step warms the cache, and is not drawn.",
    ),
    (
        "`asking cell_eu1 first`",
        "Whichever cell the router asks takes the role of Cell EU1; the other cells of the region \
         take the other roles. The router still chooses freely, and the scenario needs no luck.",
    ),
    (
        "`until cell_us1 was asked, at most 40 times`",
        "Cell US0 cannot be played by another one. So the visit is made again until the router \
         picks the drawn cell; the last visit alone is drawn.",
    ),
    (
        "`the exchange was`",
        "All that users, routers and cells sent to each other in the When steps is what the \
         drawing below says, no more and no less. `the last exchange` is that of the last When \
         step.",
    ),
    (
        "`runs through \"freeze\"`",
        "An organization moves in phases: announce, copy, freeze, copy the rest, switch, thaw, \
         clean up. The step does all phases up to this one, and the move waits there.",
    ),
    (
        "`{65536 bytes}`",
        "In bytes that are sent as they stand: this many letters x. Likewise `{90 fields}` stands \
         for 90 short field lines, `{90 chunks}` for 90 chunks of one byte, and `{200 ms}` for a \
         pause. `{id}`, `{host}` and `{cookies}` are filled in.",
    ),
];

/// The part of the first page that explains how to read the others.
pub(super) fn how_to_read() -> Markup {
    html! {
        h2 { "How to read a scenario" }
        dl.req {
            @for (word, meaning) in WORDS {
                dt { (prose(word)) }
                dd { (prose(meaning)) }
            }
        }
        h2 { "How to read a drawing" }
        p {
            "A full arrow is a request, a dashed one a response. " code { "any_eu_cell" }
            " is any cell of the region, possibly another one each time; " code { "some_eu_cell" }
            " is the same cell each time. A response drawn from a cell to the user is passed on by \
             the router unchanged, and the text at the arrow holds for what the user got. Only the \
             text in " code { "[cell: ...]" } " is checked at the cell alone: the router may drop \
             the cache field. " code { "choice LN-17" } " above an arrow says that the router \
             chooses the cell: a cell of another region is a warning under that requirement, and \
             nothing else. What is in an " code { "opt" } " frame may happen or not; of an "
            code { "alt" } " frame, one part happens."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn each_word_stands_in_a_feature() {
        let features: String = Catalog::sources().map(|(_, text)| text).collect();
        for (word, _) in WORDS {
            for word in word.split('`').skip(1).step_by(2) {
                assert!(features.contains(word), "no feature says `{word}`");
            }
        }
    }
}
