//! Functions as the bodies of step definitions: what they take tells what their steps are made of.

use super::argument::{Argument, Arguments, Source};
use super::bound::{Bind, BoundStep, CheckResult};
use crate::action::Action;
use crate::plan::ScenarioPlan;
use crate::trace::Trace;

/// Where a handler's arguments come from, and how its steps are bound.
pub(crate) type IntoBind = (Vec<Source>, Box<Bind>);

/// The body of a Given step: a function of the plan and the step's arguments.
pub(crate) trait ConditionHandler<P> {
    fn into_bind(self) -> IntoBind;
}

/// The body of a When step: the action, made of the step's arguments.
pub(crate) trait ActionHandler<P> {
    fn into_bind(self) -> IntoBind;
}

/// The body of a Then step: a function of the trace and the step's arguments.
pub(crate) trait CheckHandler<P> {
    fn into_bind(self) -> IntoBind;
}

/// What a function of the plan may return: nothing, or why the step does not fit the plan.
pub(crate) trait ConditionResult {
    fn into_result(self) -> Result<(), String>;
}

impl ConditionResult for () {
    fn into_result(self) -> Result<(), String> {
        Ok(())
    }
}

impl ConditionResult for Result<(), String> {
    fn into_result(self) -> Result<(), String> {
        self
    }
}

macro_rules! handlers {
    ($($name:ident: $argument:ident),*) => {
        impl<F, R, $($argument),*> ConditionHandler<($($argument,)*)> for F
        where
            F: Fn(&mut ScenarioPlan, $($argument),*) -> R + Copy + Send + Sync + 'static,
            R: ConditionResult,
            $($argument: Argument,)*
        {
            fn into_bind(self) -> IntoBind {
                let bind = move |arguments: &Arguments<'_>| {
                    let mut _arguments = arguments.iter();
                    $(let $name = _arguments.read::<$argument>()?;)*
                    Ok(BoundStep::Condition(Box::new(move |plan| {
                        self(plan, $($name),*).into_result()
                    })))
                };
                (vec![$($argument::SOURCE),*], Box::new(bind))
            }
        }

        impl<F, $($argument),*> ActionHandler<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> Action + Copy + Send + Sync + 'static,
            $($argument: Argument,)*
        {
            fn into_bind(self) -> IntoBind {
                let bind = move |arguments: &Arguments<'_>| {
                    let mut _arguments = arguments.iter();
                    $(let $name = _arguments.read::<$argument>()?;)*
                    Ok(BoundStep::Action(self($($name),*)))
                };
                (vec![$($argument::SOURCE),*], Box::new(bind))
            }
        }

        impl<F, R, $($argument),*> CheckHandler<($($argument,)*)> for F
        where
            F: Fn(&Trace, $($argument),*) -> R + Copy + Send + Sync + 'static,
            R: Into<CheckResult>,
            $($argument: Argument,)*
        {
            fn into_bind(self) -> IntoBind {
                let bind = move |arguments: &Arguments<'_>| {
                    let mut _arguments = arguments.iter();
                    $(let $name = _arguments.read::<$argument>()?;)*
                    Ok(BoundStep::Check(Box::new(move |trace, _| {
                        self(trace, $($name),*).into()
                    })))
                };
                (vec![$($argument::SOURCE),*], Box::new(bind))
            }
        }
    };
}

handlers!();
handlers!(a: A);
handlers!(a: A, b: B);
handlers!(a: A, b: B, c: C);
handlers!(a: A, b: B, c: C, d: D);
handlers!(a: A, b: B, c: C, d: D, e: E);
handlers!(a: A, b: B, c: C, d: D, e: E, f: G);
