//! What Linux says in `/proc`: of the machine, and of what the processes of a router hold.

use std::fs;
use std::thread::available_parallelism;

use conformance_suite::engine::record::MachineRecord;
use conformance_suite::stage;

/// This machine, with its load averages before and after a measurement.
pub fn machine(load_before: Vec<f64>, load_after: Vec<f64>) -> MachineRecord {
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    MachineRecord {
        platform: format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
        processor: processor(&described),
        processors: available_parallelism().map_or(1, usize::from),
        load_before,
        load_after,
    }
}

/// The load averages over 1, 5 and 15 minutes; none where the system has no such file.
pub fn load_averages() -> Vec<f64> {
    fs::read_to_string("/proc/loadavg").map_or_else(|_| Vec::new(), |text| averages(&text))
}

fn averages(text: &str) -> Vec<f64> {
    text.split_whitespace().take(3).filter_map(|word| word.parse().ok()).collect()
}

/// The name of the first processor.
fn processor(described: &str) -> String {
    let named = |line: &str| {
        let (key, name) = line.split_once(':')?;
        (key.trim() == "model name").then(|| name.trim().to_owned())
    };
    described.lines().find_map(named).unwrap_or_default()
}

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

#[cfg(test)]
mod tests {
    use conformance_suite::stage::group_of;

    use super::*;

    #[test]
    fn the_files_of_linux_are_read() {
        assert_eq!(averages("0.50 1.25 2.00 3/400 999\n"), [0.5, 1.25, 2.0]);
        assert_eq!(processor("processor\t: 0\nmodel name\t: A: fast one\n"), "A: fast one");
        assert_eq!(processor("hardware : board\n"), "");
    }

    #[test]
    fn a_group_uses_at_least_the_memory_of_one_of_its_processes() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let group = group_of(pid).unwrap();
        assert!(resident(group).unwrap() >= resident_of(pid).unwrap() / 2);
    }

    #[test]
    fn a_group_without_processes_uses_no_memory() {
        assert_eq!(resident(i32::MAX).unwrap(), 0);
    }
}
