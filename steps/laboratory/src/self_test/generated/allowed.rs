//! Deviations that no text forbids: `fixtures/allowed.toml`.

use std::sync::LazyLock;

use broken_routers::deviation::{Draw, name};
use serde::Deserialize;

/// The freedom that routers have, one line for each source.
const FILE: &str = include_str!("../../../fixtures/allowed.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    allowed: Vec<Line>,
}

/// Deviations that a text leaves free.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// Its short name.
    pub name: String,
    /// What the text says, and where.
    pub source: String,
    /// A correct variant that uses this freedom.
    pub variant: String,
    /// In which protocol alone.
    protocol: Option<String>,
    seams: Vec<String>,
    elements: Vec<String>,
    operations: Vec<String>,
    /// One of its conditions has to be one of these; without the list, none is needed.
    #[serde(default)]
    when: Vec<String>,
}

/// All lines.
pub fn lines() -> &'static [Line] {
    static LINES: LazyLock<Vec<Line>> = LazyLock::new(|| {
        let file: File =
            toml::from_str(FILE).unwrap_or_else(|error| panic!("fixtures/allowed.toml: {error}"));
        file.allowed
    });
    &LINES
}

impl Line {
    /// Whether it allows this.
    pub fn allows(&self, draw: &Draw) -> bool {
        let Draw { protocol, deviation, .. } = draw;
        let conditions: Vec<_> = deviation.conditions().map(|one| name(&one)).collect();
        self.protocol.as_ref().is_none_or(|own| *own == protocol.to_string())
            && is_one_of(&self.seams, &name(&deviation.seam))
            && is_one_of(&self.elements, &name(&deviation.element))
            && is_one_of(&self.operations, &name(&deviation.operation))
            && (self.when.is_empty() || conditions.iter().any(|one| is_one_of(&self.when, one)))
    }
}

/// Whether a name is one of these, or begins with the words of one.
fn is_one_of(names: &[String], name: &str) -> bool {
    names.iter().any(|one| {
        name.strip_prefix(one.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use broken_routers::deviation::{FieldName, draws};
    use broken_routers::variants;

    use super::*;

    fn of_text(text: &str) -> serde::de::value::StrDeserializer<'_, serde::de::value::Error> {
        serde::de::IntoDeserializer::into_deserializer(text)
    }

    #[test]
    fn each_line_has_a_source_and_a_variant_and_speaks_of_what_is_drawn() {
        let mut drawn: BTreeSet<String> = BTreeSet::new();
        for Draw { deviation, .. } in draws(1, 20_000) {
            let parts = [name(&deviation.seam), name(&deviation.element)];
            drawn.extend(parts);
            drawn.insert(name(&deviation.operation));
            drawn.extend(deviation.conditions().map(|condition| name(&condition)));
        }
        let names: BTreeSet<_> = lines().iter().map(|line| &line.name).collect();
        assert_eq!(names.len(), lines().len(), "a name is there twice");
        for line in lines() {
            assert!(line.source.len() > 20, "{}", line.name);
            assert!(variants().iter().any(|it| it.name == line.variant), "{}", line.variant);
            let Line { seams, elements, operations, when, .. } = line;
            for word in [seams, elements, operations, when].into_iter().flatten() {
                let is_meant = |name: &String| is_one_of(std::slice::from_ref(word), name);
                let is_known = word.strip_prefix("field ").map_or_else(
                    || drawn.iter().any(is_meant),
                    |name| FieldName::deserialize(of_text(name)).is_ok(),
                );
                assert!(is_known, "{}: nothing is {word}", line.name);
            }
        }
        assert!(draws(1, 1_000).any(|draw| lines().iter().any(|line| line.allows(&draw))));
    }

    #[test]
    fn names_match_by_whole_words() {
        let names = ["field via".to_owned(), "swap".to_owned()];
        assert!(is_one_of(&names, "swap cell") && is_one_of(&names, "field via"));
        assert!(!is_one_of(&names, "field vias") && !is_one_of(&names, "field"));
    }
}
