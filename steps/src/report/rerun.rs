//! The commands that run scenarios again, as words of a shell.

use crate::action::quoted;
use crate::engine::record::{CaseRecord, PartOfRun, RunRecord, Shard};

/// The option of a selection that says where scenarios come from, not which of them are meant.
const SOURCE: &str = "--features";

/// The command that runs one scenario again, against the router that the report names, each word
/// quoted for a shell.
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
    if let Some(PartOfRun::Shard(Shard { index, count })) = &report.run.part {
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
                if !sources_alone || option == SOURCE {
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
    let router = &report.router;
    let words: Vec<_> = if !router.options.is_empty() {
        router.options.iter().map(String::as_str).collect()
    } else if !router.protocols.is_empty() {
        // A test program has no options. Only a router file claims protocols.
        vec!["--router-file", "router.toml"]
    } else {
        ["--"].into_iter().chain(router.command.iter().map(String::as_str)).collect()
    };
    words.into_iter().map(quoted).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::super::tests::shows;
    use super::*;

    #[test]
    fn commands_name_the_router_and_the_selection_as_given() {
        let words = |all: &[&str]| all.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let with = |options: &[&str]| {
            let mut report = sample::report();
            report.router.options = words(options);
            report
        };
        let mut shard = with(&["--router-file", "my routers/a.toml"]);
        shard.run.selection = words(&["it's", "--tag doc:buffering/root", "--features my own"]);
        shard.run.part = Some(PartOfRun::Shard(Shard { index: 2, count: 3 }));
        let mut trial = sample::report();
        trial.run.part = Some(PartOfRun::Trial);
        let mut joined_without_claims = sample::report();
        joined_without_claims.router.protocols.clear();
        let mut explored = sample::exploration();
        explored.router.options = words(&["--", "./r"]);
        let mut unsaved = explored.clone();
        let exploration = unsaved.exploration.as_mut().unwrap();
        exploration.options = words(&["--for", "1m", "--except", "my own"]);
        exploration.found[0].saved = None;
        let reports = [
            with(&["--attach", "a$B c"]),
            with(&["--", "./start", "--listen", "{listen}", "it's", "$HOME"]),
            shard,
            trial,
            sample::report(),
            joined_without_claims,
            explored,
            unsaved,
        ];
        let commands = reports.iter().map(|report| {
            let replay = replay_words(report, &report.scenarios[0]).join(" ");
            let replay = report.exploration.as_ref().map_or(String::new(), |_| replay + "\n");
            format!(
                "{}\n{}\n{replay}",
                rerun_words(report, &report.scenarios[0]).join(" "),
                rerun_all(report)
            )
        });
        shows("rerun", &commands.collect::<Vec<_>>().join("\n"));
    }
}
