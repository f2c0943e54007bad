//! A router's memory while large bodies pass and while it learns many prefixes (Z-20, Z-25, Z-70).
//!
//! It is not part of a run of the suite, since it takes gigabytes and minutes: bodies of a gigabyte
//! down and up, and a hundred thousand paths, each under its own prefix. No document says how much
//! a router may hold, so each load comes in two sizes: memory that grows in proportion is judged,
//! and much memory is a warning.

mod learn;
mod measured;
mod transfer;
mod upload;
mod watch;

use crate::measurement::{NotMeasured, Tell};
use conformance_suite::stage::Launch;
use std::time::Duration;

use learn::learn;
pub use measured::{Load, Measured, Used};
use transfer::transfer;

/// How long one protocol takes with a quick router on an idle machine, and with a slow one on a
/// busy machine, of the usual load.
const USUALLY: (Duration, Duration) = (Duration::from_secs(15), Duration::from_secs(180));
/// The load that takes this long.
const USUAL_LOAD: (u64, u64) = (1 << 30, 100_000);

/// How long one protocol takes, from and to.
pub fn estimate(load: Load) -> (Duration, Duration) {
    let (bytes, prefixes) = USUAL_LOAD;
    #[expect(clippy::cast_precision_loss, reason = "a rough estimate")]
    let share =
        f64::midpoint(load.bytes as f64 / bytes as f64, load.prefixes as f64 / prefixes as f64);
    (USUALLY.0.mul_f64(share), USUALLY.1.mul_f64(share))
}

/// Makes all measurements one after the other, each with its own routers. Where it is stopped,
/// those that it has made are kept.
///
/// # Errors
///
/// Where the fleet or the router cannot be started, or memory cannot be measured here; where it is
/// stopped before the first measurement.
pub async fn measure(
    load: Load,
    launch: &Launch,
    tell: Tell<'_>,
) -> Result<Vec<Measured>, NotMeasured> {
    let mut all = Vec::new();
    let measured = async {
        transfer(load, launch, tell, &mut all).await?;
        tell(&format!("{} prefixes are visited", load.prefixes));
        all.push(learn(load, launch, tell).await?);
        Ok(())
    };
    let measured = tokio::select! {
        reason = launch.stop.requested() => Err(NotMeasured::Stopped(reason)),
        measured = measured => measured,
    };
    match measured {
        Err(NotMeasured::Stopped(_)) if !all.is_empty() => Ok(all),
        measured => measured.map(|()| all),
    }
}
