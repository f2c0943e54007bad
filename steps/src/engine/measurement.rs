//! Measurements on the pool: each has the machine to itself.

use std::ops::ControlFlow;

use tokio::runtime::Runtime;

use super::Conclusion;
use super::groups::MEASUREMENT;
use super::pool::{self, Progress};

/// Makes measurements in order, one at a time, each on a runtime of its own, and concludes.
///
/// `tell` receives each result when it is ready, and returns its conclusion; the worst decides.
///
/// # Errors
///
/// The first error of a measurement or of `tell`, in words; it ends the rest.
pub(crate) fn measure_each<T: Sync, R: Send>(
    what: &[T],
    measure: impl Fn(&T, &Runtime) -> Result<R, String> + Sync,
    mut tell: impl FnMut(&T, &R) -> Result<Conclusion, String>,
) -> Result<Conclusion, String> {
    let work = |one: &T| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        measure(one, &runtime.map_err(|error| format!("no runtime: {error}"))?)
    };
    let (mut worst, mut error) = (None, None);
    pool::run(
        1,
        what,
        |_| Some(&MEASUREMENT),
        work,
        |progress| {
            let Progress::Finished(index, result) = progress else {
                return ControlFlow::Continue(());
            };
            let means = match result {
                Ok(Ok(result)) => tell(&what[index], result),
                Ok(Err(why)) => Err(why.clone()),
                Err(lost) => Err(lost.to_string()),
            };
            match means {
                Ok(means) => {
                    worst = worst.max(Some(means));
                    ControlFlow::Continue(())
                }
                Err(why) => {
                    error = Some(why);
                    ControlFlow::Break(())
                }
            }
        },
    );
    error.map_or_else(|| Ok(worst.unwrap_or(Conclusion::Incomplete)), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conclude(what: &[Result<Conclusion, &str>]) -> (Result<Conclusion, String>, usize) {
        let mut told = 0;
        let measure = |one: &Result<Conclusion, &str>, runtime: &Runtime| {
            runtime.block_on(async { one.map_err(str::to_owned) })
        };
        let outcome = measure_each(what, measure, |_, conclusion| {
            told += 1;
            Ok(*conclusion)
        });
        (outcome, told)
    }

    #[test]
    fn the_worst_measurement_decides() {
        use Conclusion::{Conformant, Incomplete, NotConformant};
        assert_eq!(conclude(&[Ok(Conformant)]), (Ok(Conformant), 1));
        assert_eq!(conclude(&[Ok(NotConformant), Ok(Conformant)]), (Ok(NotConformant), 2));
        assert_eq!(conclude(&[]), (Ok(Incomplete), 0));
    }

    #[test]
    fn an_error_ends_the_rest() {
        let ok = Ok(Conclusion::Conformant);
        assert_eq!(conclude(&[ok, Err("no fleet"), ok]), (Err("no fleet".to_owned()), 1));
    }

    #[test]
    fn a_panic_is_an_error() {
        let outcome = measure_each(
            &[()],
            |(), _| -> Result<(), String> { panic!("on purpose") },
            |(), ()| Ok(Conclusion::Conformant),
        );
        assert_eq!(outcome, Err("panicked: on purpose".to_owned()));
    }
}
