//! Which scenarios a run is about.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use super::shard::Shard;
use crate::catalog::{Case, without_protocol};
use crate::ledger::{Ledger, Profile};

/// Which scenarios; by default all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// The folder or file of custom features from which the scenarios are, as it was named; `None`
    /// for the suite's.
    pub features: Option<String>,
    /// Parts of names, or patterns with `*`; a scenario matches any of them.
    pub filters: Vec<String>,
    /// Tags; a scenario has any of them.
    pub tags: Vec<String>,
    /// Profiles; a scenario is of any of them.
    pub profiles: Vec<Profile>,
    /// Parts of names, patterns, or tags, which begin with `@`; a scenario that matches any of them
    /// is left out.
    pub excluded: Vec<String>,
    /// The shard of what the other members select; `None` for all of it.
    pub shard: Option<Shard>,
}

/// The most characters in which a misspelled word differs from the one that is meant.
const NEAR: usize = 3;

const HINT: &str = "`cells-conformance list` shows the names";
const TAGS_HINT: &str = "`cells-conformance list tags` shows the tags";

impl Selection {
    /// The selected cases. It is an error if nothing is selected, or a filter matches nothing: an
    /// empty run must not look like a pass. A shard may be empty.
    pub fn of(&self, cases: &[Case], ledger: &Ledger) -> Result<Vec<Case>, String> {
        let is_unknown = |filter: &&String| !cases.iter().any(|case| case.matches(filter));
        let (excluded_tags, excluded): (Vec<_>, Vec<_>) =
            self.excluded.iter().partition(|word| word.starts_with('@'));
        if let Some(filter) = self.filters.iter().chain(excluded).find(is_unknown) {
            return Err(no_such_name(filter, cases));
        }
        let mut tags = self.tags.iter().chain(excluded_tags);
        if let Some(tag) = tags.find(|tag| !cases.iter().any(|case| has(case, tag))) {
            let tags = cases.iter().flat_map(|case| &case.tags).map(String::as_str);
            let meant = meant(tag.trim_start_matches('@'), tags);
            return Err(format!("no scenario has the tag {tag}{meant}; {TAGS_HINT}"));
        }
        let selected: Vec<_> = cases
            .iter()
            .filter(|case| self.is_named(case, ledger) && !self.leaves_out(case))
            .cloned()
            .collect();
        if selected.is_empty() {
            return Err(format!("the filters together select no scenario; {HINT}"));
        }
        Ok(match self.shard {
            Some(shard) => shard.of(selected),
            None => selected,
        })
    }

    /// Whether the filters, tags and profiles name a case.
    fn is_named(&self, case: &Case, ledger: &Ledger) -> bool {
        let any = |list: &[String], fits: &dyn Fn(&str) -> bool| {
            list.is_empty() || list.iter().any(|one| fits(one))
        };
        any(&self.filters, &|filter| case.matches(filter))
            && any(&self.tags, &|tag| has(case, tag))
            && (self.profiles.is_empty() || self.profiles.contains(&case.profile(ledger)))
    }

    /// Whether a case is left out, whatever names it.
    fn leaves_out(&self, case: &Case) -> bool {
        let fits = |word: &String| match word.starts_with('@') {
            true => has(case, word),
            false => case.matches(word),
        };
        self.excluded.iter().any(fits)
    }

    /// The names of the cases that would be selected, and are left out.
    pub fn left_out(&self, cases: &[Case], ledger: &Ledger) -> Vec<String> {
        let is_left_out = |case: &&Case| self.is_named(case, ledger) && self.leaves_out(case);
        cases.iter().filter(is_left_out).map(|case| case.name.clone()).collect()
    }

    /// The words of a record's selection, the same for all its shards; nothing for all scenarios.
    pub fn words(&self) -> Vec<String> {
        let tags = self.tags.iter().map(|tag| format!("--tag {tag}"));
        let profiles = self.profiles.iter().map(|profile| format!("--profile {profile}"));
        let features = self.features.iter().map(|place| format!("--features {place}"));
        let excluded = self.excluded.iter().map(|word| format!("--exclude {word}"));
        let named = features.chain(self.filters.iter().cloned()).chain(tags).chain(profiles);
        named.chain(excluded).collect()
    }

    pub(crate) fn from_words(words: &[String]) -> Result<Self, String> {
        let mut selection = Self::default();
        for word in words {
            match word.split_once(' ') {
                Some(("--features", place)) => selection.features = Some(place.to_owned()),
                Some(("--tag", tag)) => selection.tags.push(tag.to_owned()),
                Some(("--exclude", word)) => selection.excluded.push(word.to_owned()),
                Some(("--profile", name)) => {
                    let known = Profile::ALL.into_iter().find(|profile| profile.as_str() == name);
                    let profile = known.ok_or_else(|| format!("`{name}` is not a profile"))?;
                    selection.profiles.push(profile);
                }
                _ if word.starts_with("--") => {
                    return Err(format!("`{word}` is not an option of a selection"));
                }
                _ => selection.filters.push(word.clone()),
            }
        }
        Ok(selection)
    }
}

/// Why a filter selects nothing, with what is probably meant.
pub fn no_such_name(filter: &str, cases: &[Case]) -> String {
    let path = Path::new(filter);
    if path.is_file() {
        let option = match path.extension().and_then(OsStr::to_str) {
            Some("toml") => "--router-file",
            Some("feature") => "--features",
            _ => "--",
        };
        return format!(
            "no scenario is named like {filter}, which is a file: is `{option} {filter}` meant?"
        );
    }
    // As many words of a name as the filter has.
    let count = filter.split('_').flat_map(|part| part.split("::")).count();
    let parts = cases.iter().flat_map(|case| {
        let name = without_protocol(&case.name);
        let ends = name.match_indices("::").chain(name.match_indices('_'));
        let mut ends: Vec<_> = ends.map(|(at, word)| (at, at + word.len())).collect();
        ends.sort_unstable();
        let begins: Vec<_> = [0].into_iter().chain(ends.iter().map(|(_, begin)| *begin)).collect();
        let ends: Vec<_> = ends.into_iter().map(|(end, _)| end).chain([name.len()]).collect();
        let last: Vec<_> = ends.into_iter().skip(count - 1).collect();
        begins.into_iter().zip(last).map(|(begin, end)| &name[begin..end]).collect::<Vec<_>>()
    });
    format!("no scenario is named like {filter}{}; {HINT}", meant(filter, parts))
}

/// `: is ... meant?`, where one of the words is like the given one.
fn meant<'a>(given: &str, words: impl Iterator<Item = &'a str>) -> String {
    let given = given.to_lowercase();
    let words: BTreeSet<_> =
        words.filter(|word| word.len().abs_diff(given.len()) <= NEAR).collect();
    let distance = |word: &str| strsim::levenshtein(&word.to_lowercase(), &given);
    let near = words.into_iter().map(|word| (distance(word), word)).min();
    let near = near.filter(|(distance, _)| *distance <= NEAR.min(given.len() / 3));
    near.map(|(_, word)| format!(": is {word} meant?")).unwrap_or_default()
}

/// Whether a case has a tag; for a document also one of its sections.
fn has(case: &Case, tag: &str) -> bool {
    let tag = tag.trim_start_matches('@');
    let is_within =
        |own: &str| own.strip_prefix(tag).is_some_and(|rest| rest.starts_with(['/', ':']));
    case.tags.iter().any(|own| own == tag || (tag.starts_with("doc:") && is_within(own)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn what_is_probably_meant_is_named() {
        let catalog = Catalog::embedded();
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            path.display().to_string()
        };
        let (router, file, feature) = (at("my-router"), at("r.toml"), at("a.feature"));
        for (words, meant) in [
            ("project_signd_in", "is project_signed_in meant?".to_owned()),
            ("projct_signed_in::internal", "is project_signed_in::internal meant?".to_owned()),
            ("a_cold_ruter", "is a_cold_router meant?".to_owned()),
            ("--tag req:BF-3", "is req:BF-03 meant?".to_owned()),
            (&router, format!("is `-- {router}` meant?")),
            (&file, format!("is `--router-file {file}` meant?")),
            (&feature, format!("is `--features {feature}` meant?")),
        ] {
            let selection = Selection::from_words(&[words.to_owned()]).unwrap();
            let why = selection.of(&catalog.cases, Ledger::embedded()).unwrap_err();
            assert!(why.contains(&meant), "{words}: {why}");
        }
        let why = no_such_name("nothing-like-it", &catalog.cases);
        assert!(!why.contains("meant"), "{why}");
    }

    #[test]
    fn the_words_of_a_record_select_the_same_cases() {
        let (catalog, ledger) = (Catalog::embedded(), Ledger::embedded());
        let count = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            let selection = Selection::from_words(&words)?;
            assert_eq!(selection.words(), words);
            selection.of(&catalog.cases, ledger).map(|cases| cases.len())
        };
        assert_eq!(count(&[]), Ok(catalog.cases.len()));
        let journeys = count(&["journeys"]).unwrap();
        assert!(journeys < catalog.cases.len());
        assert!(count(&["journeys", "--profile core"]).unwrap() < journeys);
        let without = count(&["journeys", "--exclude journeys::project_signed_in::*"]).unwrap();
        assert!(0 < without && without < journeys);
        let learning = count(&["journeys", "--exclude @learning"]).unwrap();
        assert!(0 < learning && learning < journeys);
        let section = count(&["--tag doc:buffering/project-signed-in"]).unwrap();
        let drawing = count(&["--tag doc:buffering/project-signed-in:drawing"]).unwrap();
        assert!(section < journeys && drawing < section);
        for wrong in [
            "--tag doc:buffering/project-signed",
            "--tag",
            "--profile none",
            "--jobs 2",
            "no-such-scenario",
            "--exclude no-such-scenario",
            "--exclude @no-such-tag",
        ] {
            assert!(count(&[wrong]).is_err(), "{wrong}");
        }
    }
}
