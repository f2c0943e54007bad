//! What is asked of the models, and what an answer is.

use conformance_suite::spec::proofs::Answer;

use super::check::{Checked, Claimed};
use super::routing::story::Story;

/// How far the models go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// Two requests: seconds, for `cargo test`.
    Quick,
    /// What the table of the review says.
    Full,
}

/// A property, before it is checked.
pub(super) struct Asked {
    pub(super) id: &'static str,
    pub(super) says: &'static str,
    pub(super) source: &'static str,
    pub(super) questions: Vec<Question>,
}

/// Checks a property of one proposal or way.
pub(super) struct Question {
    /// Whether the proposal is mended; then small bounds pass it over.
    pub(super) mended: bool,
    pub(super) ask: Box<dyn Fn(Bounds) -> Answered + Send + Sync>,
}

/// An answer, with the story of its counterexample where the fleet can play it.
pub(super) struct Answered {
    pub(super) answer: Answer,
    pub(super) story: Option<Story>,
}

/// An answer whose counterexample has these steps; none where the property holds.
pub(super) fn answer<M: Claimed>(
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
