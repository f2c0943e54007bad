//! What the linter asks of titles: each is read alone, in a list of cases or in a CI log.

use cucumber::gherkin::Feature;

use super::Source;

/// A scenario makes a statement, which takes three words; a rule may be a noun phrase.
const FEWEST_WORDS: [(&str, usize); 3] = [("feature", 1), ("rule", 2), ("scenario", 3)];

/// Prepositions and conjunctions: a title that begins with one continues a sentence that the reader
/// does not see.
const CONTINUES: &str = "\
    about above across after against along also although among and around as at because before \
    behind below beneath beside besides between beyond but by despite during even except for \
    from if in inside instead into like near neither nor not of off on once onto or outside over \
    per since so than that then though through till to toward towards under unless unlike until \
    up upon via when whenever where whereas wherever which whichever while with within without \
    yet";

/// Every title that is missing or does not stand alone. Examples are expanded already; the
/// examples of one outline give one complaint.
pub(super) fn complaints(source: &Source<'_>, expanded: &Feature) -> Vec<String> {
    let feature = [(expanded.position.line, "feature", &expanded.name)];
    let rules = expanded.rules.iter().map(|rule| (rule.position.line, "rule", &rule.name));
    let scenarios =
        expanded.scenarios.iter().chain(expanded.rules.iter().flat_map(|rule| &rule.scenarios));
    let scenarios = scenarios.map(|one| (one.position.line, "scenario", &one.name));
    let mut found: Vec<_> = feature
        .into_iter()
        .chain(rules)
        .chain(scenarios)
        .filter_map(|(line, kind, title)| {
            let why = complaint(kind, title)?;
            Some(format!("{}:{line}: the title of the {kind}, `{title}`, {why}", source.path))
        })
        .collect();
    found.dedup();
    found
}

/// Why a title does not stand alone.
fn complaint(kind: &str, title: &str) -> Option<String> {
    let mut words = title.split_whitespace();
    let first = words.next().unwrap_or_default();
    let first = first.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if !title.contains(char::is_alphanumeric) {
        return Some("has no word; say what it is about".to_owned());
    }
    if kind != "feature" && CONTINUES.split(' ').any(|word| word == first) {
        return Some(format!(
            "begins with `{first}`, so it does not stand alone; begin with its subject"
        ));
    }
    let fewest = FEWEST_WORDS.iter().find(|(of, _)| *of == kind).map_or(1, |(_, words)| *words);
    (words.count() + 1 < fewest)
        .then(|| format!("has fewer than {fewest} words; say what happens, and to what"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_begins_with_its_subject_and_makes_a_statement() {
        for title in ["nor of silence", "Without a body it lasts", "in chunks, to a known cell"] {
            assert!(
                complaint("scenario", title).is_some_and(|why| why.contains("stand alone")),
                "{title}"
            );
        }
        for title in ["large bodies", "another host"] {
            assert!(
                complaint("scenario", title).is_some_and(|why| why.contains("fewer than")),
                "{title}"
            );
        }
        for title in ["a user reads slowly", "Content-Length together with Transfer-Encoding"] {
            assert_eq!(complaint("scenario", title), None, "{title}");
        }
        for kind in ["feature", "rule", "scenario"] {
            for title in ["", "  ", "?!"] {
                assert!(complaint(kind, title).is_some_and(|why| why.contains("has no word")));
            }
        }
        assert_eq!(complaint("feature", "Bodies"), None);
        assert_eq!(complaint("rule", "Owner outage"), None);
        assert!(complaint("rule", "Owners").is_some());
        assert!(complaint("rule", "From the user").is_some());
    }
}
