//! What holds in every interleaving, and what breaks: small models of what the documents say,
//! checked state by state.
//!
//! Scenarios show examples, and exploration samples. Here are models that are read at one sitting,
//! apart from exploration's judge, so that two readings of the documents check each other.
//! [`routing`](self) has one for each proposal; sessions and ids have one each.

mod asked;
mod check;
mod ids;
mod kept;
mod numbering;
#[cfg(test)]
mod replay;
mod routed;
mod routing;
mod scenarios;
mod sessions;

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub use asked::Bounds;
use asked::{Answered, Asked};
use conformance_suite::spec::proofs::{Answer, Proofs, Property};

/// Checks every property, as many at once as `jobs` says, and tells of each answer as soon as it is
/// there.
pub fn prove(bounds: Bounds, jobs: usize, told: impl Fn(&str, &Answer) + Sync) -> Proofs {
    let asked = all();
    let mut answered: BTreeMap<&str, Vec<Answer>> = BTreeMap::new();
    for (id, Answered { mut answer, story }) in answers(&asked, bounds, jobs, told) {
        answer.scenario = scenarios::that_plays(id, &answer, story.is_some());
        answered.entry(id).or_default().push(answer);
    }
    let properties = asked.iter().map(|&Asked { id, says, source, .. }| Property {
        id: id.to_owned(),
        says: says.to_owned(),
        source: source.to_owned(),
        answers: answered.remove(id).unwrap_or_default(),
    });
    Proofs { version: 1, properties: properties.collect() }
}

/// The feature files that play the counterexamples of routing on the fleet: the path of each below
/// `features`, and its text.
pub fn features() -> Vec<(&'static str, String)> {
    let asked = all();
    let answers = answers(&asked, Bounds::Quick, 2, |_, _| ());
    let stories = answers.iter().filter_map(|(id, answered)| {
        Some((*id, answered.answer.subject.as_str(), answered.story.as_ref()?))
    });
    scenarios::features(&stories.collect::<Vec<_>>())
}

/// The feature files in which a router and the cells do each kind of step of the models of routing:
/// each exchange is what the model says.
pub fn transitions() -> Vec<(&'static str, String)> {
    scenarios::of_tales()
}

fn all() -> Vec<Asked> {
    let groups = [routed::properties(), kept::properties(), numbering::properties()];
    groups.into_iter().flatten().collect()
}

/// The answers, in the order of the questions.
fn answers(
    asked: &[Asked],
    bounds: Bounds,
    jobs: usize,
    told: impl Fn(&str, &Answer) + Sync,
) -> Vec<(&'static str, Answered)> {
    let questions: Vec<_> = asked
        .iter()
        .flat_map(|asked| asked.questions.iter().map(|question| (asked.id, question)))
        .filter(|(_, question)| bounds == Bounds::Full || !question.mended)
        .collect();
    let answers: Vec<OnceLock<Answered>> = questions.iter().map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(((id, question), place)) = {
            let number = next.fetch_add(1, Ordering::Relaxed);
            questions.get(number).zip(answers.get(number))
        } {
            let answered = (question.ask)(bounds);
            told(id, &answered.answer);
            // Each place is taken by one thread.
            let _ = place.set(answered);
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(work);
        }
    });
    let ids = questions.iter().map(|(id, _)| *id);
    ids.zip(answers).filter_map(|(id, place)| Some((id, place.into_inner()?))).collect()
}

#[cfg(test)]
mod tests;
