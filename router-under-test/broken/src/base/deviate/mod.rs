//! The seams of the router: where a deviation changes what passes. A router without one has none of
//! this: `deviate` gives back what it got.
//!
//! One process is one router, so the deviation and what it has seen are the process's.

mod bodies;
mod datum;
mod engine;
mod messages;
mod process;
mod scene;
mod values;

use std::time::Duration;

use crate::base::body::Body;
use crate::deviation::{Element, Kind, Seam};
use datum::Datum;

pub(crate) use engine::{begin, end, looks_for_leavers};
pub(crate) use scene::{Marks, Scene};
pub(crate) use values::{At, Written};

/// How long something waits where the operation is *delay*.
const DELAY: Duration = Duration::from_millis(700);

/// Something that passes a seam.
pub(crate) trait Value: Sized {
    /// Whether the seam has this element with values of this type.
    fn has(&self, _element: Element) -> bool {
        true
    }

    /// The element, if it is there.
    fn get(&self, element: Element) -> Option<Datum>;

    /// Replaces the element, or removes it.
    fn set(&mut self, element: Element, datum: Option<Datum>);

    /// Its body.
    fn body(&mut self) -> Option<&mut Body> {
        None
    }

    /// A second one, without the body.
    fn again(&self) -> Option<Self> {
        None
    }

    /// What it says about the request, for conditions.
    fn tells(&self, _seam: Seam, _scene: &mut Scene, _marks: &mut Marks) {}
}

/// What a router does at a seam: it waits, passes the value on, maybe twice, or, where nothing is
/// passed, closes what it has at hand.
#[derive(Debug)]
pub(crate) struct Steps<V> {
    wait: Duration,
    pass: Option<V>,
    again: Option<V>,
}

impl<V> Steps<V> {
    fn pass(value: V) -> Self {
        Self { wait: Duration::ZERO, pass: Some(value), again: None }
    }

    /// The value, at a seam where the router cannot wait.
    pub(crate) fn now(self) -> Option<V> {
        self.pass
    }

    /// How often the value is passed, at a seam where the router cannot wait.
    pub(crate) fn times(&self) -> usize {
        usize::from(self.pass.is_some()) + usize::from(self.again.is_some())
    }

    /// The value and, if it is passed twice, the one that comes before it.
    pub(crate) async fn taken(self) -> Option<(V, Option<V>)> {
        if !self.wait.is_zero() {
            tokio::time::sleep(self.wait).await;
        }
        Some((self.pass?, self.again))
    }

    /// The value that is passed last.
    pub(crate) async fn one(self) -> Option<V> {
        self.taken().await.map(|(value, _)| value)
    }
}

/// What the router does with a value at a seam.
pub(crate) fn deviate<V: Value>(seam: Seam, value: V) -> Steps<V> {
    let Some(mut engine) = engine::running() else { return Steps::pass(value) };
    let (mut steps, change) = engine.deviate(seam, value);
    // A body that is changed locks the engine by itself, so the lock must be free by then.
    drop(engine);
    if let (Some(change), Some(body)) = (change, steps.pass.as_mut().and_then(V::body)) {
        *body = bodies::changed(std::mem::take(body), change);
    }
    steps
}

/// A part of a seam where a value always passes.
pub(crate) fn changed<T>(seam: Seam, element: Element, value: T) -> T
where
    At<T>: Value,
    T: Clone,
{
    deviate(seam, At(element, value.clone())).now().map_or(value, |At(_, value)| value)
}

/// Whether an element is about a body on its way.
fn is_of_body(element: Element) -> bool {
    matches!(element.kind(), Kind::Place | Kind::Body) || element == Element::Length
}
