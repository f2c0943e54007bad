//! Tags that the suite reads, and those that were probably meant for one.

use cucumber::gherkin::Feature;

use super::Source;
use super::documents::{Citation, Documents};
use crate::router_file::Capability;

/// The tag of scenarios that are played a second time, late in the life of the router.
pub(crate) const LATE: &str = "late";
const READ: [&str; 4] = ["buffering", "learning", "any-cache", LATE];
/// The names of those that have a value, like `@req:RT-08`.
const WITH_VALUE: [&str; 3] = ["capability", "doc", "req"];

/// Every tag that names something that is not there, or is nearly one that the suite reads. All
/// others are for `--tag`.
pub(super) fn complaints(source: &Source<'_>, feature: &Feature) -> Vec<String> {
    let mut found = Vec::new();
    let mut look_up = |line: usize, tags: &[String]| {
        for (tag, why) in tags.iter().filter_map(|tag| Some((tag, why(tag)?))) {
            found.push(format!("{}:{line}: the tag @{tag}: {why}", source.path));
        }
    };
    look_up(feature.position.line, &feature.tags);
    feature.rules.iter().for_each(|rule| look_up(rule.position.line, &rule.tags));
    let ruled = feature.rules.iter().flat_map(|rule| &rule.scenarios);
    for scenario in feature.scenarios.iter().chain(ruled) {
        look_up(scenario.position.line, &scenario.tags);
        scenario.examples.iter().for_each(|them| look_up(them.position.line, &them.tags));
    }
    found
}

fn why(tag: &str) -> Option<String> {
    match tag.split_once(':') {
        Some(("capability", name)) => {
            let names = Capability::ALL.iter().map(|one| one.as_str());
            if names.clone().any(|known| known == name) {
                return None;
            }
            let hint = match near(name, names.clone()) {
                Some(meant) => format!("did you mean @capability:{meant}?"),
                None => format!("the capabilities are {}", names.collect::<Vec<_>>().join(", ")),
            };
            Some(format!("no router can claim `{name}`, so it would never run; {hint}"))
        }
        Some(("doc", _)) => match tag.parse::<Citation>() {
            Ok(citation) => Documents::embedded().missing(&citation),
            Err(error) => Some(error.to_string()),
        },
        // The requirements of a scenario are held against its Then steps.
        Some(("req", _)) => None,
        Some((name, _)) => near(name, WITH_VALUE).map(|meant| unread(&format!("{meant}:NAME"))),
        None if READ.contains(&tag) => None,
        None if tag.starts_with("capability") => Some(unread("capability:NAME")),
        None => near(tag, READ).map(unread),
    }
}

fn unread(meant: &str) -> String {
    format!("nothing reads it; did you mean @{meant}? If not, choose a name that is less like it")
}

/// The name that was probably meant: at most one letter in four differs.
fn near<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_lowercase();
    let distances = names.into_iter().map(|name| (strsim::levenshtein(&word, name), name));
    let (distance, nearest) = distances.min()?;
    (4 * distance <= nearest.len()).then_some(nearest)
}

#[cfg(test)]
mod tests {
    use super::super::Catalog;
    use super::*;

    #[test]
    fn a_tag_that_leads_nowhere_or_nearly_somewhere_is_named() {
        for (tag, hint) in [
            ("capability:upgrades", "did you mean @capability:upgrade?"),
            ("capability:Early-Hints", "did you mean @capability:early-hints?"),
            ("capability:teleport", "the capabilities are cookie-cache, "),
            ("capability-upgrade", "did you mean @capability:NAME?"),
            ("capabilty:upgrade", "did you mean @capability:NAME?"),
            ("bufering", "did you mean @buffering?"),
            ("Learning", "did you mean @learning?"),
            ("anycache", "did you mean @any-cache?"),
            ("doc:buffering/rot", "has no section rot"),
        ] {
            assert!(why(tag).is_some_and(|why| why.contains(hint)), "{tag}: {:?}", why(tag));
        }
        for tag in ["buffering", "capability:upgrade", "doc:buffering/root", "slow", "jira:AB-1"] {
            assert_eq!(why(tag), None, "{tag}");
        }
    }

    #[test]
    fn the_tags_of_the_suite_lead_somewhere() {
        let catalog = Catalog::embedded();
        let found = catalog.cases.iter().flat_map(|case| &case.tags).find_map(|tag| why(tag));
        assert_eq!(found, None);
    }
}
