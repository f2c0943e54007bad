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
use std::ops::ControlFlow;

use check::{Checked, Claimed};
use conformance_suite::engine::pool::{self, Progress};
use conformance_suite::spec::proofs::{Answer, Proofs, Property};
use conformance_suite::stage::Stop;
use routing::story::Story;
pub use scenarios::transitions;

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

/// Checks a property within bounds.
type Ask = dyn Fn(Bounds, &Stop) -> Answered + Sync;

/// A property of one proposal or way.
struct Question {
    /// Whether the proposal is mended; then small bounds pass it over.
    mended: bool,
    ask: Box<Ask>,
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
    let asked = all();
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
    let asked = all();
    let answers = answers(&asked, Bounds::Quick, 2, &Stop::default(), |_, _| ());
    let stories = answers.iter().filter_map(|(id, answered)| {
        Some((*id, answered.answer.subject.as_str(), answered.story.as_ref()?))
    });
    scenarios::features(&stories.collect::<Vec<_>>())
}

fn all() -> Vec<Asked> {
    let groups = [routed::properties(), sessions::properties(), ids::properties()];
    groups.into_iter().flatten().collect()
}

/// The answers, in the order of the questions. Where it is stopped, those under way are left out.
fn answers(
    asked: &[Asked],
    bounds: Bounds,
    jobs: usize,
    stop: &Stop,
    mut told: impl FnMut(&str, &Answer),
) -> Vec<(&'static str, Answered)> {
    let questions = asked.iter().flat_map(|of| of.questions.iter().map(|one| (of.id, one)));
    let is_asked = |(_, one): &(&str, &Question)| bounds == Bounds::Full || !one.mended;
    let questions: Vec<(&'static str, &Question)> = questions.filter(is_asked).collect();
    let mut is_told = vec![false; questions.len()];
    let ask = |(_, one): &(&str, &Question), _: &_| (one.ask)(bounds, stop);
    let answers = pool::run(jobs, &questions, ask, |progress| {
        match progress {
            // What the end cut short is no answer.
            _ if stop.reason().is_some() => return ControlFlow::Break(()),
            Progress::Finished(at, Ok(Answered { answer, .. })) => {
                told(questions[at].0, answer);
                is_told[at] = true;
            }
            Progress::Finished(at, Err(error)) => panic!("{}: {error}", questions[at].0),
            Progress::Started(_) => {}
        }
        ControlFlow::Continue(())
    });
    let answers = questions.iter().zip(answers).zip(is_told).filter(|(_, is_told)| *is_told);
    answers.filter_map(|(((id, _), answer), _)| Some((*id, answer.ok()?))).collect()
}

#[cfg(test)]
mod tests;
