//! What holds in every interleaving, and what breaks: small models of what the documents say,
//! checked state by state.
//!
//! Scenarios show examples, and exploration samples. Here are models that are read at one sitting,
//! apart from exploration's judge, so that two readings of the documents check each other.
//! [`routing`](self) has one for each proposal; sessions and ids have one each.

mod check;
mod ids;
mod routed;
mod routing;
mod scenarios;
mod sessions;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use check::{Checked, Claimed};
use conformance_suite::spec::proofs::{Answer, Proofs, Property};
use conformance_suite::stage::Stop;
use routing::story::Story;

/// How far the models go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// Two requests: seconds, for `cargo test`.
    Quick,
    /// What the table of the review says.
    Full,
}

/// A property, before it is checked.
struct Asked {
    id: &'static str,
    says: &'static str,
    source: &'static str,
    questions: Vec<Question>,
}

/// Checks a property of one proposal or way.
struct Question {
    /// Whether the proposal is mended; then small bounds pass it over.
    mended: bool,
    ask: Box<dyn Fn(Bounds) -> Answered + Send + Sync>,
}

/// An answer, with the story of its counterexample where the fleet can play it.
struct Answered {
    answer: Answer,
    story: Option<Story>,
}

/// An answer whose counterexample has these steps; none where the property holds.
fn answer<M: Claimed>(
    subject: &str,
    bounds: String,
    checked: &Checked<M>,
    steps: Vec<String>,
) -> Answer {
    Answer {
        subject: subject.to_owned(),
        bounds,
        holds: checked.broken.is_none(),
        states: checked.states,
        depth: checked.depth,
        steps,
        scenario: None,
    }
}

/// Checks every property, as many at once as `jobs` says, and tells of each answer as soon as it is
/// there. Where it is stopped, it returns the answers so far.
pub fn prove(bounds: Bounds, jobs: usize, stop: &Stop, told: impl FnMut(&str, &Answer)) -> Proofs {
    let asked = Arc::new(all());
    let mut answered: BTreeMap<&str, Vec<Answer>> = BTreeMap::new();
    for (id, Answered { mut answer, story }) in answers(&asked, bounds, jobs, stop, told) {
        answer.scenario = scenarios::that_plays(id, &answer, story.is_some());
        answered.entry(id).or_default().push(answer);
    }
    let properties = asked.iter().map(|&Asked { id, says, source, .. }| Property {
        id: id.to_owned(),
        says: says.to_owned(),
        source: source.to_owned(),
        answers: answered.remove(id).unwrap_or_default(),
    });
    let is_shown = |one: &Property| stop.reason().is_none() || !one.answers.is_empty();
    let properties = properties.filter(is_shown);
    Proofs { version: 1, properties: properties.collect() }
}

/// The feature files that play the counterexamples of routing on the fleet: the path of each below
/// `features`, and its text.
pub fn features() -> Vec<(&'static str, String)> {
    let asked = Arc::new(all());
    let answers = answers(&asked, Bounds::Quick, 2, &Stop::default(), |_, _| ());
    let stories = answers.iter().filter_map(|(id, answered)| {
        Some((*id, answered.answer.subject.as_str(), answered.story.as_ref()?))
    });
    scenarios::features(&stories.collect::<Vec<_>>())
}

/// The feature files in which a router and the cells do each kind of step of the models of routing:
/// each exchange is what the model says.
pub fn transitions() -> Vec<(&'static str, String)> {
    scenarios::tale_features()
}

fn all() -> Vec<Asked> {
    let groups = [routed::properties(), sessions::properties(), ids::properties()];
    groups.into_iter().flatten().collect()
}

/// How often it looks whether it is stopped.
const LOOK: Duration = Duration::from_millis(50);

/// The answers, in the order of the questions. A check cannot be broken off, so that those under way
/// are left alone where it is stopped.
fn answers(
    asked: &Arc<Vec<Asked>>,
    bounds: Bounds,
    jobs: usize,
    stop: &Stop,
    mut told: impl FnMut(&str, &Answer),
) -> Vec<(&'static str, Answered)> {
    let places: Arc<Vec<(usize, usize)>> = Arc::new(
        asked
            .iter()
            .enumerate()
            .flat_map(|(at, asked)| (0..asked.questions.len()).map(move |of| (at, of)))
            .filter(|(at, of)| bounds == Bounds::Full || !asked[*at].questions[*of].mended)
            .collect(),
    );
    let next = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = channel();
    let begin = |_| {
        let (asked, places, next) = (asked.clone(), places.clone(), next.clone());
        let (sender, stop) = (sender.clone(), stop.clone());
        thread::spawn(move || {
            while stop.reason().is_none() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((at, of)) = places.get(number) else { break };
                let answered = (asked[*at].questions[*of].ask)(bounds);
                // Nobody listens where it was stopped.
                let _ = sender.send((number, answered));
            }
        })
    };
    let workers: Vec<_> = (0..jobs.max(1)).map(begin).collect();
    drop(sender);
    let mut answers = BTreeMap::new();
    while stop.reason().is_none() {
        match receiver.recv_timeout(LOOK) {
            Ok((number, answered)) => {
                told(asked[places[number].0].id, &answered.answer);
                answers.insert(number, answered);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                for worker in workers {
                    worker.join().unwrap_or_else(|panic| resume_unwind(panic));
                }
                break;
            }
        }
    }
    answers.into_iter().map(|(number, one)| (asked[places[number].0].id, one)).collect()
}

#[cfg(test)]
mod tests;
