//! What Linux says in `/proc` of what the processes of a router hold.

use std::fs;

use conformance_suite::stage;

/// Resident memory of all processes of a process group, in bytes; 0 where none is left.
///
/// # Errors
///
/// Where `/proc` cannot be read, in words.
pub(crate) fn resident(leader: i32) -> Result<u64, String> {
    // A process that ended in between counts 0.
    Ok(processes_of(leader)?.filter_map(resident_of).sum())
}

/// All processes of a process group.
///
/// # Errors
///
/// Where `/proc` cannot be read, in words.
pub(crate) fn processes_of(leader: i32) -> Result<impl Iterator<Item = i32>, String> {
    stage::processes_of(leader).map_err(|error| {
        format!("/proc cannot be read, so a router cannot be measured here: {error}")
    })
}

/// The number of entries of a folder; 0 where there is none.
pub(crate) fn entries(folder: &str) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.count() as u64)
}

/// Resident memory of a process, in bytes.
pub(crate) fn resident_of(pid: i32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
