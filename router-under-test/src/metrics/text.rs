//! The text that Prometheus reads (exposition format 0.0.4), written by `prometheus-client`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::DescriptorEncoder;
use prometheus_client::encoding::text::encode_registry;
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::histogram::{self, Histogram};
use super::{Count, CountOf, Metrics};

/// The media type of [`write`].
pub(super) const MEDIA_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// What a scrape reads, under the prefix of all names.
pub(super) fn registry(metrics: Arc<Metrics>) -> Registry {
    let mut registry = Registry::with_prefix("cells_router");
    registry.register_collector(Box::new(metrics));
    registry
}

/// All that was counted, at about this moment.
pub(super) fn write(registry: &Registry) -> String {
    let mut text = String::with_capacity(8 * 1024);
    // Writing to a string does not fail. The end mark of OpenMetrics is no part of this format.
    let _ = encode_registry(&mut text, registry);
    text
}

impl Collector for Metrics {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut families = Families(encoder);
        let sum = |what| self.sum(what);
        let readings = (self.read)();

        let ended = [("responded", Count::Responded), ("abandoned", Count::Abandoned)];
        let ended = ended.map(|(outcome, count)| (outcome, sum(count)));
        let outcomes: Vec<_> = ended.into_iter().chain(self.refusals()).collect();
        let help = "Requests of users, by what came of them.";
        families.counter("requests_total", help, "outcome", &outcomes)?;

        let lookups = [("hit", sum(Count::CacheHit)), ("miss", sum(Count::CacheMiss))];
        let help = "Times that the cache was asked for the owner of a path.";
        families.counter("cache_lookups_total", help, "result", &lookups)?;
        let help = "Requests whose cell was known from the user's cookie alone.";
        families.single("cookie_hints_used_total", help, sum(Count::HintUsed))?;
        let help = "Cookies of the router's name that it did not write under its present key.";
        families.single("cookies_rejected_total", help, sum(Count::CookieRejected))?;
        families.single(
            "cookies_given_total",
            "Cookies given to users.",
            sum(Count::CookieGiven),
        )?;

        let preflights = [
            ("owner", sum(Count::PreflightOwner)),
            ("unknown", sum(Count::PreflightUnknown)),
            ("failed", sum(Count::PreflightFailed)),
            ("unreachable", sum(Count::PreflightUnreachable)),
        ];
        let help = "Cells asked for the owner of a path, by what came of it.";
        families.counter("preflights_total", help, "outcome", &preflights)?;
        let kinds = [("new", sum(Count::UpstreamNew)), ("reused", sum(Count::UpstreamReused))];
        let help = "Connections to cells that a request was sent on.";
        families.counter("upstream_connections_total", help, "kind", &kinds)?;
        let help = "Requests that went to another connection, \
                    because the first was closed before the cell read them.";
        families.single("upstream_retries_total", help, sum(Count::UpstreamRetried))?;

        let of_cells = |what| -> Vec<_> {
            let cells = readings.cells.iter().enumerate();
            cells.map(|(index, id)| (&**id, self.sum_of(what, index))).collect()
        };
        let help = "Requests of users that were sent to a cell.";
        families.counter("hops_total", help, "cell", &of_cells(CountOf::Hop))?;
        let help = "Requests that a cell sent on to another one.";
        families.counter("bounces_total", help, "cell", &of_cells(CountOf::Bounce))?;

        // Ends are read first: what begins and ends in between makes the gauge too high, never
        // negative.
        let ended = sum(Count::ConnectionClosed);
        let open = sum(Count::ConnectionOpened).saturating_sub(ended);
        families.gauge("connections", "Connections of users that are open.", open)?;
        let ended = sum(Count::RequestEnded);
        let in_flight = sum(Count::RequestBegun).saturating_sub(ended);
        let help = "Requests whose response is not complete.";
        families.gauge("requests_in_flight", help, in_flight)?;

        let [done, refused] = self.reloads.each_ref().map(|number| number.load(Ordering::Relaxed));
        let reloads = [("done", done), ("refused", refused)];
        let help = "Times that the topology was read again.";
        families.counter("reloads_total", help, "outcome", &reloads)?;

        let help = "Entries in the cache.";
        families.gauge("cache_entries", help, readings.cache_entries)?;
        let help = "Entries that made room for others.";
        families.single("cache_evictions_total", help, readings.cache_evictions)?;

        let requests = self.threads.iter().map(|counters| &counters.requests);
        let help = "From the head of a request to the last byte of its response.";
        families.histogram("request_duration_seconds", help, requests)?;
        let preflights = self.threads.iter().map(|counters| &counters.preflights);
        let help = "What it took to learn where a path belongs, all cells asked together.";
        families.histogram("preflight_duration_seconds", help, preflights)
    }
}

impl Metrics {
    fn sum(&self, what: Count) -> u64 {
        let own = self.threads.iter().map(|counters| &counters.counts[what as usize]);
        own.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    fn sum_of(&self, what: CountOf, index: usize) -> u64 {
        let own = self.threads.iter().map(|counters| &counters.of_cells[what as usize][index]);
        own.map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// By reason.
    fn refusals(&self) -> BTreeMap<&'static str, u64> {
        let mut sums = BTreeMap::new();
        for counters in &self.threads {
            let own = counters.refusals.lock().unwrap_or_else(PoisonError::into_inner);
            for (reason, number) in &*own {
                *sums.entry(*reason).or_default() += number;
            }
        }
        sums
    }
}

/// Writes what is described and counted.
///
/// The counter of the library would write `_total` behind the names of samples alone, as
/// OpenMetrics has it. In this format the name of a family is that of its samples. So a counter is
/// described as one, with its whole name, and its value is written as a gauge's is.
struct Families<'a>(DescriptorEncoder<'a>);

impl Families<'_> {
    /// A counter for each value of a label.
    fn counter(
        &mut self,
        name: &str,
        help: &str,
        label: &str,
        series: &[(&str, u64)],
    ) -> fmt::Result {
        let mut family = self.0.encode_descriptor(name, help, None, MetricType::Counter)?;
        for (value, number) in series {
            family.encode_family(&[(label, *value)])?.encode_gauge(number)?;
        }
        Ok(())
    }

    /// A counter without a label.
    fn single(&mut self, name: &str, help: &str, number: u64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Counter)?.encode_gauge(&number)
    }

    fn gauge(&mut self, name: &str, help: &str, number: u64) -> fmt::Result {
        self.0.encode_descriptor(name, help, None, MetricType::Gauge)?.encode_gauge(&number)
    }

    fn histogram<'a>(
        &mut self,
        name: &str,
        help: &str,
        threads: impl Iterator<Item = &'a Histogram>,
    ) -> fmt::Result {
        let mut metric = self.0.encode_descriptor(name, help, None, MetricType::Histogram)?;
        histogram::encode(threads, &mut metric)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::metrics::{self, Readings};

    fn metrics(threads: usize) -> Arc<Metrics> {
        let read = || Readings {
            cells: ["cell_us0", "cell\"0"].map(str::to_owned).into(),
            cache_entries: 7,
            cache_evictions: 3,
        };
        Arc::new(Metrics::new(threads, 2, read))
    }

    #[test]
    fn counts_of_all_threads_are_summed() {
        let metrics = metrics(3);
        metrics.reloaded(true);
        for number in 0..2 {
            let counters = metrics.counters(number);
            let count = move || {
                counters.belong_to_this_thread();
                metrics::count(Count::RequestBegun);
                metrics::count(Count::Responded);
                metrics::count_of(CountOf::Hop, 1);
                metrics::refused("overloaded");
                metrics::request_took(Duration::from_micros(1_500_250));
            };
            std::thread::spawn(count).join().unwrap();
        }
        let text = write(&registry(metrics));
        for line in [
            "# HELP cells_router_requests_total Requests of users, by what came of them.",
            "# TYPE cells_router_requests_total counter",
            "cells_router_requests_total{outcome=\"responded\"} 2",
            "cells_router_requests_total{outcome=\"overloaded\"} 2",
            "# TYPE cells_router_requests_in_flight gauge",
            "cells_router_requests_in_flight 2",
            "cells_router_hops_total{cell=\"cell_us0\"} 0",
            "cells_router_hops_total{cell=\"cell\\\"0\"} 2",
            "# TYPE cells_router_request_duration_seconds histogram",
            "cells_router_request_duration_seconds_bucket{le=\"0.0005\"} 0",
            "cells_router_request_duration_seconds_bucket{le=\"1.0\"} 0",
            "cells_router_request_duration_seconds_bucket{le=\"2.5\"} 2",
            "cells_router_request_duration_seconds_bucket{le=\"+Inf\"} 2",
            "cells_router_request_duration_seconds_sum 3.0005",
            "cells_router_request_duration_seconds_count 2",
            "cells_router_cache_entries 7",
            "cells_router_cache_evictions_total 3",
            "cells_router_reloads_total{outcome=\"done\"} 1",
            "cells_router_upstream_retries_total 0",
        ] {
            assert!(text.lines().any(|have| have == line), "{line}\n{text}");
        }
    }

    #[test]
    fn each_family_is_described_once_and_its_samples_follow() {
        let text = write(&registry(metrics(1)));
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
        assert_eq!(seen.len(), 17);
        assert!(text.ends_with('\n'));
    }

    #[test]
    fn nothing_is_counted_without_counters() {
        metrics::count(Count::Responded);
        metrics::refused("no_room");
    }
}
