//! The memory of a router: its process and all processes that it started.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often the memory is read.
const INTERVAL: Duration = Duration::from_millis(10);

/// Resident memory of all processes of a process group, in bytes; 0 where none is left.
///
/// # Errors
///
/// Where `/proc` cannot be read, in words.
pub(super) fn resident(leader: i32) -> Result<u64, String> {
    // A process that ended in between counts 0.
    Ok(processes_of(leader)?.filter_map(resident_of).sum())
}

/// All processes of a process group.
///
/// # Errors
///
/// Where `/proc` cannot be read, in words.
pub(crate) fn processes_of(leader: i32) -> Result<impl Iterator<Item = i32>, String> {
    let entries = fs::read_dir("/proc").map_err(|error| {
        format!("/proc cannot be read, so a router cannot be measured here: {error}")
    })?;
    let processes = entries
        .filter_map(Result::ok)
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    Ok(processes.filter(move |pid| group_of(*pid) == Some(leader)))
}

/// The process group of a process.
fn group_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in parentheses, which may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_ascii_whitespace().nth(2)?.parse().ok()
}

/// Resident memory of a process, in bytes.
pub(crate) fn resident_of(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Reads the memory of a process group at intervals until it is stopped.
#[derive(Debug)]
pub(super) struct MemoryWatch {
    done: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// Starts to read the memory of the group of `leader`.
    pub(super) fn start(leader: i32) -> Self {
        let (done, peak) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (told, highest) = (done.clone(), peak.clone());
        // A thread of its own, since transfers keep the runtime's thread busy.
        let thread = thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                highest.fetch_max(resident(leader).unwrap_or(0), Ordering::Relaxed);
                thread::sleep(INTERVAL);
            }
        });
        Self { done, peak, thread: Some(thread) }
    }

    /// Stops; returns the highest value in bytes.
    pub(super) fn stop(mut self) -> u64 {
        self.join();
        self.peak.load(Ordering::Relaxed)
    }

    fn join(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread does nothing that could panic.
            let _ = thread.join();
        }
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_uses_at_least_the_memory_of_one_of_its_processes() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let group = group_of(pid).unwrap();
        assert!(resident(group).unwrap() >= resident_of(pid).unwrap() / 2);
        assert!(MemoryWatch::start(group).stop() <= resident(group).unwrap() * 4);
    }

    #[test]
    fn a_group_without_processes_uses_no_memory() {
        assert_eq!(resident(i32::MAX).unwrap(), 0);
    }
}
