//! Applies the one deviation of the process.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::task;

use super::datum::{Datum, operated};
use super::scene::{Marks, Scene, counts};
use super::{DELAY, Steps, Value, bodies, is_of_body};
use crate::deviation::{Before, Condition, Deviation, Kind, Operation, Seam};

static ENGINE: OnceLock<Mutex<Engine>> = OnceLock::new();

/// Switches a deviation on, for all of the process. What it has done is written to `report`.
pub(crate) fn begin(deviation: Deviation, report: Option<File>) {
    let _ = ENGINE.set(Mutex::new(Engine {
        deviation,
        report,
        scenes: HashMap::new(),
        marks: Marks::default(),
        values: HashMap::new(),
        bodies: HashMap::new(),
        times: 0,
        fired: 0,
        changed: 0,
        is_over: false,
    }));
}

/// Writes what the deviation has done.
pub(crate) fn end() {
    if let Some(mut engine) = running() {
        let line =
            format!("fired {} times, {} of them with a change", engine.fired, engine.changed);
        engine.write(&line);
    }
}

/// Whether the deviation of the process asks for users who leave.
pub(crate) fn looks_for_leavers() -> bool {
    running().is_some_and(|engine| {
        let mut conditions = engine.deviation.conditions();
        engine.deviation.seam == Seam::Leaving
            || conditions.any(|condition| condition == Condition::AfterLeaving)
    })
}

/// The engine, if there is a deviation.
pub(super) fn running() -> Option<MutexGuard<'static, Engine>> {
    ENGINE.get().map(|engine| engine.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A deviation, and what it has seen.
pub(super) struct Engine {
    deviation: Deviation,
    report: Option<File>,
    /// The request of each task: a user's connection is one.
    scenes: HashMap<Option<task::Id>, Scene>,
    marks: Marks,
    /// The element as it last passed, by the key of the request before.
    values: HashMap<String, Datum>,
    bodies: HashMap<String, Bytes>,
    /// How often the conditions held, those about the number of times left out.
    times: u32,
    fired: u64,
    changed: u64,
    /// The deviation has happened once, and its operation is *never again*.
    is_over: bool,
}

impl Engine {
    /// What is done with a value, and the change of its body, if it has one.
    pub(super) fn deviate<V: Value>(
        &mut self,
        seam: Seam,
        mut value: V,
    ) -> (Steps<V>, Option<bodies::Change>) {
        let id = task::try_id();
        value.tells(seam, self.scenes.entry(id).or_default(), &mut self.marks);
        let Deviation { seam: own, element, operation, .. } = self.deviation;
        if seam != own || !value.has(element) {
            return (Steps::pass(value), None);
        }
        if element.kind() == Kind::Event {
            return (self.whole(id, value), None);
        }
        if is_of_body(element) {
            let change = self.body(id, &mut value);
            return (Steps::pass(value), change);
        }
        // A choice without a cell has nothing that could be changed.
        let now = value.get(element).filter(|now| !matches!(now, Datum::Choice(None, _)));
        let before = self.before(id, now.as_ref());
        let is_there = match operation {
            Operation::Swap(_) => now.is_some() && before.is_some(),
            Operation::Inherit(_) => now.is_none() && before.is_some(),
            _ => now.is_some(),
        };
        if is_there && self.holds(id) {
            let after = operated(seam, element, operation, now.clone(), before);
            self.fire();
            if after != now {
                value.set(element, after);
                self.note_change();
            }
        }
        (Steps::pass(value), None)
    }

    fn whole<V: Value>(&mut self, id: Option<task::Id>, value: V) -> Steps<V> {
        let left_out = Steps { wait: Duration::ZERO, pass: None, again: None };
        if self.is_over {
            self.note_change();
            return left_out;
        }
        if !self.holds(id) {
            return Steps::pass(value);
        }
        self.fire();
        match self.deviation.operation {
            Operation::NeverAgain => {
                self.is_over = true;
                Steps::pass(value)
            }
            Operation::Delay => {
                self.note_change();
                Steps { wait: DELAY, ..Steps::pass(value) }
            }
            Operation::DoTwice => {
                self.note_change();
                Steps { again: value.again(), ..Steps::pass(value) }
            }
            _ => {
                self.note_change();
                left_out
            }
        }
    }

    fn body<V: Value>(&mut self, id: Option<task::Id>, value: &mut V) -> Option<bodies::Change> {
        let Deviation { element, operation, .. } = self.deviation;
        value.body().filter(|body| !http_body::Body::is_end_stream(*body))?;
        let key = self.key(id, operation).unwrap_or_default();
        Some(bodies::Change { element, operation, key, holds: self.holds(id) })
    }

    /// The element of the request before; keeps the one that is there now.
    fn before(&mut self, id: Option<task::Id>, now: Option<&Datum>) -> Option<Datum> {
        let key = self.key(id, self.deviation.operation)?;
        match now {
            Some(now) => self.values.insert(key, now.clone()),
            None => self.values.get(&key).cloned(),
        }
    }

    /// The key by which the request before is found, where the operation asks for it.
    fn key(&self, id: Option<task::Id>, operation: Operation) -> Option<String> {
        let (Operation::Swap(before) | Operation::Inherit(before)) = operation else {
            return None;
        };
        let scene = self.scenes.get(&id)?;
        Some(scene.key(before, &format!("{id:?}")))
    }

    fn others(&self, id: Option<task::Id>) -> bool {
        self.scenes.iter().any(|(other, scene)| *other != id && scene.open)
    }

    fn holds(&mut self, id: Option<task::Id>) -> bool {
        let scene = self.scenes.get(&id).cloned().unwrap_or_default();
        let others = self.others(id);
        let simultaneous = matches!(
            self.deviation.operation,
            Operation::Swap(Before::SameTime) | Operation::Inherit(Before::SameTime)
        );
        if simultaneous && !others {
            return false;
        }
        let mut all = self.deviation.conditions();
        if !all.all(|condition| scene.holds(condition, &self.marks, others)) {
            return false;
        }
        self.times += 1;
        self.deviation.conditions().all(|condition| counts(condition, self.times))
    }

    fn fire(&mut self) {
        self.fired += 1;
        if self.fired == 1 {
            self.write("fired");
        }
    }

    fn note_change(&mut self) {
        self.changed += 1;
        if self.changed == 1 {
            self.write("changed");
        }
    }

    /// Writes at once, since the process may be killed at any time.
    fn write(&mut self, line: &str) {
        if let Some(report) = &mut self.report {
            let _ = report.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// A body was changed on its way.
pub(super) fn fired_in_body(is_changed: bool) {
    if let Some(mut engine) = running() {
        engine.fire();
        if is_changed {
            engine.note_change();
        }
    }
}

/// The body that was kept under this key. This body takes its place.
pub(super) fn exchanged(key: &str, body: Bytes) -> Option<Bytes> {
    running()?.bodies.insert(key.to_owned(), body)
}
