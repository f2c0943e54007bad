//! The checks of Then steps: pure functions of a trace. Each returns what is wrong, in words.

mod apart;
mod arrivals;
mod cells;
mod cookies;
mod copies;
mod databases;
mod discretion;
mod every_request;
mod faults;
mod forwarding;
mod git;
mod ids;
pub mod model;
mod picks;
mod responses;
mod runners;
mod seen;
mod shown;
mod streams;
mod times;
mod trust;
mod unsolicited;

pub use apart::*;
pub use arrivals::*;
pub use cells::*;
pub use cookies::*;
pub use copies::*;
pub use databases::*;
pub use discretion::*;
pub use every_request::*;
pub use faults::*;
pub use forwarding::*;
pub use git::*;
pub use ids::*;
pub use picks::*;
pub use responses::*;
pub use runners::*;
pub use seen::*;
pub use shown::*;
pub use streams::*;
pub use times::*;
pub use trust::*;
pub use unsolicited::*;

use std::time::Duration;

use crate::trace::{Hop, Origin};

/// The result of a check: it holds, or the error says what was found instead.
pub type Proof = Result<(), String>;

/// The result of a check that also says on what its finding rests.
pub type Judgment = Result<(), Wrong>;

/// What a check found instead of what should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    pub message: String,
    pub rests: Rests,
}

/// What a finding rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rests {
    /// On how the scenario went: where a limit of time ended a wait, on that limit.
    OnTheScenario,
    /// On a time that was longer than this bound.
    OnTime(Duration),
    /// On how slow the machine was: nothing is shown.
    OnTheMachine,
    /// On what arrived, at cells or at users: it is there, however long anything took.
    OnArrivals,
    /// On a response that did not come, in which something must be absent. That it did not come is a
    /// separate finding.
    OnNoResponse,
}

impl Wrong {
    /// Something took longer than a bound.
    fn late(message: String, bound_ms: u64) -> Self {
        Self { message, rests: Rests::OnTime(Duration::from_millis(bound_ms)) }
    }

    /// Something arrived.
    pub fn arrived(message: String) -> Self {
        Self { message, rests: Rests::OnArrivals }
    }

    /// No response came in which something must be absent.
    fn no_response(message: String) -> Self {
        Self { message, rests: Rests::OnNoResponse }
    }
}

impl<S: Into<String>> From<S> for Wrong {
    fn from(message: S) -> Self {
        Self { message: message.into(), rests: Rests::OnTheScenario }
    }
}

/// Whether a user's request reached this cell, or a pre-flight about it did.
fn is_because_of(hop: &Hop, request: usize) -> bool {
    match hop.origin {
        Origin::User(user) | Origin::PreFlight(user, _) => user == request,
        Origin::Unsolicited => false,
    }
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Proof {
    if holds { Ok(()) } else { Err(why()) }
}
