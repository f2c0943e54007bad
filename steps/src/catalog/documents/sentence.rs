//! The sentences of a section, one a line: the list item in which it stands, or a dash; what it says
//! in a few words of our own; and the requirements that carry it, or why there is none.

use serde::Deserialize;

use crate::ledger::RequirementId;

/// Why a sentence has no requirement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::Display, strum::EnumString)]
pub enum Reason {
    /// It introduces, compares or weighs, and asks nothing of routers or cells.
    #[strum(serialize = "context")]
    Context,
    /// Its scenarios are future work.
    #[strum(serialize = "later work")]
    LaterWork,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// The scenarios of these requirements.
    By(Vec<RequirementId>),
    Not(Reason),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence {
    /// The list item in which it stands, counted from 1.
    pub item: Option<usize>,
    /// What it says, in our words.
    pub gist: String,
    pub shown: Shown,
}

/// The sentences of a section in order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Sentences(pub(super) Vec<Sentence>);

impl TryFrom<String> for Sentences {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let read = |(at, line)| {
            sentence(line)
                .map_err(|why| format!("line {} of the sentences, `{line}`: {why}", at + 1))
        };
        text.trim().lines().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }
}

fn sentence(line: &str) -> Result<Sentence, String> {
    let columns: Vec<_> = line.split('|').map(str::trim).collect();
    let &[item, gist, shown] = columns.as_slice() else {
        return Err("expected `item or - | what it says | requirements or a reason`".to_owned());
    };
    let item = match item {
        "-" => None,
        number => {
            let number = number.parse().ok().filter(|number| *number > 0);
            Some(number.ok_or("expected the number of a list item, or `-`")?)
        }
    };
    let shown = match shown.parse() {
        Ok(reason) => Shown::Not(reason),
        Err(_) => {
            let ids = shown.split(' ').map(|id| {
                id.parse().map_err(|_| {
                    format!("`{shown}` is neither a list of requirements nor a reason")
                })
            });
            Shown::By(ids.collect::<Result<_, _>>()?)
        }
    };
    Ok(Sentence { item, gist: gist.to_owned(), shown })
}
