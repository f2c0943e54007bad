//! Then steps about exchanges.

use super::definition::{Definition, Role, then};
use crate::exchange::{Exchange, compare};
use crate::trace::Trace;

/// The definitions.
pub(super) fn definitions() -> Vec<Definition> {
    vec![
        then("the exchange was", |trace: &Trace, expected: Exchange| {
            compare(&expected, trace, &trace.arrows(false))
        })
        .role(Role::Exchange),
        then("the last exchange was", |trace: &Trace, expected: Exchange| {
            compare(&expected, trace, &trace.arrows(true))
        })
        .role(Role::Exchange),
    ]
}
