//! The commands that run scenarios again, as words of a shell.

use crate::action::quoted;
use crate::engine::record::{CaseRecord, PartOfRun, RunRecord};

/// The command of the reference router, the default.
const REFERENCE: [&str; 2] = ["cells-conformance", "router"];

/// Options of a selection that say where scenarios come from, not which of them are meant.
const SOURCES: [&str; 1] = ["--features"];

/// The command that runs one scenario again, against the router that the report names.
pub(super) fn rerun(report: &RunRecord, scenario: &CaseRecord) -> String {
    rerun_words(report, scenario).join(" ")
}

/// The words of the command that runs one scenario again, each quoted for a shell.
pub(super) fn rerun_words(report: &RunRecord, scenario: &CaseRecord) -> Vec<String> {
    if report.run.part == Some(PartOfRun::Trial) {
        let words = ["cargo", "test", "--", "--exact"].map(str::to_owned);
        return words.into_iter().chain([quoted(&scenario.name)]).collect();
    }
    if let Some(found) = report.found_as(&scenario.name) {
        return match &found.saved {
            Some(file) => words(report, ["--features".to_owned(), quoted(file)]),
            None => replay_words(report, scenario),
        };
    }
    let sources = selection_words(report, true);
    words(report, [quoted(&scenario.name)].into_iter().chain(sources))
}

/// The command that explores the journey of a scenario again, each word quoted for a shell.
pub(super) fn replay_words(report: &RunRecord, scenario: &CaseRecord) -> Vec<String> {
    let mut words = vec!["--protocol".to_owned(), scenario.protocol.to_string()];
    if let Some(found) = report.found_as(&scenario.name) {
        words.extend(["--journey".to_owned(), found.seed.to_string()]);
    }
    // How many other journeys were drawn does not matter.
    let given = report.explored().into_iter().flat_map(|one| one.options.chunks(2));
    for option in given.filter(|option| option[0] == "--except") {
        words.extend(option.iter().map(|word| quoted(word)));
    }
    explore_words(report, words)
}

/// A command that explores with these options.
fn explore_words(report: &RunRecord, options: Vec<String>) -> Vec<String> {
    let begin = ["cells-conformance", "explore"].map(str::to_owned);
    begin.into_iter().chain(options).chain(router_words(report)).collect()
}

/// The command that runs the whole selection again, of a shard that shard.
pub(super) fn rerun_all(report: &RunRecord) -> String {
    if let Some(exploration) = &report.exploration {
        let mut options: Vec<_> = exploration.options.iter().map(|word| quoted(word)).collect();
        options.extend(["--seed".to_owned(), report.run.seed.to_string()]);
        return explore_words(report, options).join(" ");
    }
    let mut selection = selection_words(report, false);
    if let Some(PartOfRun::Shard { index, count }) = &report.run.part {
        selection.extend(["--shard".to_owned(), format!("{index}/{count}")]);
    }
    words(report, selection).join(" ")
}

/// The words of the selection. With `sources_alone`, only the options that say where scenarios come
/// from.
fn selection_words(report: &RunRecord, sources_alone: bool) -> Vec<String> {
    let mut words = Vec::new();
    for word in &report.run.selection {
        // A selection holds options as they were given: the name, then the value.
        match word.split_once(' ') {
            Some((option, value)) if option.starts_with("--") => {
                if !sources_alone || SOURCES.contains(&option) {
                    words.extend([option.to_owned(), quoted(value)]);
                }
            }
            _ if sources_alone => {}
            _ => words.push(quoted(word)),
        }
    }
    words
}

fn words(report: &RunRecord, selection: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut words = vec!["cells-conformance".to_owned(), "run".to_owned()];
    words.extend(selection);
    words.extend(["--seed".to_owned(), report.run.seed.to_string()]);
    words.extend(router_words(report));
    words
}

/// The options that name the router, each quoted for a shell.
fn router_words(report: &RunRecord) -> Vec<String> {
    router(report).iter().map(|word| quoted(word)).collect()
}

/// The options that name the router.
fn router(report: &RunRecord) -> Vec<String> {
    let router = &report.router;
    if !router.options.is_empty() {
        return router.options.clone();
    }
    // An older report, or one of a test program.
    let option = |option: &str, value: &str| [option.to_owned(), value.to_owned()];
    if router.command.is_empty() {
        // The router was already running.
        let file = option("--router-file", "router.toml");
        return file.into_iter().chain(option("--attach", "topology.json")).collect();
    }
    if !router.protocols.is_empty() {
        // Only a router file claims protocols.
        return option("--router-file", "router.toml").into();
    }
    if router.command == REFERENCE {
        return Vec::new();
    }
    ["--".to_owned()].into_iter().chain(router.command.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn given(options: &[&str]) -> String {
        let mut report = sample::report();
        report.router.options = options.iter().map(|word| (*word).to_owned()).collect();
        rerun(&report, &report.scenarios[0])
    }

    #[test]
    fn a_rerun_names_the_router_as_given() {
        let one = "cells-conformance run 'journeys::sample::a_project[buffering]' --seed 7";
        assert_eq!(
            given(&["--router-file", "my routers/a.toml"]),
            format!("{one} --router-file 'my routers/a.toml'")
        );
        assert_eq!(
            given(&["--", "./start", "--listen", "{listen}", "it's", "$HOME"]),
            format!(r"{one} -- ./start --listen '{{listen}}' 'it'\''s' '$HOME'")
        );
        assert_eq!(given(&["--attach", "a$B c"]), format!("{one} --attach 'a$B c'"));
    }

    #[test]
    fn a_rerun_of_an_older_report_says_what_it_knows() {
        let mut report = sample::report();
        let scenario = report.scenarios[0].clone();
        assert!(rerun(&report, &scenario).ends_with(" --seed 7 --router-file router.toml"));
        report.router.protocols.clear();
        assert!(rerun(&report, &scenario).ends_with("--seed 7 -- ./start --listen '{listen}'"));
        report.router.command = REFERENCE.map(str::to_owned).into();
        assert!(rerun(&report, &scenario).ends_with(" --seed 7"));
        report.router.command.clear();
        let again = rerun(&report, &scenario);
        assert!(again.ends_with(" --router-file router.toml --attach topology.json"), "{again}");
    }

    #[test]
    fn a_test_is_run_again_by_cargo() {
        let mut report = sample::report();
        report.run.part = Some(PartOfRun::Trial);
        assert_eq!(
            rerun(&report, &report.scenarios[0]),
            "cargo test -- --exact 'journeys::sample::a_project[buffering]'"
        );
    }

    #[test]
    fn a_journey_is_drawn_again_by_its_seed_and_its_scenario_run_where_it_was_saved() {
        let mut report = sample::exploration();
        report.router.options = vec!["--".to_owned(), "./r".to_owned()];
        let scenario = report.scenarios[0].clone();
        let replay = |report: &RunRecord| replay_words(report, &scenario).join(" ");
        assert_eq!(
            rerun(&report, &scenario),
            "cells-conformance run --features found/BF-03-77.feature --seed 7 -- ./r"
        );
        let one = "cells-conformance explore --protocol buffering --journey 77 -- ./r";
        assert_eq!(replay(&report), one);
        assert_eq!(rerun_all(&report), "cells-conformance explore --runs 1000 --seed 7 -- ./r");
        let exploration = report.exploration.as_mut().unwrap();
        exploration.options = ["--for", "1m", "--except", "my own"].map(str::to_owned).into();
        exploration.found[0].saved = None;
        assert!(replay(&report).contains(" --journey 77 --except 'my own' -- ./r"));
        assert_eq!(rerun(&report, &scenario), replay(&report));
    }

    #[test]
    fn a_selection_is_repeated_and_its_folder_of_features_also_for_one_scenario() {
        let mut report = sample::report();
        report.run.selection =
            ["it's", "--tag doc:buffering/root", "--features my own"].map(str::to_owned).into();
        report.router.options = vec!["--router-file".to_owned(), "r.toml".to_owned()];
        assert_eq!(
            rerun_all(&report),
            concat!(
                r"cells-conformance run 'it'\''s' --tag doc:buffering/root --features 'my own'",
                " --seed 7 --router-file r.toml"
            )
        );
        report.run.part = Some(PartOfRun::Shard { index: 2, count: 3 });
        assert!(rerun_all(&report).contains(" --features 'my own' --shard 2/3 --seed 7"));
        assert_eq!(
            rerun(&report, &report.scenarios[0]),
            "cells-conformance run 'journeys::sample::a_project[buffering]' --features 'my own' \
             --seed 7 --router-file r.toml"
        );
    }
}
