//! Whether 404 timing reveals private projects (PR-03, PR-05, Z-27).
//!
//! A scenario compares single responses; a difference in time shows only in many. So this runs
//! apart from the suite: a fleet whose cells respond after 10 ms in the router's region and after
//! 60 ms elsewhere, as the documents assume, one router in Europe, and an outsider without access.
//! The outsider visits private and missing projects, many at once in random order, each for a first
//! and a second time.

mod round;

use std::time::Duration;

use cell_fleet::Protocol;

use crate::measurement::NotMeasured;
use conformance_suite::engine::Conclusion;
use conformance_suite::stage::Launch;

use round::Times;

/// The difference of the two, which a delay has to hide.
pub const GAP: Duration = Duration::from_millis(50);
/// The measured guess may be this much better than the rule allows, since a sample is finite.
pub const MARGIN: f64 = 0.05;
/// The highest probability of a false alarm at which a verdict is given.
pub const FALSE_ALARM: f64 = 1e-9;
/// A cold project in another region takes a pick in the region (10 ms) and then a hop (60 ms), a
/// missing one the pick alone: 60 ms apart instead of 50. The pick is taken off the margin.
const PICK: Duration = Duration::from_millis(10);
/// With a delay up to this no verdict is possible: the time of the pick uses up the whole margin,
/// so even a correct router can exceed its bound. (The margin is used up at 100 ms. Below 56 ms the
/// bound is 1, and every guess keeps it.)
pub const SHORTEST_DELAY: Duration = Duration::from_millis(100);
/// Projects of one situation in one fleet. A larger sample takes more rounds; each starts a fleet
/// and a router, both cold.
const PROJECTS: usize = 500;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Trial {
    pub protocol: Protocol,
    /// Samples of each kind of project in each situation.
    pub samples: usize,
    /// Longest delay of a 404; zero leaves the capability off.
    pub delay: Duration,
}

/// A comparison of private and missing projects in one situation.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub situation: String,
    /// The medians of the times of private and of missing projects.
    pub medians: (Duration, Duration),
    /// Share of cases in which the best guess from one time is right.
    pub guess: f64,
    /// The highest share that is allowed.
    pub bound: f64,
}

impl Comparison {
    /// Whether the guess stays within its bound.
    pub fn holds(&self) -> bool {
        self.guess <= self.bound
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct TrialResult {
    /// Samples of each kind and situation that were taken: fewer than asked for where it was
    /// stopped.
    pub samples: usize,
    pub comparisons: Vec<Comparison>,
    /// Responses that differ from the first one in status, fields or body; the first few, in words.
    pub unlike: Vec<String>,
    /// Upper bound of the probability that a correct router is found to leak.
    pub false_alarm: f64,
    /// Mean time of a 404, and of a page that the visitor may see.
    pub cost: (Duration, Duration),
}

impl TrialResult {
    pub fn holds(&self) -> bool {
        self.unlike.is_empty() && self.comparisons.iter().all(Comparison::holds)
    }

    /// Whether the sample is large enough for a verdict.
    pub fn is_sure(&self) -> bool {
        self.false_alarm <= FALSE_ALARM
    }

    /// The conclusion: a sample that is too small gives none about the router.
    pub fn conclusion(&self) -> Conclusion {
        match (self.holds(), self.is_sure()) {
            (true, true) => Conclusion::Conformant,
            (false, true) => Conclusion::NotConformant,
            (_, false) => Conclusion::Incomplete,
        }
    }
}

/// Measures a router.
///
/// Without a delay, the two projects are of one group, one private and one missing. The router
/// sends both to the same cell on the same way, so it has no reason to take longer for either. With
/// a delay they are in different groups, so that the hops differ as well, which the delay has to
/// hide.
pub async fn measure(
    trial: &Trial,
    launch: &Launch,
    progress: impl Fn(usize, usize),
) -> Result<TrialResult, NotMeasured> {
    let mut times = Times::default();
    let (mut done, mut stopped) = (0, None);
    while done < trial.samples && stopped.is_none() {
        let projects = PROJECTS.min(trial.samples - done);
        tokio::select! {
            reason = launch.stop.requested() => stopped = Some(reason),
            ran = round::run(trial, projects, launch, &mut times) => {
                ran?;
                done += projects;
                progress(done, trial.samples);
            }
        }
    }
    match stopped.filter(|_| done == 0) {
        Some(reason) => Err(NotMeasured::Stopped(reason)),
        None => Ok(judge(&Trial { samples: done, ..trial.clone() }, &times)),
    }
}

fn judge(trial: &Trial, times: &Times) -> TrialResult {
    // What a delay hides of the hops, and of the pick.
    let [gap, pick] = [GAP, PICK].map(|time| match trial.delay {
        Duration::ZERO => 0.0,
        delay => time.div_duration_f64(delay) / 2.0,
    });
    let comparisons: Vec<_> = times
        .situations()
        .map(|(situation, private, missing)| Comparison {
            situation: situation.to_string(),
            medians: (median(private), median(missing)),
            guess: best_guess(private, missing),
            bound: 0.5 + gap + MARGIN,
        })
        .collect();
    let for_chance = MARGIN - pick;
    TrialResult {
        samples: trial.samples,
        false_alarm: if for_chance > 0.0 {
            false_alarm(trial.samples, for_chance, comparisons.len())
        } else {
            1.0
        },
        comparisons,
        unlike: times.unlike(),
        cost: times.cost(),
    }
}

/// Share of cases in which the best guess by a threshold is right. The guess looks at one observed
/// time and says "above the threshold: the one kind; else: the other". Both kinds are equally
/// likely, and the guesser knows both samples. 0.5 is as good as a coin, 1 is certainty.
///
/// Where one kind merely shifts the times, no other rule that looks at one time does better. The
/// share is 0.5 + K/2, where K is the largest distance between the distribution functions of the
/// two samples (the Kolmogorov-Smirnov statistic).
fn best_guess(one: &[Duration], other: &[Duration]) -> f64 {
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
fn false_alarm(size: usize, margin: f64, comparisons: usize) -> f64 {
    let each = 4.0 * (-2.0 * count(size) * margin * margin).exp();
    (each * count(comparisons)).min(1.0)
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The mean; zero for an empty sample.
fn mean(times: &[Duration]) -> Duration {
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
    use crate::visitor::Page;

    /// The result of a trial with one response in each situation.
    fn judged(delay: Duration) -> TrialResult {
        let trial = Trial { protocol: Protocol::Learning, samples: 1_000_000, delay };
        let mut times = Times::default();
        let observed = Page { status: 404, fields: Vec::new(), body: String::new() };
        let situation = round::Situation { across: true, warm: false, second: false };
        for is_private in [true, false] {
            times.add(situation, is_private, round::IN_REGION, observed.clone());
        }
        judge(&trial, &times)
    }

    #[test]
    fn a_verdict_needs_a_delay_above_the_shortest() {
        let millisecond = Duration::from_millis(1);
        assert!(!judged(SHORTEST_DELAY).is_sure());
        for delay in [SHORTEST_DELAY + 20 * millisecond, Duration::from_millis(500)] {
            let result = judged(delay);
            assert!(result.is_sure(), "{delay:?}: {:?}", result.false_alarm);
            assert!(result.comparisons.iter().all(|one| one.bound < 1.0), "{delay:?}");
        }
    }

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
