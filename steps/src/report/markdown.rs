//! In the making.

use super::data::Report;

/// The report in this form.
pub fn render(report: &Report) -> String {
    format!("{}\n", report.conclusion)
}

/// A badge.
pub fn badge(report: &Report) -> String {
    format!("{}\n", report.conclusion)
}
