//! The words in which the notation writes a message.

use serde_json::{Map, Value};

/// The words of a message: plain words, `Name=value` whose value may be braces with spaces inside,
/// braces alone, and brackets with words inside.
pub(super) struct Words<'a> {
    rest: &'a str,
}

pub(super) enum Word<'a> {
    Plain(&'a str),
    Field(&'a str, &'a str),
    Braces(&'a str),
    Brackets(&'a str),
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    pub(super) fn next(&mut self) -> Result<Option<Word<'a>>, String> {
        let text = self.rest;
        if text.is_empty() {
            return Ok(None);
        }
        let end_of_word = text.find(' ').unwrap_or(text.len());
        let word = &text[..end_of_word];
        let (word, taken) = if text.starts_with('{') {
            let end = closing_brace(text)?;
            (Word::Braces(&text[..end]), end)
        } else if let Some(inside) = text.strip_prefix('[') {
            // Values have no brackets inside.
            let end = inside.find(']').ok_or("a bracket is not closed")?;
            (Word::Brackets(&inside[..end]), end + 2)
        } else if let Some((name, value)) =
            word.split_once('=').filter(|(name, _)| !name.starts_with('/'))
        {
            if value.starts_with('{') {
                let begin = name.len() + 1;
                let end = begin + closing_brace(&text[begin..])?;
                (Word::Field(name, &text[begin..end]), end)
            } else {
                (Word::Field(name, value), end_of_word)
            }
        } else {
            (Word::Plain(word), end_of_word)
        };
        self.rest = text[taken..].trim_start();
        Ok(Some(word))
    }
}

fn closing_brace(text: &str) -> Result<usize, String> {
    text.find('}').map(|at| at + 1).ok_or_else(|| "a brace is not closed".to_owned())
}

/// Parses a learn response as the documents write it: without quotes around member names.
pub(super) fn relaxed_json(text: &str) -> Result<Map<String, Value>, String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let mut object = Map::new();
    for member in inner.split(", ").map(str::trim).filter(|member| !member.is_empty()) {
        let (name, value) =
            member.split_once(':').ok_or_else(|| format!("`{member}` is not `name: value`"))?;
        let value = serde_json::from_str(value.trim())
            .map_err(|_| format!("`{}` is not a JSON value", value.trim()))?;
        object.insert(name.trim().trim_matches('"').to_owned(), value);
    }
    Ok(object)
}
