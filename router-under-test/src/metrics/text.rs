//! The text that Prometheus reads (exposition format 0.0.4).

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use super::count::{FAMILIES, LEVELS, OF_CELLS};
use super::histogram::{Durations, Histogram};
use super::{Count, CountOf, Counters, Registry};
use crate::config::CellIndex;

/// The media type of [`Registry::text`].
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

const REQUESTS: &str = "cells_router_requests_total";

impl Registry {
    /// All that was counted, at about this moment.
    pub(super) fn text(&self) -> String {
        let mut text = Text(String::with_capacity(8 * 1024));
        let topology = Arc::clone(&self.topology.lock().unwrap_or_else(PoisonError::into_inner));
        self.requests(&mut text);
        for family in FAMILIES {
            text.head(family.name, "counter", family.help);
            for (label, count) in family.series {
                text.sample(family.name, label, self.sum(*count));
            }
        }
        for (name, help, count) in OF_CELLS {
            text.head(name, "counter", help);
            // Those of a cell that has gone stay.
            for place in 0..topology.known() {
                let cell = topology.cell(CellIndex::nth(place));
                let label = format!("cell=\"{}\"", escaped(&cell.id));
                text.sample(name, &label, self.sum_of(count, place));
            }
        }
        for level in LEVELS {
            // Ends are read first: what begins and ends in between makes the gauge too high, never
            // negative.
            let ended = self.sum(level.ended);
            text.gauge(level.name, level.help, self.sum(level.begun).saturating_sub(ended));
        }
        let name = "cells_router_reloads_total";
        text.head(name, "counter", "Times that the topology was read again.");
        for (outcome, number) in ["done", "refused"].iter().zip(&self.reloads) {
            let label = format!("outcome=\"{outcome}\"");
            text.sample(name, &label, number.load(Ordering::Relaxed));
        }
        let (entries, evictions) = self.cache.size();
        text.gauge(
            "cells_router_cache_entries",
            "Entries in the cache of each thread.",
            entries as u64,
        );
        text.head(
            "cells_router_cache_evictions_total",
            "counter",
            "Entries that made room for others.",
        );
        text.sample("cells_router_cache_evictions_total", "", evictions);
        let help = "From the head of a request to the last byte of its response.";
        text.histogram(
            "cells_router_request_duration_seconds",
            help,
            &self.durations(|counters| &counters.requests),
        );
        let help = "What it took to learn where a path belongs, all cells asked together.";
        text.histogram(
            "cells_router_preflight_duration_seconds",
            help,
            &self.durations(|counters| &counters.preflights),
        );
        text.0
    }

    fn requests(&self, text: &mut Text) {
        text.head(REQUESTS, "counter", "Requests of users, by what came of them.");
        text.sample(REQUESTS, "outcome=\"responded\"", self.sum(Count::Responded));
        text.sample(REQUESTS, "outcome=\"abandoned\"", self.sum(Count::Abandoned));
        let mut refusals = std::collections::BTreeMap::<&str, u64>::new();
        for counters in &self.threads {
            for (label, number) in
                &*counters.refusals.lock().unwrap_or_else(PoisonError::into_inner)
            {
                *refusals.entry(label).or_default() += number;
            }
        }
        for (label, number) in refusals {
            text.sample(REQUESTS, &format!("outcome=\"{label}\""), number);
        }
    }

    fn sum(&self, what: Count) -> u64 {
        self.threads
            .iter()
            .map(|counters| counters.counts[what as usize].load(Ordering::Relaxed))
            .sum()
    }

    fn sum_of(&self, what: CountOf, place: usize) -> u64 {
        self.threads
            .iter()
            .map(|counters| counters.of_cells[what as usize][place].load(Ordering::Relaxed))
            .sum()
    }

    fn durations(&self, which: impl Fn(&Counters) -> &Histogram) -> Durations {
        let mut sum = Durations::default();
        for counters in &self.threads {
            which(counters).add_to(&mut sum);
        }
        sum
    }
}

/// Writing to a string does not fail.
struct Text(String);

impl Text {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let _ = write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
    }

    fn sample(&mut self, name: &str, label: &str, value: u64) {
        let _ = if label.is_empty() {
            writeln!(self.0, "{name} {value}")
        } else {
            writeln!(self.0, "{name}{{{label}}} {value}")
        };
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.head(name, "gauge", help);
        self.sample(name, "", value);
    }

    fn histogram(&mut self, name: &str, help: &str, durations: &Durations) {
        self.head(name, "histogram", help);
        for (end, number) in durations.buckets() {
            self.sample(&format!("{name}_bucket"), &format!("le=\"{end}\""), number);
        }
        let _ = writeln!(self.0, "{name}_sum {}", durations.seconds());
        self.sample(&format!("{name}_count"), "", durations.count());
    }
}

/// A label's value between quotes.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cache::Cache;
    use crate::config::tests::topology;
    use crate::metrics;
    use crate::respond::Refusal;

    #[test]
    fn counts_of_all_threads_are_summed() {
        let registry = Arc::new(Registry::new(3, topology("learning"), Cache::new(3, 10)));
        for number in 0..2 {
            let counters = registry.counters(number);
            let count = move || {
                counters.belong_to_this_thread();
                metrics::count(Count::RequestBegun);
                metrics::count(Count::Responded);
                metrics::count_of(CountOf::Hop, CellIndex::at(2));
                metrics::refused(Refusal::Overloaded);
                metrics::request_took(Duration::from_millis(1500));
            };
            std::thread::spawn(count).join().unwrap();
        }
        let text = registry.text();
        for line in [
            "cells_router_requests_total{outcome=\"responded\"} 2",
            "cells_router_requests_total{outcome=\"overloaded\"} 2",
            "cells_router_requests_in_flight 2",
            "cells_router_hops_total{cell=\"cell_eu0\"} 2",
            "cells_router_hops_total{cell=\"cell_us0\"} 0",
            "cells_router_request_duration_seconds_bucket{le=\"1\"} 0",
            "cells_router_request_duration_seconds_bucket{le=\"2.5\"} 2",
            "cells_router_request_duration_seconds_sum 3",
            "cells_router_request_duration_seconds_count 2",
            "cells_router_cache_entries 0",
        ] {
            assert!(text.lines().any(|have| have == line), "{line}\n{text}");
        }
    }

    #[test]
    fn each_family_is_described_once_and_its_samples_follow() {
        let text = Registry::new(1, topology("buffering"), Cache::new(1, 10)).text();
        let mut seen = std::collections::HashSet::new();
        let mut family = "";
        for line in text.lines() {
            if let Some(described) = line.strip_prefix("# TYPE ") {
                family = described.split(' ').next().unwrap();
                assert!(seen.insert(family), "{family}");
            } else if !line.starts_with('#') {
                assert!(line.starts_with(family), "{line}");
                let value = line.rsplit(' ').next().unwrap();
                assert!(value.parse::<f64>().is_ok(), "{line}");
            }
        }
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn nothing_is_counted_without_counters() {
        metrics::count(Count::Responded);
        metrics::refused(Refusal::NoRoom);
    }

    #[test]
    fn labels_are_escaped() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
