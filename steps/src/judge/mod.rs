//! What Then steps ask of a trace: pure functions, each responding with what is wrong in words.

mod arrivals;
mod cells;
mod cookies;
mod databases;
mod discretion;
mod faults;
mod known;
#[cfg(test)]
mod made;
mod responses;
mod shown;
mod streams;
mod times;
mod trust;

pub use arrivals::*;
pub use cells::*;
pub use cookies::*;
pub use databases::*;
pub use discretion::*;
pub use faults::*;
pub use known::*;
pub use responses::*;
pub use shown::*;
pub use streams::*;
pub use times::*;
pub use trust::*;

/// Holds, or what was found instead.
pub type Proof = Result<(), String>;

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Proof {
    if holds { Ok(()) } else { Err(why()) }
}
