//! `cells-conformance explore`.

mod progress;
mod save;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use cell_fleet::Protocol;
use clap::{Args, value_parser};

use super::measure::protocols;
use super::output::{Ended, Output, print, stop_on_signals};
use super::subject::WhichRouter;
use super::values::{one_of, one_or_more, some_time};
use conformance_laboratory::explore::{
    Against, Exploration, Explored, Pairs, Scope, explore, feature, left_out, record,
};
use conformance_suite::engine::record::RunRecord;
use conformance_suite::engine::{ExitCode, Subject, usual_jobs};
use conformance_suite::report::{ReportFile, Screen, exploration_header, try_paths};
use conformance_suite::stage::Launch;
use progress::ExplorationProgress;
use save::Folder;

/// How many times more journeys than scenarios run side by side. Journeys wait more, above all for
/// the lifetime of entries.
const SIDE_BY_SIDE: usize = 16;
/// Journeys, where neither their number nor a time is given.
const JOURNEYS: u64 = 1_000;

/// Explore random journeys, judged by a model of the documents
#[derive(Debug, Args)]
pub(super) struct Explore {
    /// How many journeys [default: 1000]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    #[arg(conflicts_with = "time")]
    runs: Option<u64>,
    /// How long, like 90s or 10m, with all that is drawn, played and shortened
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = some_time)]
    time: Option<Duration>,
    /// Random seed; reuse it to draw the same journeys
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// Run the one journey of this seed again, as a failure names it
    #[arg(long, value_name = "SEED", conflicts_with_all = ["runs", "time", "seed"])]
    journey: Option<u64>,
    /// Only journeys of this protocol [default: those that the router claims, or both]
    #[arg(long, value_name = "PROTOCOL", value_parser = one_of(&Protocol::ALL))]
    protocol: Option<Protocol>,
    /// A requirement whose violations are no failures, like Z-13 (repeatable)
    #[arg(long, value_name = "ID")]
    except: Vec<String>,
    /// Go on after the first failure, and find each violated requirement once
    #[arg(long)]
    keep_going: bool,
    /// Save each failure as a feature file in this folder, which is made if it is missing
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Play each journey through the router of this file as well, and show where users or cells see
    /// something else and the model permits both; a difference is no failure
    #[arg(long, value_name = "ROUTER-FILE", conflicts_with_all = ["reports", "keep_going", "save"])]
    against: Option<PathBuf>,
    // The help names every form.
    #[arg(long = "report", value_name = "FORM=PATH", help = ReportFile::help())]
    reports: Vec<ReportFile>,
    /// Parallel jobs
    #[arg(long, value_name = "N", value_parser = one_or_more)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    router: WhichRouter,
}

impl Explore {
    pub(super) fn execute(&self) -> Ended {
        let stop = stop_on_signals();
        try_paths(&self.reports, &[])?;
        let folder = self.save.as_deref().map(Folder::at).transpose()?;
        let scope = self.scope();
        let subject = self.router.subject()?;
        let protocols = protocols(self.protocol, &subject.claims)?;
        let left_out = left_out(&subject.claims, &self.except)?;
        let seed = self.seed.unwrap_or_else(|| rand::random::<u32>().into());
        let launch = Launch { stop, ..subject.launch(seed) };
        let plan = Exploration {
            subject: &subject,
            launch: &launch,
            protocols: &protocols,
            scope,
            jobs: jobs(&subject, self.jobs.map(NonZeroUsize::get)),
            left_out: &left_out,
            keep_going: self.keep_going,
        };
        if let Some(file) = &self.against {
            return against(&plan, file.clone(), &self.except);
        }
        let mut output = Output::beside(&self.reports);
        output.sentence(&exploration_header(&subject.described, &protocols));
        let explored = explore_and_tell(&plan);
        let mut features: Vec<_> = explored.found.iter().map(feature).collect();
        let not_saved = folder.and_then(|folder| folder.save(&mut features).err());
        let record = match record(&plan, &explored, &features, self.options()) {
            Ok(record) => record,
            Err(why) => {
                eprintln!("SUITE ERROR {why}");
                return Ok(ExitCode::SuiteFault);
            }
        };
        output.summary(&record, false);
        output.reports(&record, &self.reports);
        Ok(output.finish(&record, not_saved))
    }

    /// Which journeys are to run.
    fn scope(&self) -> Scope {
        match (self.journey, self.time) {
            (Some(seed), _) => Scope::One(seed),
            (None, Some(time)) => Scope::Time(time),
            (None, None) => Scope::Journeys(self.runs.unwrap_or(JOURNEYS)),
        }
    }

    /// The options that say what to explore, a word each, in pairs of name and value.
    fn options(&self) -> Vec<String> {
        let options = [
            ("--runs", self.runs.map(|runs| runs.to_string())),
            ("--for", self.time.map(one_word)),
            ("--journey", self.journey.map(|seed| seed.to_string())),
            ("--protocol", self.protocol.map(|protocol| protocol.to_string())),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
        let except = self.except.iter().flat_map(|id| ["--except".to_owned(), id.clone()]);
        given.flatten().chain(except).collect()
    }
}

/// Plays the journeys through the router of a file as well.
fn against(plan: &Exploration<'_>, file: PathBuf, except: &[String]) -> Ended {
    let other = WhichRouter::of_file(file).subject()?;
    let left_out = [plan.left_out, &left_out(&other.claims, except)?].concat();
    let stop = plan.launch.stop.clone();
    let launch = Launch { stop, ..other.launch(plan.launch.seed) };
    let plan = &Exploration { left_out: &left_out, ..*plan };
    let compared = Against { plan, other: &other, launch: &launch }.compare();
    let names = [&*plan.subject.described.name, &*other.described.name];
    print(compared.text(names, &Screen::stdout()).as_bytes())?;
    Ok(compared.exit_code())
}

/// Explores beside a run for this time, and returns the record of it. Each violated requirement is
/// found once. It is an error where exploration itself is at fault.
pub(super) fn explored(
    subject: &Subject,
    launch: &Launch,
    time: Duration,
    asked_jobs: Option<usize>,
) -> Result<RunRecord, String> {
    let plan = Exploration {
        subject,
        launch,
        protocols: &protocols(None, &subject.claims)?,
        scope: Scope::Time(time),
        jobs: jobs(subject, asked_jobs),
        left_out: &left_out(&subject.claims, &[])?,
        keep_going: true,
    };
    let explored = explore_and_tell(&plan);
    let features: Vec<_> = explored.found.iter().map(feature).collect();
    record(&plan, &explored, &features, vec!["--for".to_owned(), one_word(time)])
}

/// A time as one word of a command line.
fn one_word(time: Duration) -> String {
    humantime::format_duration(time).to_string().replace(' ', "")
}

/// Journeys that run side by side: those that were asked for, or what fits the machine; one where
/// the router runs already.
fn jobs(subject: &Subject, asked: Option<usize>) -> usize {
    match subject.is_shared() {
        true => 1,
        false => asked.unwrap_or_else(|| SIDE_BY_SIDE * usual_jobs()),
    }
}

/// Explores, and shows progress on standard error.
fn explore_and_tell(plan: &Exploration<'_>) -> Explored {
    let limit = match plan.scope {
        Scope::Time(time) => Some(time),
        _ => None,
    };
    let mut progress = ExplorationProgress::new(limit, Pairs::all());
    let explored = explore(plan, |now| progress.tell(&now));
    progress.clear();
    explored
}
