//! Whether the time of a 404 tells a private place from a missing one (PR-03, PR-05, Z-27).
//!
//! Scenarios compare single responses; what a clock gives away shows only in many. So this runs
//! beside the suite: a fleet whose cells respond after 10 ms in the router's region and after 60 ms
//! elsewhere, as the documents assume, one router in Europe, and somebody without access who visits
//! private places and missing ones, in turn and many at once, each for a first and a second time.

mod guess;
mod round;

use std::time::Duration;

use cell_fleet::Protocol;

use crate::stage::Launch;

pub use guess::{best_guess, false_alarm, mean, quantile};
pub use round::Shape;
use round::{Round, Times};

/// What the documents assume a hop inside the router's region takes.
pub const IN_REGION: Duration = Duration::from_millis(10);
/// What they assume a hop to another region and back takes.
pub const ACROSS: Duration = Duration::from_millis(60);
/// By how much the two may differ because of where they are, which a delay has to hide.
pub const GAP: Duration = Duration::from_millis(50);
/// What the guess may be better than the rule says, for the sample's sake.
pub const MARGIN: f64 = 0.05;
/// The highest probability of a false alarm with which a verdict is given.
pub const FALSE_ALARM: f64 = 1e-9;
/// Of the margin, what is left for chance where a cold place takes a pick in the region (10 ms) and
/// then a hop to another (60 ms), and a missing one the pick alone: 60 ms apart instead of 50.
const PICK: Duration = Duration::from_millis(10);
/// Places of one situation that one fleet has: more rounds for larger samples, since each round
/// starts a fleet and a router, both cold.
const PLACES: usize = 500;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The protocol.
    pub protocol: Protocol,
    /// Samples for each place of each situation.
    pub samples: usize,
    /// Longest delay of a 404; zero leaves the capability off.
    pub delay: Duration,
    /// How many visitors there are at once.
    pub visitors: usize,
}

/// One comparison of a private and a missing place.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// What is compared, in words.
    pub situation: String,
    /// The medians of the private and of the missing place's times.
    pub medians: (Duration, Duration),
    /// Share of right responses of the best guess by one time.
    pub guess: f64,
    /// What it may be.
    pub bound: f64,
}

impl Comparison {
    /// Whether the guess is no better than it may be.
    pub fn holds(&self) -> bool {
        self.guess <= self.bound
    }
}

/// What came out.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// All comparisons of times.
    pub comparisons: Vec<Comparison>,
    /// Responses for private and missing places that are not alike in status, fields or body; the
    /// first few, in words.
    pub unlike: Vec<String>,
    /// The probability that a router which keeps to the rule is found not to, at most.
    pub false_alarm: f64,
    /// Mean time of a 404, and of a page that may be seen.
    pub cost: (Duration, Duration),
}

impl Finding {
    /// Whether nothing was found that tells the places apart.
    pub fn holds(&self) -> bool {
        self.unlike.is_empty() && self.comparisons.iter().all(Comparison::holds)
    }

    /// Whether the sample is large enough for a verdict.
    pub fn is_sure(&self) -> bool {
        self.false_alarm <= FALSE_ALARM
    }
}

/// Measures a router.
///
/// Without a delay, the places compared are two projects of one group, a private and a missing one:
/// the router sends both to the same cell by the same way, so it has no reason to take longer for
/// either. With one, they are in different groups, so that the hops differ too, which the delay has
/// to hide.
///
/// # Errors
///
/// Where the fleet or the router could not be started, or visits got no response.
pub async fn measure(
    trial: &Trial,
    launch: &Launch,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Finding, String> {
    let shape = if trial.delay.is_zero() { Shape::OneGroup } else { Shape::TwoGroups };
    let mut times = Times::default();
    let mut done = 0;
    while done < trial.samples {
        let places = PLACES.min(trial.samples - done);
        let round = Round {
            protocol: trial.protocol,
            delay: trial.delay,
            visitors: trial.visitors,
            places,
            shape,
        };
        round.run(launch, &mut times).await?;
        done += places;
        progress(done, trial.samples);
    }
    Ok(judge(trial, &times))
}

fn judge(trial: &Trial, times: &Times) -> Finding {
    let rule =
        if trial.delay.is_zero() { 0.5 } else { 0.5 + GAP.div_duration_f64(trial.delay) / 2.0 };
    let comparisons: Vec<_> = times
        .situations()
        .map(|(situation, private, missing)| Comparison {
            situation: situation.to_string(),
            medians: (quantile(private, 0.5), quantile(missing, 0.5)),
            guess: best_guess(private, missing),
            bound: rule + MARGIN,
        })
        .collect();
    let for_chance = if trial.delay.is_zero() {
        MARGIN
    } else {
        MARGIN - PICK.div_duration_f64(trial.delay) / 2.0
    };
    Finding {
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
