//! What servers say in their logs.

use std::fs;
use std::path::Path;

/// What a log says since it had this length.
pub(super) fn log_after(log: &Path, length: u64) -> String {
    let text = fs::read(log).unwrap_or_default();
    let new = text.get(usize::try_from(length).unwrap_or(0)..).unwrap_or_default();
    let new = String::from_utf8_lossy(new);
    if new.trim().is_empty() { String::new() } else { format!(": {}", last_lines(&new)) }
}

/// The last lines of what a program said, in one.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join("; ")
}
