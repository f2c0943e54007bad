//! What Then steps ask of a trace: pure functions, each answering with what is wrong in words.

mod answers;
mod cells;

pub use answers::*;
pub use cells::*;

/// Holds, or what was found instead.
pub type Proof = Result<(), String>;

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Proof {
    if holds { Ok(()) } else { Err(why()) }
}
