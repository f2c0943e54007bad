//! Where text for people goes: how wide it is, and whether it shows colors.

use std::env;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::OnceLock;

use anstyle::{AnsiColor, Style};
use clap::ValueEnum;
use rustix::termios::tcgetwinsize;

/// When colors are shown: the value of `--color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal; the variables NO_COLOR, CLICOLOR and CLICOLOR_FORCE are respected
    #[default]
    Auto,
    /// Also in a file or a pipe
    Always,
    /// Nowhere
    Never,
}

static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

impl ColorChoice {
    /// Chooses for the whole program, before anything is written.
    pub fn set(self) {
        // The command line is read once.
        let _ = CHOICE.set(self);
    }

    /// Whether a stream shows colors.
    fn shows(self, is_terminal: bool) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if anstyle_query::no_color() => false,
            Self::Auto if anstyle_query::clicolor_force() => true,
            Self::Auto if anstyle_query::clicolor() == Some(false) => false,
            Self::Auto => is_terminal && anstyle_query::term_supports_color(),
        }
    }
}

/// The widest text of sentences: longer lines are hard to read.
const PROSE: usize = 110;
/// The width of two columns where nothing limits it.
const UNLIMITED: usize = 150;
/// Below this, nothing is readable; a terminal that is narrower wraps.
const NARROWEST: usize = 40;

/// Where text for people goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Screen {
    /// In characters; `None` if no line is too long, as in a file.
    pub width: Option<usize>,
    /// How outcomes look.
    pub styles: Styles,
}

/// How outcomes look; plain where no colors are shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Styles {
    /// Passed, and what was expected.
    pub passed: Style,
    /// Failed, and what was observed in its place.
    pub failed: Style,
    /// Warned, known, could not run.
    pub(crate) warned: Style,
    /// Headings.
    pub(crate) strong: Style,
}

impl Styles {
    /// With the colors of a terminal.
    pub(crate) const COLORED: Self = Self {
        passed: AnsiColor::Green.on_default(),
        failed: AnsiColor::Red.on_default(),
        warned: AnsiColor::Yellow.on_default(),
        strong: Style::new().bold(),
    };
}

impl Screen {
    pub fn stdout() -> Self {
        Self::for_stream(&io::stdout())
    }

    pub fn stderr() -> Self {
        Self::for_stream(&io::stderr())
    }

    fn for_stream(stream: &(impl IsTerminal + AsFd)) -> Self {
        let is_terminal = stream.is_terminal();
        let size = if is_terminal { tcgetwinsize(stream).ok() } else { None };
        let columns = env::var("COLUMNS").ok();
        let shows_colors = CHOICE.get().copied().unwrap_or_default().shows(is_terminal);
        Self {
            width: width(size.map(|size| size.ws_col.into()), columns.as_deref()),
            styles: if shows_colors { Styles::COLORED } else { Styles::default() },
        }
    }

    /// The width of sentences.
    pub(crate) fn prose(&self) -> usize {
        self.width.map_or(usize::MAX, |width| width.min(PROSE))
    }

    /// The width of expected and observed exchange together.
    pub(crate) fn pair(&self) -> usize {
        self.width.unwrap_or(UNLIMITED)
    }
}

/// A terminal knows its width; otherwise the variable COLUMNS says it.
fn width(terminal: Option<usize>, columns: Option<&str>) -> Option<usize> {
    let columns = || columns.and_then(|text| text.parse().ok());
    // A terminal without a size, as a serial line, has 0 columns.
    let known = terminal.filter(|width| *width > 0).or_else(columns);
    known.map(|width: usize| width.max(NARROWEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_goes_before_columns_and_a_file_has_no_width() {
        assert_eq!(width(Some(80), Some("60")), Some(80));
        assert_eq!(width(Some(0), Some("60")), Some(60));
        assert_eq!(width(None, Some("160")), Some(160));
        assert_eq!(width(None, Some("1")), Some(NARROWEST));
        for columns in [None, Some(""), Some("wide"), Some("-5")] {
            assert_eq!(width(None, columns), None);
        }
    }
}
