//! The machine on which a cost is measured.

use std::fs;
use std::thread::available_parallelism;

use crate::engine::record::MachineRecord;

/// This machine, with its load averages before and after a measurement.
pub(crate) fn machine(load_before: Vec<f64>, load_after: Vec<f64>) -> MachineRecord {
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
pub(crate) fn load_averages() -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_linux_are_read() {
        assert_eq!(averages("0.50 1.25 2.00 3/400 999\n"), [0.5, 1.25, 2.0]);
        assert_eq!(processor("processor\t: 0\nmodel name\t: A: fast one\n"), "A: fast one");
        assert_eq!(processor("hardware : board\n"), "");
    }
}
