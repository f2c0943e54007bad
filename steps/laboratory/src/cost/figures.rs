//! From times to ratios with their spread.

use std::time::Duration;

use super::client::Slice;
use crate::measurement::{NotMeasured, quantile};
use conformance_suite::engine::record::{Compared, CostMeasurement, Spread};

/// What one way took in one round.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Figures {
    p50: f64,
    p99: f64,
    per_second: f64,
}

/// One load in one round, both ways.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Round {
    direct: Figures,
    router: Figures,
    requests: usize,
    failures: usize,
}

/// The figures of a round.
///
/// # Errors
///
/// If a way has no request that got its page.
pub(super) fn round(direct: &Slice, router: &Slice) -> Result<Round, NotMeasured> {
    let why = |slice: &Slice| slice.failures.words().join("\n");
    let none = "no request got its page";
    Ok(Round {
        direct: figures(direct).ok_or_else(|| {
            NotMeasured::Suite(format!("straight to a cell {none}: {}", why(direct)))
        })?,
        router: figures(router)
            .ok_or_else(|| NotMeasured::Router(format!("{none}: {}", why(router))))?,
        requests: router.times.len(),
        failures: router.failed,
    })
}

fn figures(slice: &Slice) -> Option<Figures> {
    let micros = |share| quantile(&slice.times, share).as_secs_f64() * 1e6;
    let took = slice.took.max(Duration::from_nanos(1)).as_secs_f64();
    (!slice.times.is_empty()).then(|| Figures {
        p50: micros(0.5),
        p99: micros(0.99),
        per_second: count(slice.times.len()) / took,
    })
}

/// A load over all rounds.
pub(super) fn measurement(
    protocol: &str,
    cache: &str,
    connections: usize,
    rounds: &[Round],
) -> CostMeasurement {
    let compared = |figure: fn(&Figures) -> f64| Compared {
        direct: spread(rounds.iter().map(|round| figure(&round.direct))).median,
        router: spread(rounds.iter().map(|round| figure(&round.router))).median,
        ratio: spread(rounds.iter().map(|round| {
            // Neither is ever 0: every request takes time.
            figure(&round.router) / figure(&round.direct)
        })),
    };
    CostMeasurement {
        protocol: protocol.to_owned(),
        cache: cache.to_owned(),
        connections,
        requests: rounds.iter().map(|round| round.requests).sum(),
        failures: rounds.iter().map(|round| round.failures).sum(),
        p50_us: compared(|figures| figures.p50),
        p99_us: compared(|figures| figures.p99),
        per_second: compared(|figures| figures.per_second),
    }
}

/// Lowest, median and highest; the median of an even number is between both in the middle.
fn spread(values: impl Iterator<Item = f64>) -> Spread {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    let at = |index: usize| values.get(index).copied().unwrap_or_default();
    let (below, above) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    Spread {
        lowest: at(0),
        median: f64::midpoint(at(below), at(above)),
        highest: at(values.len().saturating_sub(1)),
    }
}

#[expect(clippy::cast_precision_loss, reason = "far smaller than 2^52")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(millis: &[u64]) -> Slice {
        let times: Vec<_> = millis.iter().map(|time| Duration::from_millis(*time)).collect();
        Slice { took: times.iter().sum(), times, ..Slice::default() }
    }

    #[test]
    fn ratios_are_those_of_each_round() {
        // A machine that is three times slower in the second round has no part in the ratio.
        let rounds = [
            round(&slice(&[1, 1, 1]), &slice(&[2, 2, 2])).unwrap(),
            round(&slice(&[3, 3, 3]), &slice(&[6, 6, 6])).unwrap(),
        ];
        let measured = measurement("buffering", "warm", 1, &rounds);
        assert_eq!(measured.requests, 6);
        let twice = Spread { lowest: 2.0, median: 2.0, highest: 2.0 };
        assert_eq!(measured.p50_us, Compared { direct: 2_000.0, router: 4_000.0, ratio: twice });
        assert!((measured.per_second.ratio.median - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_spread_has_its_ends_and_its_middle() {
        let of = |values: &[f64]| spread(values.iter().copied());
        let odd = Spread { lowest: 1.0, median: 2.0, highest: 9.0 };
        assert_eq!(of(&[9.0, 1.0, 2.0]), odd);
        assert_eq!(of(&[4.0, 1.0, 2.0, 3.0]).median, 2.5);
    }

    #[test]
    fn a_way_without_a_page_has_no_figures() {
        let none = round(&slice(&[1]), &slice(&[])).unwrap_err();
        assert!(matches!(none, NotMeasured::Router(_)), "{none}");
        let none = round(&slice(&[]), &slice(&[1])).unwrap_err();
        assert!(matches!(none, NotMeasured::Suite(_)), "{none}");
    }
}
