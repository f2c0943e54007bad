//! What people and tools type to test programs, in libtest-mimic's words.

use libtest_mimic::{Arguments, Trial};

/// Options without a value that cargo's own test programs know, libtest-mimic does not, and that
/// make no difference here.
const WITHOUT_MEANING: [&str; 6] = [
    "--no-capture",
    "--shuffle",
    "--report-time",
    "--ensure-time",
    "--exclude-should-panic",
    "--force-run-in-process",
];
/// The same, with a value.
const WITHOUT_MEANING_VALUED: [&str; 1] = ["--shuffle-seed"];
/// Options of libtest-mimic whose value may be the next word.
const VALUED: [&str; 6] = ["--test-threads", "--logfile", "--skip", "--color", "--format", "-Z"];

/// A test program's command line.
#[derive(Debug)]
pub(super) struct Asked {
    /// What libtest-mimic is to know; of several filters it knows none.
    pub(super) arguments: Arguments,
    /// The filters: a trial that fits any of them is meant.
    pub(super) filters: Vec<String>,
}

impl Asked {
    /// Reads a command line, the program's name first, and the value of `RUST_TEST_THREADS`.
    /// Options that nobody knows end the program here, with status 2.
    pub(super) fn read(
        words: impl IntoIterator<Item = String>,
        threads: Option<String>,
    ) -> Result<Self, String> {
        let (known, filters) = apart(words);
        let mut arguments = Arguments::from_iter(known);
        if let (None, Some(threads)) = (arguments.test_threads, threads) {
            let number = threads.parse().ok().filter(|number| *number > 0);
            arguments.test_threads = Some(number.ok_or_else(|| {
                format!("RUST_TEST_THREADS is `{threads}`, and no number above 0")
            })?);
        }
        // One filter is left to libtest-mimic, which then says how many trials it leaves out.
        if let [only] = filters.as_slice() {
            arguments.filter = Some(only.clone());
        }
        Ok(Self { arguments, filters })
    }

    /// The one name that is asked for, where that is how it is asked.
    pub(super) fn exactly_one(&self) -> Option<&str> {
        self.arguments.filter.as_deref().filter(|_| self.arguments.exact)
    }

    /// Leaves the trials that are meant; all of them where libtest-mimic can tell by itself.
    pub(super) fn retain(&self, trials: &mut Vec<Trial>) {
        let fits = |name: &str, filter: &String| {
            if self.arguments.exact { name == filter } else { name.contains(filter.as_str()) }
        };
        if !self.filters.is_empty() {
            trials.retain(|trial| self.filters.iter().any(|filter| fits(trial.name(), filter)));
        }
    }
}

/// The words that libtest-mimic understands, and the filters.
fn apart(words: impl IntoIterator<Item = String>) -> (Vec<String>, Vec<String>) {
    let mut words = words.into_iter();
    let mut known: Vec<String> = words.next().into_iter().collect();
    let mut filters = Vec::new();
    let mut only_filters = false;
    while let Some(word) = words.next() {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        let next_is_value = option == word;
        if only_filters || !word.starts_with('-') {
            filters.push(word);
        } else if word == "--" {
            only_filters = true;
        } else if WITHOUT_MEANING_VALUED.contains(&option) {
            words.by_ref().take(usize::from(next_is_value)).for_each(drop);
        } else if !WITHOUT_MEANING.contains(&option) {
            let values = usize::from(next_is_value && VALUED.contains(&option));
            known.push(word);
            known.extend(words.by_ref().take(values));
        }
    }
    (known, filters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Asked {
        Asked::read(
            std::iter::once("tests".to_owned()).chain(line.split_whitespace().map(str::to_owned)),
            None,
        )
        .unwrap()
    }

    #[test]
    fn what_cargo_users_type_is_understood() {
        let asked = read(
            "--no-capture --show-output --shuffle --shuffle-seed 7 --report-time=plain --test-threads 3 -Z unstable-options warm",
        );
        assert_eq!(
            (asked.arguments.test_threads, asked.arguments.filter.as_deref()),
            (Some(3), Some("warm"))
        );
        let asked = read("--shuffle-seed=7 --test-threads=2 --skip cold --ignored");
        assert!(asked.arguments.ignored && asked.filters.is_empty());
        assert_eq!(
            (asked.arguments.skip, asked.arguments.test_threads),
            (vec!["cold".to_owned()], Some(2))
        );
    }

    #[test]
    fn what_nextest_types_is_understood() {
        let asked = read("--list --format terse --ignored");
        assert!(asked.arguments.list && asked.arguments.ignored);
        let asked = read("--exact a::b[learning] --nocapture");
        assert_eq!(asked.exactly_one(), Some("a::b[learning]"));
        assert_eq!(read("a::b[learning]").exactly_one(), None);
    }

    #[test]
    fn several_filters_mean_any_of_them() {
        let names = |line: &str| {
            let mut trials: Vec<_> =
                ["a::cold", "a::warm", "b::cold"].map(|name| Trial::test(name, || Ok(()))).into();
            read(line).retain(&mut trials);
            trials.iter().map(|trial| trial.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("warm b::"), ["a::warm", "b::cold"]);
        assert_eq!(names("--exact a::warm b::"), ["a::warm"]);
        assert_eq!(names("-- a::"), ["a::cold", "a::warm"]);
        assert_eq!(names("").len(), 3);
        assert!(names("hot").is_empty());
    }

    #[test]
    fn threads_come_from_the_environment_where_nothing_is_typed() {
        let threads = |line: &[&str], variable: &str| {
            let words = ["tests"].iter().chain(line).map(|word| (*word).to_owned());
            Asked::read(words, Some(variable.to_owned())).map(|asked| asked.arguments.test_threads)
        };
        assert_eq!(threads(&[], "5"), Ok(Some(5)));
        assert_eq!(threads(&["--test-threads=1"], "5"), Ok(Some(1)));
        assert!(threads(&[], "many").unwrap_err().contains("RUST_TEST_THREADS"));
    }
}
