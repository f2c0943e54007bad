//! Progress of an exploration on standard error: a line that changes on a terminal, otherwise a
//! plain line now and then.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use conformance_laboratory::explore::Progress;
use conformance_suite::engine::counted;
use conformance_suite::report::{Screen, cut};

/// The first plain line comes after this time, each further one after as long again.
const LOGGED_EVERY: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct ExplorationProgress {
    bar: ProgressBar,
    screen: Screen,
    /// How long the exploration goes on, where a time limits it.
    limit: Option<Duration>,
    all_pairs: usize,
    /// When the next plain line is due.
    due: Duration,
    /// Whether the last line said that a failure is being shortened.
    was_shortening: bool,
}

impl ExplorationProgress {
    pub(super) fn new(limit: Option<Duration>, all_pairs: usize) -> Self {
        let target = if io::stderr().is_terminal() && anstyle_query::term_supports_color() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let (screen, due) = (Screen::stderr(), LOGGED_EVERY);
        Self { bar, screen, limit, all_pairs, due, was_shortening: false }
    }

    pub(super) fn tell(&mut self, progress: &Progress) {
        let line = line(progress, self.limit, self.all_pairs);
        let begins = progress.shortening && !self.was_shortening;
        self.was_shortening = progress.shortening;
        if !self.bar.is_hidden() {
            let width = self.screen.width.map_or(usize::MAX, |width| width.saturating_sub(1));
            self.bar.set_message(cut(&line, width));
            self.bar.tick();
        } else if begins || progress.elapsed >= self.due {
            self.due = progress.elapsed + LOGGED_EVERY;
            eprintln!("{line}");
        }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Journeys, journeys a second, pairs, failures, and the time that is left.
fn line(progress: &Progress, limit: Option<Duration>, all_pairs: usize) -> String {
    let Progress { journeys, planned, pairs, failures, shortening, elapsed } = *progress;
    let rate = journeys as f64 / elapsed.as_secs_f64().max(1e-9);
    let of = match planned {
        Some(planned) => format!("{journeys} of {}", counted(whole(planned), "journey")),
        None => counted(whole(journeys), "journey"),
    };
    let now = if shortening { ", shortening a failure" } else { "" };
    let left = match (planned, limit) {
        _ if shortening => None,
        (_, Some(limit)) => Some(limit.saturating_sub(elapsed)),
        (Some(planned), None) if rate > 0.0 => {
            let left = planned.saturating_sub(journeys) as f64 / rate;
            Duration::try_from_secs_f64(left).ok()
        }
        _ => None,
    };
    let left = left.map(|left| format!(", {} left", in_words(left))).unwrap_or_default();
    let failures = counted(failures, "failure");
    format!("{of}, {rate:.0} a second, pairs {pairs}/{all_pairs}, {failures}{now}{left}")
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn in_words(time: Duration) -> String {
    humantime::format_duration(Duration::from_secs(time.as_secs())).to_string()
}
