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

/// The last lines of a log as one text. If PostgreSQL has crashed, the line that says why stands
/// before them: what it logs afterwards, about the end of its processes and its new start, would
/// push that line out.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.len().saturating_sub(4);
    let crash = lines.iter().rposition(|line| line.contains("PANIC:")).filter(|&at| at < last);
    let shown: Vec<_> = crash.into_iter().chain(last..lines.len()).map(|at| lines[at]).collect();
    shown.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_crash_comes_before_the_last_lines() {
        let crash = "UTC [7] PANIC:  could not write to file: No space left on device";
        let after = "LOG: one\nLOG: two\nLOG: three\nLOG: four\n";
        let shown = last_lines(&format!("{crash}\n{after}"));
        assert_eq!(shown, format!("{crash}; LOG: one; LOG: two; LOG: three; LOG: four"));
        assert_eq!(last_lines(&format!("{after}{crash}")).matches("PANIC").count(), 1);
        assert!(!last_lines(after).contains("PANIC"));
    }
}
