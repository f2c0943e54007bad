//! The command line of a test program.

use libtest_mimic::{Arguments, Trial};

/// Options without a value that the test programs of cargo have and libtest-mimic does not; they
/// change nothing here.
const WITHOUT_MEANING: [&str; 6] = [
    "--no-capture",
    "--shuffle",
    "--report-time",
    "--ensure-time",
    "--exclude-should-panic",
    "--force-run-in-process",
];
/// Further options that change nothing here, and that have a value.
const WITHOUT_MEANING_VALUED: [&str; 1] = ["--shuffle-seed"];
/// Options of libtest-mimic whose value may be the next word.
const VALUED: [&str; 6] = ["--test-threads", "--logfile", "--skip", "--color", "--format", "-Z"];

/// A test program's command line.
#[derive(Debug)]
pub(super) struct TestArguments {
    /// The part for libtest-mimic, which takes at most one filter.
    pub(super) mimic: Arguments,
    /// The filters: a test that matches any of them is selected.
    pub(super) filters: Vec<String>,
}

impl TestArguments {
    /// Reads a command line, the program's name first, and the value of `RUST_TEST_THREADS`.
    /// An unknown option ends the program here, with exit code 2.
    pub(super) fn read(
        words: impl IntoIterator<Item = String>,
        threads: Option<String>,
    ) -> Result<Self, String> {
        let (known, filters) = apart(words);
        let mut arguments = Arguments::from_iter(known);
        if let (None, Some(threads)) = (arguments.test_threads, threads) {
            let number = threads.parse().ok().filter(|number| *number > 0);
            arguments.test_threads = Some(number.ok_or_else(|| {
                format!("RUST_TEST_THREADS is `{threads}`, which is not a number above 0")
            })?);
        }
        // libtest-mimic gets a single filter, and then says how many tests it leaves out.
        if let [only] = filters.as_slice() {
            arguments.filter = Some(only.clone());
        }
        Ok(Self { mimic: arguments, filters })
    }

    /// The name, if exactly one test is selected by its exact name.
    pub(super) fn exactly_one(&self) -> Option<&str> {
        self.mimic.filter.as_deref().filter(|_| self.mimic.exact)
    }

    pub(super) fn retain(&self, trials: &mut Vec<Trial>) {
        let fits = |name: &str, filter: &String| {
            if self.mimic.exact { name == filter } else { name.contains(filter.as_str()) }
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

    fn read(line: &str) -> TestArguments {
        TestArguments::read(
            std::iter::once("tests".to_owned()).chain(line.split_whitespace().map(str::to_owned)),
            None,
        )
        .unwrap()
    }

    #[test]
    fn options_of_cargo_test_are_understood() {
        let typed = read(
            "--no-capture --show-output --shuffle --shuffle-seed 7 --report-time=plain \
             --test-threads 3 -Z unstable-options warm",
        );
        assert_eq!(
            (typed.mimic.test_threads, typed.mimic.filter.as_deref()),
            (Some(3), Some("warm"))
        );
        let typed = read("--shuffle-seed=7 --test-threads=2 --skip cold --ignored");
        assert!(typed.mimic.ignored && typed.filters.is_empty());
        assert_eq!(
            (typed.mimic.skip, typed.mimic.test_threads),
            (vec!["cold".to_owned()], Some(2))
        );
    }

    #[test]
    fn options_of_nextest_are_understood() {
        let typed = read("--list --format terse --ignored");
        assert!(typed.mimic.list && typed.mimic.ignored);
        let typed = read("--exact a::b[learning] --nocapture");
        assert_eq!(typed.exactly_one(), Some("a::b[learning]"));
        assert_eq!(read("a::b[learning]").exactly_one(), None);
    }

    #[test]
    fn a_test_matches_any_of_several_filters() {
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
    fn threads_come_from_the_environment_unless_typed() {
        let threads = |line: &[&str], variable: &str| {
            let words = ["tests"].iter().chain(line).map(|word| (*word).to_owned());
            TestArguments::read(words, Some(variable.to_owned()))
                .map(|read| read.mimic.test_threads)
        };
        assert_eq!(threads(&[], "5"), Ok(Some(5)));
        assert_eq!(threads(&["--test-threads=1"], "5"), Ok(Some(1)));
        assert!(threads(&[], "many").unwrap_err().contains("RUST_TEST_THREADS"));
    }
}
