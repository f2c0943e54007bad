//! Histograms of durations.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::add;

/// The upper ends of the buckets, in seconds as they are written, and in microseconds.
const BOUNDS: [(&str, u64); 14] = [
    ("0.0005", 500),
    ("0.001", 1_000),
    ("0.0025", 2_500),
    ("0.005", 5_000),
    ("0.01", 10_000),
    ("0.025", 25_000),
    ("0.05", 50_000),
    ("0.1", 100_000),
    ("0.25", 250_000),
    ("0.5", 500_000),
    ("1", 1_000_000),
    ("2.5", 2_500_000),
    ("10", 10_000_000),
    ("60", 60_000_000),
];

/// Durations of one thread, by bucket.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    /// Not cumulative; the last bucket is for durations beyond all bounds.
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum_micros: AtomicU64,
}

/// Durations of all threads.
#[derive(Debug, Default)]
pub(super) struct Durations {
    buckets: [u64; BOUNDS.len() + 1],
    sum_micros: u64,
}

impl Histogram {
    pub(super) fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS.partition_point(|(_, bound)| *bound < micros);
        add(&self.buckets[bucket], 1);
        add(&self.sum_micros, micros);
    }

    pub(super) fn add_to(&self, sum: &mut Durations) {
        for (total, bucket) in sum.buckets.iter_mut().zip(&self.buckets) {
            *total += bucket.load(Ordering::Relaxed);
        }
        sum.sum_micros = sum.sum_micros.wrapping_add(self.sum_micros.load(Ordering::Relaxed));
    }
}

impl Durations {
    /// The cumulative buckets: upper end and how many were no longer than that; `+Inf` last.
    pub(super) fn buckets(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let ends = BOUNDS.iter().map(|(text, _)| *text).chain(["+Inf"]);
        ends.zip(&self.buckets).scan(0, |total, (end, bucket)| {
            *total += bucket;
            Some((end, *total))
        })
    }

    /// The number of durations.
    pub(super) fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The sum of durations.
    pub(super) fn seconds(&self) -> f64 {
        self.sum_micros as f64 / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_rise_and_read_as_written() {
        assert!(BOUNDS.is_sorted_by(|a, b| a.1 < b.1));
        for (text, micros) in BOUNDS {
            assert_eq!((text.parse::<f64>().unwrap() * 1e6).round() as u64, micros);
        }
    }

    #[test]
    fn a_bound_belongs_to_its_bucket() {
        let histogram = Histogram::default();
        for micros in [0, 500, 501, 60_000_000, 60_000_001] {
            histogram.observe(Duration::from_micros(micros));
        }
        histogram.observe(Duration::MAX);
        let mut sum = Durations::default();
        histogram.add_to(&mut sum);
        let buckets: Vec<_> = sum.buckets().collect();
        assert_eq!((buckets[0], buckets[1]), (("0.0005", 2), ("0.001", 3)));
        assert_eq!(buckets[13..], [("60", 4), ("+Inf", 6)]);
        assert_eq!(sum.count(), 6);
    }
}
