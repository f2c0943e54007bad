//! Progress of a run on standard error, and its summary on standard output.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::lines::cut;
use super::outcomes::Look;
use super::screen::Screen;
use crate::catalog::Case;
use crate::engine::{Ended, Event, counted};
use crate::verdict::{OutcomeWord, Verdict};

/// Scenarios that are named as they end; the summary has the others.
const NAMED: usize = 20;

/// Scenarios between two lines of progress when there is no bar.
const LOGGED_EVERY: u64 = 200;

/// Between two looks at the clock.
const SECOND: Duration = Duration::from_secs(1);

/// The widest bar, and what is next to it.
const BAR: usize = 30;
const BESIDE_BAR: usize = 36;

/// Shows the progress and the result of a run.
pub struct Terminal {
    screen: Screen,
    bar: ProgressBar,
    began: Instant,
    bad: usize,
}

impl Terminal {
    /// Shows progress on standard error: a bar on a terminal, otherwise lines.
    pub fn on_standard_error() -> Self {
        let screen = Screen::stderr();
        let target = if io::stderr().is_terminal() && anstyle_query::term_supports_color() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let width = screen.width.map_or(BAR, |width| width.saturating_sub(BESIDE_BAR).min(BAR));
        let template = format!("{{elapsed:>4}} [{{bar:{width}}}] {{pos}}/{{len}} {{msg}}");
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        Self { screen, bar, began: Instant::now(), bad: 0 }
    }

    pub fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Began { cases, .. } => {
                self.bar.set_length(cases as u64);
                // The clock goes on where no scenario ends for a while.
                self.bar.enable_steady_tick(SECOND);
            }
            Event::Started { .. } => {}
            Event::Finished(Ended { case, verdict, .. }) => {
                if is_news(verdict.outcome.word) {
                    self.bad += 1;
                    self.name(case, &verdict);
                    self.bar.set_message(format!("{} not passed", self.bad));
                }
                self.bar.inc(1);
                self.log_progress();
            }
        }
    }

    /// Names a scenario that did not pass, in one line. The summary describes it, once it is known
    /// how many others have the same cause.
    fn name(&self, case: &Case, verdict: &Verdict) {
        // The summary groups scenarios that could not run by reason.
        let word = verdict.outcome.word;
        if self.bad > NAMED || word == OutcomeWord::CouldNotRun {
            return;
        }
        let strongest = verdict.findings.iter().min_by_key(|found| found.level);
        let id = strongest.map(|found| format!(" {}", found.requirement)).unwrap_or_default();
        let style = (Look::outcome(word).style)(&self.screen.styles);
        let mark = word.as_str().to_uppercase();
        let room = self.screen.width.map_or(usize::MAX, |width| {
            width.saturating_sub(mark.chars().count() + id.chars().count() + 1)
        });
        let name = cut(&case.name, room);
        let more = if self.bad == NAMED { "\n(the summary has all others)" } else { "" };
        self.bar.suspend(|| eprintln!("{style}{mark}{style:#}{id} {name}{more}"));
    }

    /// Without a bar, a line from time to time shows the progress.
    fn log_progress(&self) {
        let (done, all) = (self.bar.position(), self.bar.length().unwrap_or_default());
        if self.bar.is_hidden() && done.is_multiple_of(LOGGED_EVERY) && done < all {
            let all = counted(all, "scenario");
            let seconds = self.began.elapsed().as_secs_f64();
            eprintln!("{done} of {all}, {} not passed, {seconds:.1} s", self.bad);
        }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Whether a scenario neither passed nor is known to fail.
fn is_news(outcome: OutcomeWord) -> bool {
    matches!(
        outcome,
        OutcomeWord::Warned
            | OutcomeWord::Failed
            | OutcomeWord::CouldNotRun
            | OutcomeWord::SuiteError
    )
}
