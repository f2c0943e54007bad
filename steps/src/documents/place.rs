//! The place of a document that a scenario executes, as its tag names it:
//! `doc:buffering/project-signed-in:arrow-2`.

use std::fmt;
use std::str::FromStr;

use gherkin::Scenario;

/// The beginning of every such tag.
const WORD: &str = "doc:";

/// A place in a section, as a reviewer finds it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Its own text, beside lists and drawings.
    Text,
    /// A list item, counted from 1.
    Item(usize),
    /// Its drawing as a whole.
    Drawing,
    /// An arrow of its drawing, counted from 1.
    Arrow(usize),
}

impl Place {
    /// For readers; nothing for the section's own text.
    pub fn in_words(self) -> Option<String> {
        match self {
            Self::Text => None,
            Self::Item(number) => Some(format!("item {number}")),
            Self::Drawing => Some("the drawing".to_owned()),
            Self::Arrow(number) => Some(format!("arrow {number}")),
        }
    }
}

/// A place of a document.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Citation {
    /// The document's id.
    pub document: String,
    /// The section's id.
    pub section: String,
    /// Where in it.
    pub place: Place,
}

impl Citation {
    /// The citations among tags, or what is wrong with them.
    pub fn among<'a>(
        tags: impl IntoIterator<Item = &'a String>,
    ) -> impl Iterator<Item = Result<Self, MalformedCitation>> {
        tags.into_iter().filter(|tag| tag.starts_with(WORD)).map(|tag| tag.parse())
    }

    /// What a scenario cites, with its rule and feature. A section as a whole is left out where one
    /// of its places is cited as well: rules cite the section for all that stands under them.
    pub fn of_scenario(scenario: &Scenario, rule: &[String], feature: &[String]) -> Vec<Self> {
        let all: Vec<Self> = Self::among(scenario.tags.iter().chain(rule).chain(feature))
            .filter_map(Result::ok)
            .collect();
        let is_nearer = |one: &Self| {
            let same =
                |other: &&Self| (&other.document, &other.section) == (&one.document, &one.section);
            one.place != Place::Text
                || !all.iter().filter(same).any(|other| other.place != Place::Text)
        };
        let mut nearest: Vec<_> = all.iter().filter(|one| is_nearer(one)).cloned().collect();
        nearest.sort();
        nearest.dedup();
        nearest
    }
}

impl FromStr for Citation {
    type Err = MalformedCitation;

    fn from_str(tag: &str) -> Result<Self, Self::Err> {
        let malformed = || MalformedCitation(tag.to_owned());
        let (document, rest) =
            tag.strip_prefix(WORD).and_then(|rest| rest.split_once('/')).ok_or_else(malformed)?;
        let (section, place) =
            rest.split_once(':').map_or((rest, None), |(section, place)| (section, Some(place)));
        let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with(['+', '0']));
        let place = match place {
            None => Some(Place::Text),
            Some("drawing") => Some(Place::Drawing),
            Some(place) => match place.split_once('-') {
                Some(("item", text)) => number(text).map(Place::Item),
                Some(("arrow", text)) => number(text).map(Place::Arrow),
                _ => None,
            },
        };
        let place =
            place.filter(|_| !document.is_empty() && !section.is_empty()).ok_or_else(malformed)?;
        Ok(Self { document: document.to_owned(), section: section.to_owned(), place })
    }
}

/// A tag that begins like a citation and is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MalformedCitation(pub String);

impl fmt::Display for MalformedCitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "@{} is not of the form @doc:DOCUMENT/SECTION, with :item-N, :drawing or :arrow-N behind it where there is one",
            self.0
        )
    }
}

impl std::error::Error for MalformedCitation {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_document_section_and_place() {
        for (tag, place) in [
            ("doc:buffering/root", Place::Text),
            ("doc:buffering/root:item-7", Place::Item(7)),
            ("doc:buffering/root:drawing", Place::Drawing),
            ("doc:buffering/root:arrow-12", Place::Arrow(12)),
        ] {
            let citation =
                Citation { document: "buffering".to_owned(), section: "root".to_owned(), place };
            assert_eq!(tag.parse(), Ok(citation), "{tag}");
        }
    }

    #[test]
    fn a_place_is_nearer_than_the_section_that_the_rule_cites() {
        let text = "Feature: F\n  @doc:buffering/root @doc:buffering/cons\n  Rule: r\n    @doc:buffering/root:item-2 @doc:buffering/root:arrow-1\n    Scenario: s\n      Given a\n";
        let feature = gherkin::Feature::parse(text, gherkin::GherkinEnv::default()).unwrap();
        let rule = &feature.rules[0];
        let cited: Vec<_> = Citation::of_scenario(&rule.scenarios[0], &rule.tags, &feature.tags)
            .into_iter()
            .map(|one| (one.section, one.place))
            .collect();
        let (root, cons) = ("root".to_owned(), "cons".to_owned());
        assert_eq!(
            cited,
            [(cons, Place::Text), (root.clone(), Place::Item(2)), (root, Place::Arrow(1))]
        );
    }

    #[test]
    fn a_tag_that_is_not_of_the_form_is_no_citation() {
        for tag in [
            "doc:root",
            "doc:/root",
            "doc:buffering/",
            "doc:a/b:",
            "doc:a/b:item",
            "doc:a/b:item-0",
            "doc:a/b:arrow-x",
            "doc:a/b:line-3",
        ] {
            assert_eq!(tag.parse::<Citation>(), Err(MalformedCitation(tag.to_owned())), "{tag}");
        }
    }
}
