//! How well one observed time tells two kinds of project apart, and how sure a sample is of that.

use std::time::Duration;

/// Share of cases in which the best guess by a threshold is right. The guess looks at one observed
/// time and says "above the threshold: the one kind; else: the other". Both kinds are equally
/// likely, and the guesser knows both samples. 0.5 is as good as a coin, 1 is certainty.
///
/// Where one kind merely shifts the times, no other rule that looks at one time does better. The
/// share is 0.5 + K/2, where K is the largest distance between the distribution functions of the
/// two samples (the Kolmogorov-Smirnov statistic).
pub(super) fn best_guess(one: &[Duration], other: &[Duration]) -> f64 {
    let (mut one, mut other) = (one.to_vec(), other.to_vec());
    one.sort_unstable();
    other.sort_unstable();
    let (mut i, mut j, mut largest) = (0, 0, 0.0_f64);
    while i < one.len() && j < other.len() {
        let time = one[i].min(other[j]);
        while i < one.len() && one[i] == time {
            i += 1;
        }
        while j < other.len() && other[j] == time {
            j += 1;
        }
        largest = largest.max((share(i, one.len()) - share(j, other.len())).abs());
    }
    0.5 + largest / 2.0
}

/// An upper bound of the probability that the guess measured from two samples of this size exceeds
/// the true one by more than `margin`, in any of this many comparisons.
///
/// It is the inequality of Dvoretzky, Kiefer and Wolfowitz with Massart's constant for each of the
/// two samples, and the union bound over all.
pub(super) fn false_alarm(size: usize, margin: f64, comparisons: usize) -> f64 {
    let each = 4.0 * (-2.0 * count(size) * margin * margin).exp();
    (each * count(comparisons)).min(1.0)
}

/// The mean; zero for an empty sample.
pub(super) fn mean(times: &[Duration]) -> Duration {
    let sum: Duration = times.iter().sum();
    if times.is_empty() { Duration::ZERO } else { sum.div_f64(count(times.len())) }
}

fn share(part: usize, whole: usize) -> f64 {
    count(part) / count(whole)
}

#[expect(clippy::cast_precision_loss, reason = "samples are far smaller than 2^52")]
fn count(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(millis: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        millis.into_iter().map(Duration::from_millis).collect()
    }

    #[test]
    fn equal_samples_cannot_be_guessed_and_disjoint_ones_can() {
        assert!((best_guess(&times(0..100), &times(0..100)) - 0.5).abs() < 1e-9);
        assert!((best_guess(&times(0..100), &times(200..300)) - 1.0).abs() < 1e-9);
        assert!((best_guess(&times(200..300), &times(0..100)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_shift_within_a_uniform_delay_gives_half_its_share() {
        // 0..500 against 50..550: half a tenth above a coin.
        assert!((best_guess(&times(0..500), &times(50..550)) - 0.55).abs() < 1e-9);
    }

    #[test]
    fn larger_samples_are_surer() {
        assert!(false_alarm(8_000, 0.04, 16) < 1e-9);
        assert!(false_alarm(2_000, 0.04, 16) > 1e-9);
        assert!(false_alarm(10, 0.04, 16) <= 1.0);
    }
}
