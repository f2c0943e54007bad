//! `cells-conformance report`: what is made of reports.

mod compare;
mod matrix;
mod merge;
mod render;
mod verify;

use clap::Subcommand;

use super::ended::Ended;

/// Render, merge, compare and verify reports
#[derive(Debug, Subcommand)]
pub(super) enum Report {
    Render(render::Render),
    Merge(merge::Merge),
    Compare(compare::Compare),
    Verify(verify::Verify),
    Matrix(matrix::WriteMatrix),
}

impl Report {
    pub(super) fn execute(&self) -> Ended {
        match self {
            Self::Render(command) => command.execute(),
            Self::Merge(command) => command.execute(),
            Self::Compare(command) => command.execute(),
            Self::Verify(command) => command.execute(),
            Self::Matrix(command) => command.execute(),
        }
    }
}
