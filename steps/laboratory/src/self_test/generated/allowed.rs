//! Deviations that no text forbids: `fixtures/allowed.toml`.

use broken_routers::deviation::{Draw, name};
use conformance_suite::spec::Freedom;

/// The line that allows a deviation.
pub(super) fn line_for(draw: &Draw) -> Option<&'static Freedom> {
    Freedom::all().iter().find(|line| allows(line, draw))
}

fn allows(line: &Freedom, draw: &Draw) -> bool {
    let Draw { protocol, deviation, .. } = draw;
    let conditions: Vec<_> = deviation.conditions().map(|one| name(&one)).collect();
    line.protocol.as_ref().is_none_or(|own| *own == protocol.to_string())
        && is_one_of(&line.seams, &name(&deviation.seam))
        && is_one_of(&line.elements, &name(&deviation.element))
        && is_one_of(&line.operations, &name(&deviation.operation))
        && (line.when.is_empty() || conditions.iter().any(|one| is_one_of(&line.when, one)))
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
    use serde::Deserialize;

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
        let lines = Freedom::all();
        let names: BTreeSet<_> = lines.iter().map(|line| &line.name).collect();
        assert_eq!(names.len(), lines.len(), "a name is there twice");
        for line in lines {
            assert!(line.source.len() > 20, "{}", line.name);
            assert!(variants().iter().any(|it| it.name == line.variant), "{}", line.variant);
            let Freedom { seams, elements, operations, when, .. } = line;
            for word in [seams, elements, operations, when].into_iter().flatten() {
                let is_meant = |name: &String| is_one_of(std::slice::from_ref(word), name);
                let is_known = word.strip_prefix("field ").map_or_else(
                    || drawn.iter().any(is_meant),
                    |name| FieldName::deserialize(of_text(name)).is_ok(),
                );
                assert!(is_known, "{}: nothing is {word}", line.name);
            }
        }
        assert!(draws(1, 1_000).any(|draw| line_for(&draw).is_some()));
    }

    #[test]
    fn names_match_by_whole_words() {
        let names = ["field via".to_owned(), "swap".to_owned()];
        assert!(is_one_of(&names, "swap cell") && is_one_of(&names, "field via"));
        assert!(!is_one_of(&names, "field vias") && !is_one_of(&names, "field"));
    }
}
