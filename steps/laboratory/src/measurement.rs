//! Measurements in order: each has the machine to itself.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use tokio::runtime::Runtime;

use conformance_suite::engine::Conclusion;
use conformance_suite::stage::{RouterError, StageError, StopReason};

/// Hears how far a measurement is, a line at a time.
pub type Tell<'a> = &'a dyn Fn(&str);

/// Why a measurement has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotMeasured {
    /// The suite is at fault.
    #[error("the suite is at fault: {0}")]
    Suite(String),
    /// The router is at fault: it did not become ready, or gave no response.
    #[error("the router is at fault: {0}")]
    Router(String),
    /// Something outside the router prevented it, such as a command that does not exist.
    #[error("not measured: {0}")]
    Prevented(String),
    /// The router does not follow the protocol.
    #[error("{0}")]
    NotFollowed(String),
    /// It was stopped before there was anything to keep.
    #[error("not measured: {0}")]
    Stopped(StopReason),
}

/// An error in words is one of the suite.
impl From<String> for NotMeasured {
    fn from(why: String) -> Self {
        Self::Suite(why)
    }
}

impl From<StageError> for NotMeasured {
    fn from(error: StageError) -> Self {
        let why = error.to_string();
        match error {
            StageError::Suite(_) => Self::Suite(why),
            StageError::Router(RouterError::ProtocolNotFollowed(_)) => Self::NotFollowed(why),
            StageError::NotAsked(_)
            | StageError::Unfit(_)
            | StageError::Router(RouterError::NotStarted { .. } | RouterError::NotReset { .. }) => {
                Self::Prevented(why)
            }
            StageError::Router(_) => Self::Router(why),
        }
    }
}

impl NotMeasured {
    /// What it means for the router; `None` for a protocol that it need not follow, and where it
    /// was stopped.
    pub fn conclusion(&self) -> Option<Conclusion> {
        match self {
            Self::Suite(_) => Some(Conclusion::SuiteFault),
            Self::Router(_) => Some(Conclusion::NotConformant),
            Self::Prevented(_) => Some(Conclusion::Incomplete),
            Self::NotFollowed(_) | Self::Stopped(_) => None,
        }
    }
}

/// Makes measurements in order, one at a time, each on its own runtime, and concludes.
///
/// `tell` receives each result when it is ready, and returns its conclusion; the worst decides.
/// Without any conclusion the whole is incomplete.
///
/// # Errors
///
/// The first error of `tell`, in words; it ends the rest.
pub fn measure_each<T, R>(
    what: &[T],
    measure: impl Fn(&T, &Runtime) -> Result<R, NotMeasured>,
    mut tell: impl FnMut(&T, Result<&R, &NotMeasured>) -> Result<Option<Conclusion>, String>,
) -> Result<Conclusion, String> {
    let measured = |one: &T| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
        catch_unwind(AssertUnwindSafe(|| measure(one, &runtime)))
            .unwrap_or_else(|_| Err("it panicked; see standard error".to_owned().into()))
    };
    let mut worst = None;
    for one in what {
        let means = tell(one, measured(one).as_ref())?;
        worst = worst.max(means);
        // After a fault of the suite, no further measurement can be trusted.
        if means == Some(Conclusion::SuiteFault) {
            break;
        }
    }
    Ok(worst.unwrap_or(Conclusion::Incomplete))
}

/// The time that a share of the sample does not exceed; zero for an empty sample.
pub(crate) fn quantile(times: &[Duration], share: f64) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a length that fits"
    )]
    let index = (share * times.len().saturating_sub(1) as f64).round() as usize;
    times.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A measurement: its conclusion, or why it has no result.
    type Given = Result<Conclusion, NotMeasured>;

    /// The conclusion, and the number of results that were told.
    fn conclude(what: &[Given]) -> (Conclusion, usize) {
        let mut told = 0;
        let measure = |one: &Given, runtime: &Runtime| runtime.block_on(async { one.clone() });
        let outcome = measure_each(what, measure, |_, result| {
            told += 1;
            Ok(result.map_or_else(NotMeasured::conclusion, |conclusion| Some(*conclusion)))
        });
        (outcome.unwrap(), told)
    }

    #[test]
    fn the_worst_measurement_decides() {
        use Conclusion::{Conformant, Incomplete, NotConformant};
        let router = || Err(NotMeasured::Router("gone".to_owned()));
        let not_followed = || Err(NotMeasured::NotFollowed("buffering alone".to_owned()));
        assert_eq!(conclude(&[Ok(Conformant)]), (Conformant, 1));
        assert_eq!(conclude(&[Ok(NotConformant), Ok(Conformant)]), (NotConformant, 2));
        assert_eq!(conclude(&[router(), Ok(Conformant)]), (NotConformant, 2));
        assert_eq!(conclude(&[not_followed(), Ok(Conformant)]), (Conformant, 2));
        assert_eq!(conclude(&[not_followed()]), (Incomplete, 1));
        assert_eq!(conclude(&[]), (Incomplete, 0));
    }

    #[test]
    fn a_fault_of_the_suite_ends_the_rest() {
        let ok = || Ok(Conclusion::Conformant);
        let fault = Err(NotMeasured::Suite("no fleet".to_owned()));
        assert_eq!(conclude(&[ok(), fault, ok()]), (Conclusion::SuiteFault, 2));
    }

    #[test]
    fn a_panic_is_a_fault_of_the_suite() {
        let outcome = measure_each(
            &[()],
            |(), _| -> Result<(), NotMeasured> { panic!("on purpose") },
            |(), result| {
                let fault = NotMeasured::Suite("it panicked; see standard error".to_owned());
                assert_eq!(result, Err(&fault));
                Ok(fault.conclusion())
            },
        );
        assert_eq!(outcome, Ok(Conclusion::SuiteFault));
    }

    #[test]
    fn a_quantile_is_one_of_the_times() {
        let times: Vec<_> = (0..101).map(Duration::from_millis).collect();
        assert_eq!(quantile(&times, 0.5), Duration::from_millis(50));
        assert_eq!(quantile(&[], 0.5), Duration::ZERO);
    }
}
