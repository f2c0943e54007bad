//! Histograms of durations.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::{MetricEncoder, NoLabelSet};

use super::count::add;

/// The upper ends of the buckets, in microseconds.
const BOUNDS: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 10_000_000, 60_000_000,
];

/// Durations of one thread, by bucket.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// Not cumulative; the last bucket is for durations beyond all bounds.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum_micros: AtomicU64,
}

impl Histogram {
    pub(super) fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|bound| *bound < micros);
        add(&self.buckets[bucket], 1);
        add(&self.sum_micros, micros);
    }
}

/// Writes the durations of all threads as one histogram, in seconds.
pub(super) fn encode<'a>(
    threads: impl Iterator<Item = &'a Histogram>,
    encoder: &mut MetricEncoder<'_>,
) -> fmt::Result {
    let seconds = |micros| micros as f64 / 1e6;
    let ends = BOUNDS.into_iter().map(seconds).chain([f64::INFINITY]);
    let mut buckets: Vec<_> = ends.map(|end| (end, 0)).collect();
    let mut sum_micros = 0_u64;
    for thread in threads {
        for ((_, total), own) in buckets.iter_mut().zip(&thread.buckets) {
            *total += own.load(Ordering::Relaxed);
        }
        sum_micros = sum_micros.wrapping_add(thread.sum_micros.load(Ordering::Relaxed));
    }
    let count = buckets.iter().map(|(_, number)| number).sum();
    encoder.encode_histogram::<NoLabelSet>(seconds(sum_micros), count, &buckets, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_its_bucket() {
        assert!(BOUNDS.is_sorted());
        let histogram = Histogram::default();
        for micros in [0, 500, 501, 60_000_000, 60_000_001] {
            histogram.observe(Duration::from_micros(micros));
        }
        histogram.observe(Duration::MAX);
        let buckets = histogram.buckets.each_ref().map(|bucket| bucket.load(Ordering::Relaxed));
        assert_eq!(buckets, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    }
}
