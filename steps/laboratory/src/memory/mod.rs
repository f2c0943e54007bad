//! A router's memory while large bodies pass and while it learns many prefixes (Z-20, Z-25, Z-70).
//!
//! It runs beside the suite, since it takes gigabytes and minutes: bodies of a gigabyte down and
//! up, and a hundred thousand paths, each under a prefix of its own. No document says how much a
//! router may hold, so each load comes in two sizes: memory that grows in proportion is judged, and
//! much memory is a warning.

mod learn;
mod measured;
mod transfer;
mod upload;
mod watch;

use crate::measurement::NotMeasured;
use conformance_suite::stage::Launch;

use learn::learn;
pub use measured::{Load, Measured, Used};
use transfer::transfer;

/// Makes all measurements one after the other, each with routers of its own.
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or memory cannot be measured here.
pub async fn measure(load: Load, launch: &Launch) -> Result<Vec<Measured>, NotMeasured> {
    let mut all = transfer(load, launch).await?;
    all.push(learn(load, launch).await?);
    Ok(all)
}
