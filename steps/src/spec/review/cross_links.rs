//! Sentences whose ids lead to what they name.

use maud::{Markup, html};

use crate::ledger::Ledger;
use crate::report::page::prose;
use crate::spec::decisions::{Decisions, page_of};

/// A sentence, in which each id of a decision or a requirement outside code is a link.
pub(in crate::spec) fn linked(text: &str) -> Markup {
    let mut pieces = Vec::new();
    let mut rest = text;
    // Code stands between backticks, and stays whole.
    while let Some((before, code, after)) = code_in(rest) {
        pieces.extend(words(before));
        pieces.push(prose(code));
        rest = after;
    }
    pieces.extend(words(rest));
    html! { @for piece in pieces { (piece) } }
}

/// What is before the first code, the code with its backticks, and what is behind it.
fn code_in(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find('`')?;
    let end = start + 1 + text[start + 1..].find('`')? + 1;
    Some((&text[..start], &text[start..end], &text[end..]))
}

fn words(text: &str) -> Vec<Markup> {
    let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '-';
    text.split_inclusive(|c| !is_of_id(c))
        .map(|word| {
            let id = word.trim_end_matches(|c| !is_of_id(c));
            let behind = &word[id.len()..];
            match target(id) {
                Some(link) => html! { a href=(link) { (id) } (behind) },
                None => html! { (word) },
            }
        })
        .collect()
}

/// Where an id leads.
fn target(id: &str) -> Option<String> {
    if let Some(decision) = Decisions::embedded().find(id) {
        return Some(format!("{}#{id}", page_of(decision.kind)));
    }
    let row = id.parse().ok().and_then(|id| Ledger::embedded().row(&id));
    row.map(|row| format!("requirements.html#{}", row.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lead_to_their_pages_and_code_stays_as_it_is() {
        assert_eq!(
            linked("As A-80 (A-70, LN-10), not A-999 or `A-70`.").into_string(),
            "As <a href=\"choices.html#A-80\">A-80</a> (<a href=\"review.html#A-70\">A-70</a>, \
             <a href=\"requirements.html#LN-10\">LN-10</a>), not A-999 or <code>A-70</code>."
        );
        assert_eq!(linked("a ` b <A>").into_string(), "a ` b &lt;A&gt;");
    }
}
