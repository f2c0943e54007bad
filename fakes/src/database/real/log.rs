//! What servers say in their logs.

use std::fs;
use std::path::Path;

/// What a log says since it had this length.
pub(super) fn log_after(log: &Path, length: u64) -> String {
    let new = text_after(log, length);
    if new.trim().is_empty() { String::new() } else { format!(": {}", last_lines(&new)) }
}

/// What the log of a server that cannot be reached ends with.
pub(super) fn log_end(log: &Path) -> String {
    let text = text_after(log, 0);
    if text.trim().is_empty() {
        String::new()
    } else {
        format!("; its log ends with: {}", last_lines(&text))
    }
}

fn text_after(log: &Path, length: u64) -> String {
    let text = fs::read(log).unwrap_or_default();
    let new = text.get(usize::try_from(length).unwrap_or(0)..).unwrap_or_default();
    String::from_utf8_lossy(new).into_owned()
}

/// The last lines of what a program said, in one.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(4)..].join("; ")
}
