//! The memory of a router: of its process and of all that it started.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often the memory is read.
const INTERVAL: Duration = Duration::from_millis(10);

/// Resident memory of all processes of a group, in bytes; nothing where none is left.
///
/// # Errors
///
/// Where the system has no `/proc`, in words.
pub fn resident(leader: i32) -> Result<u64, String> {
    let entries = fs::read_dir("/proc").map_err(|error| {
        format!("/proc cannot be read, so memory cannot be measured here: {error}")
    })?;
    let processes = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    // A process that has ended in between counts nothing.
    Ok(processes.filter(|pid| group_of(*pid) == Some(leader)).filter_map(resident_of).sum())
}

/// The process group of a process.
fn group_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second member is the program's name in parentheses, which may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(2)?.parse().ok()
}

fn resident_of(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Follows the memory of a group while something happens.
#[derive(Debug)]
pub struct Watch {
    done: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Begins to read the memory of the group of `leader`.
    pub fn begin(leader: i32) -> Self {
        let (done, peak) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (told, highest) = (done.clone(), peak.clone());
        // A thread of its own, since the transfers keep the runtime's busy.
        let thread = thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                highest.fetch_max(resident(leader).unwrap_or(0), Ordering::Relaxed);
                thread::sleep(INTERVAL);
            }
        });
        Self { done, peak, thread: Some(thread) }
    }

    /// Ends it; the highest that was read, in bytes.
    pub fn end(mut self) -> u64 {
        self.stop();
        self.peak.load(Ordering::Relaxed)
    }

    fn stop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It does nothing that could panic.
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_this_group_is_that_of_this_process_at_least() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let group = group_of(pid).unwrap();
        assert!(resident(group).unwrap() >= resident_of(pid).unwrap() / 2);
        assert!(Watch::begin(group).end() <= resident(group).unwrap() * 4);
    }

    #[test]
    fn a_group_that_is_gone_has_none() {
        assert_eq!(resident(i32::MAX).unwrap(), 0);
    }
}
