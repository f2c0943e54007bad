//! The step definitions, a file for each subject: an expression, and the few lines that say what its
//! steps mean. Typed code with its own tests does the work.
//!
//! Text becomes a plan change, an action or a check in this module and nowhere else.

/// Defines the steps of an expression: as cucumber's function, which says in a [`Meaning`] what a
/// step means, and as a row of [`Written`](definition::Written).
///
/// `with` names the doc string that is read, `needs` what the step needs, `as` its role, and `named`
/// a constant with the expression.
macro_rules! step {
    (
        $keyword:ident,
        $expression:tt
            $(named $constant:ident)?
            $(with $text:ident: $doc_string:ident)?
            $(needs $needs:ident)?
            $(as $role:ident)?,
        |$step:ident $(, $name:ident: $parameter:ident)*| $body:expr
    ) => {
        $(pub(crate) const $constant: &str = $expression;)?

        const _: () = {
            cucumber::codegen::submit! {
                $crate::steps::definition::Written {
                    file: file!(),
                    line: line!(),
                    expression: $expression,
                    takes_doc_string: step!(@takes $($doc_string)?),
                }
            }

            #[cucumber::$keyword(expr = $expression)]
            fn read($step: &mut $crate::steps::meaning::Meaning $(, $name: $parameter)*) {
                $($step.needs($crate::action::Needs::$needs);)?
                $($step.role($crate::steps::meaning::Role::$role);)?
                $(let Some($text) = $step.doc_string::<$doc_string>() else { return };)?
                $body
            }
        };
    };
    (@takes) => { false };
    (@takes $doc_string:ident) => { true };
}

/// Defines Given steps, by what they change in the plan.
macro_rules! given {
    (
        $expression:tt $(with $text:ident: $doc_string:ident)? $(needs $needs:ident)?,
        |$plan:ident $(, $name:ident: $parameter:ident)*| $change:expr
    ) => {
        step!(
            given, $expression $(with $text: $doc_string)? $(needs $needs)?,
            |step $(, $name: $parameter)*| step.condition(move |$plan| $change)
        );
    };
}

/// Defines When steps, by their action. What stands there is read both ways: it makes the action of a
/// step, and finds the step of an action, with the values of its parameters.
macro_rules! when {
    ($expression:tt $(with $text:ident: $doc_string:ident)?, || $($action:tt)+) => {
        when!(@both $expression [$($text: $doc_string)?] [] $($action)+);
    };
    (
        $expression:tt $(with $text:ident: $doc_string:ident)?,
        |$($name:ident: $parameter:ident),*| { $($action:tt)+ }
    ) => {
        when!(@both $expression [$($text: $doc_string)?] [$($name: $parameter)*] $($action)+);
    };
    (
        $expression:tt $(with $text:ident: $doc_string:ident)?,
        |$($name:ident: $parameter:ident),*| $($action:tt)+
    ) => {
        when!(@both $expression [$($text: $doc_string)?] [$($name: $parameter)*] $($action)+);
    };
    (
        @both $expression:tt [$($text:ident: $doc_string:ident)?]
        [$($name:ident: $parameter:ident)*] $($action:tt)+
    ) => {
        step!(
            when, $expression $(with $text: $doc_string)?,
            |step $(, $name: $parameter)*| {
                $(let $text = $text.0;)?
                $(let $name = $crate::steps::parameters::Word::value($name);)*
                step.action($($action)+);
            }
        );

        cucumber::codegen::submit! {
            $crate::steps::ActionStep {
                expression: $expression,
                values: |action| match action {
                    $($action)+ => {
                        $(let _ = $text;)?
                        Some(vec![
                            $(<$parameter as $crate::steps::parameters::Word>::text($name)),*
                        ])
                    }
                    _ => None,
                },
            }
        }
    };
}

/// Defines Then steps, by their judge: of the trace, or of the trace and the plan.
macro_rules! then {
    (
        $expression:tt
            $(with $text:ident: $doc_string:ident)?
            $(needs $needs:ident)?
            $(as $role:ident)?,
        |$trace:ident $(, $name:ident: $parameter:ident)*| $judge:expr
    ) => {
        step!(
            then, $expression $(with $text: $doc_string)? $(needs $needs)? $(as $role)?,
            |step $(, $name: $parameter)*| step.check(move |$trace| $judge)
        );
    };
    (
        $expression:tt $(named $constant:ident)?,
        |$trace:ident, $plan:ident $(, $name:ident: $parameter:ident)*| $judge:expr
    ) => {
        step!(
            then, $expression $(named $constant)?,
            |step $(, $name: $parameter)*| step.check_by_plan(move |$trace, $plan| $judge)
        );
    };
}

mod definition;
mod definitions;
mod doc_strings;
mod given_cells;
mod given_faults;
mod given_fleet;
mod meaning;
pub mod parameters;
mod then_cells;
mod then_records;
mod then_responses;
mod when_requests;
mod when_runners;
mod when_world;

/// The step of an action, where it is this one: the expression, and the values of its parameters.
pub(crate) struct ActionStep {
    pub(crate) expression: &'static str,
    pub(crate) values: fn(&Action) -> Option<Vec<String>>,
}

cucumber::codegen::collect!(ActionStep);

/// The expressions of steps that are written in another way: of actions that several steps mean, and
/// the judgment of a journey.
pub(crate) mod expression {
    pub(crate) use super::then_responses::JUDGED;
    pub(crate) use super::when_requests::*;
}

use crate::action::Action;
pub(crate) use definitions::near;
pub use definitions::{DescribedStep, NotFound, described, find, needs, parameters};
pub(crate) use meaning::{BoundStep, Check, CheckResult, Role};
