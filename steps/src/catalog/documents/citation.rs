//! The citation of a place of a document, in a tag of the scenario that executes it:
//! `doc:buffering/project-signed-in:arrow-2`.

use std::str::FromStr;

use cucumber::gherkin::Scenario;

const PREFIX: &str = "doc:";

/// A place in a section of a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DocumentPlace {
    /// The text outside lists and drawings.
    Text,
    /// A list item, counted from 1.
    Item(usize),
    Drawing,
    /// An arrow of the drawing, counted from 1.
    Arrow(usize),
}

impl DocumentPlace {
    /// In words for readers; `None` for the text of the section.
    pub fn in_words(self) -> Option<String> {
        match self {
            Self::Text => None,
            Self::Item(number) => Some(format!("item {number}")),
            Self::Drawing => Some("the drawing".to_owned()),
            Self::Arrow(number) => Some(format!("arrow {number}")),
        }
    }
}

/// A citation: document, section and place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Citation {
    pub document: String,
    pub section: String,
    pub place: DocumentPlace,
}

impl Citation {
    /// The citations among tags; an error for each malformed one.
    pub fn among<'a>(
        tags: impl IntoIterator<Item = &'a String>,
    ) -> impl Iterator<Item = Result<Self, MalformedCitation>> {
        tags.into_iter().filter(|tag| tag.starts_with(PREFIX)).map(|tag| tag.parse())
    }

    /// The citations of a scenario, its rule and its feature, in order. A whole section is left out
    /// where one of its places is cited as well, since a rule cites the section for all scenarios
    /// in it.
    pub fn of_scenario(scenario: &Scenario, rule: &[String], feature: &[String]) -> Vec<Self> {
        let all: Vec<Self> = Self::among(scenario.tags.iter().chain(rule).chain(feature))
            .filter_map(Result::ok)
            .collect();
        let is_kept = |one: &Self| {
            let same =
                |other: &&Self| (&other.document, &other.section) == (&one.document, &one.section);
            one.place != DocumentPlace::Text
                || !all.iter().filter(same).any(|other| other.place != DocumentPlace::Text)
        };
        let mut cited: Vec<_> = all.iter().filter(|one| is_kept(one)).cloned().collect();
        cited.sort();
        cited.dedup();
        cited
    }
}

impl FromStr for Citation {
    type Err = MalformedCitation;

    fn from_str(tag: &str) -> Result<Self, Self::Err> {
        let malformed = || MalformedCitation(tag.to_owned());
        let (document, rest) =
            tag.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/')).ok_or_else(malformed)?;
        let (section, place) =
            rest.split_once(':').map_or((rest, None), |(section, place)| (section, Some(place)));
        let number = |text: &str| text.parse().ok().filter(|_| !text.starts_with(['+', '0']));
        let place = match place {
            None => Some(DocumentPlace::Text),
            Some("drawing") => Some(DocumentPlace::Drawing),
            Some(place) => match place.split_once('-') {
                Some(("item", text)) => number(text).map(DocumentPlace::Item),
                Some(("arrow", text)) => number(text).map(DocumentPlace::Arrow),
                _ => None,
            },
        };
        let place =
            place.filter(|_| !document.is_empty() && !section.is_empty()).ok_or_else(malformed)?;
        Ok(Self { document: document.to_owned(), section: section.to_owned(), place })
    }
}

/// A tag with the prefix of a citation that is not a valid one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "@{0} is not a valid citation: expected @doc:DOCUMENT/SECTION, optionally followed by :item-N, \
     :drawing or :arrow-N"
)]
pub struct MalformedCitation(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_names_a_document_a_section_and_a_place() {
        for (tag, place) in [
            ("doc:buffering/root", DocumentPlace::Text),
            ("doc:buffering/root:item-7", DocumentPlace::Item(7)),
            ("doc:buffering/root:drawing", DocumentPlace::Drawing),
            ("doc:buffering/root:arrow-12", DocumentPlace::Arrow(12)),
        ] {
            let citation =
                Citation { document: "buffering".to_owned(), section: "root".to_owned(), place };
            assert_eq!(tag.parse(), Ok(citation), "{tag}");
        }
    }

    #[test]
    fn a_place_replaces_the_whole_section_that_the_rule_cites() {
        let text = concat!(
            "Feature: F\n  @doc:buffering/root @doc:buffering/cons\n  Rule: r\n",
            "    @doc:buffering/root:item-2 @doc:buffering/root:arrow-1\n",
            "    Scenario: s\n      Given a\n"
        );
        let feature =
            cucumber::gherkin::Feature::parse(text, cucumber::gherkin::GherkinEnv::default())
                .unwrap();
        let rule = &feature.rules[0];
        let cited: Vec<_> = Citation::of_scenario(&rule.scenarios[0], &rule.tags, &feature.tags)
            .into_iter()
            .map(|one| (one.section, one.place))
            .collect();
        let (root, cons) = ("root".to_owned(), "cons".to_owned());
        assert_eq!(
            cited,
            [
                (cons, DocumentPlace::Text),
                (root.clone(), DocumentPlace::Item(2)),
                (root, DocumentPlace::Arrow(1))
            ]
        );
    }

    #[test]
    fn a_malformed_tag_is_not_a_citation() {
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
