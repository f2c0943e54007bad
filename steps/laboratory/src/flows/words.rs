//! Figures in words, for text and pages.

use super::figures::{Figures, NAMES};
use super::record::{OfCells, StateRecord};
use super::state::Owner;

/// What the figures are where not all flows were counted.
pub(super) fn ended_early(why: &str) -> String {
    format!("Ended early: {why}. Only the flows below were counted in full.")
}

/// A number with up to two decimals.
pub(super) fn number(value: f64) -> String {
    grouped(&format!("{value:.2}"))
}

/// A number with up to three decimals.
pub(super) fn precise(value: f64) -> String {
    grouped(&format!("{value:.3}"))
}

fn grouped(text: &str) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    // Thousands are grouped: bodies are long.
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    if rest.is_empty() { grouped } else { format!("{grouped}.{rest}") }
}

/// A time in milliseconds.
pub(super) fn milliseconds(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{} ms", number(value)) }
}

/// The figures that are not zero, in one line: each expected, and in parentheses the worst where
/// that is another.
pub(super) fn line(expected: &Figures, worst: &Figures, rtt_ms: f64) -> String {
    let both = |name: &str, expected: String, worst: String| match expected == worst {
        true => format!("{name} {expected}"),
        false => format!("{name} {expected} ({worst})"),
    };
    let values = NAMES.iter().zip(expected.values().into_iter().zip(worst.values()));
    let mut parts: Vec<_> = values
        .filter(|(_, (_, worst))| *worst != 0.0)
        .map(|(name, (expected, worst))| both(name, number(expected), number(worst)))
        .collect();
    if worst.crossings != 0.0 {
        let time = |of: &Figures| milliseconds(of.crossings * rtt_ms);
        parts.push(both("added", time(expected), time(worst)));
    }
    parts.join(", ")
}

/// `2 − 1/N`.
pub(super) fn formula(of: OfCells, figure: fn(&Figures) -> f64) -> String {
    let (most, less) = (figure(&of.most), figure(&of.less));
    match less {
        0.0 => number(most),
        less if less < 0.0 => format!("{} + {}/N", number(most), number(-less)),
        less => format!("{} \u{2212} {}/N", number(most), number(less)),
    }
}

/// What follows from a stale entry under learning.
pub(super) const LOST: &str =
    "Stale under learning, the user gets 404 until the entry has expired.";

/// `cold, EU router`.
pub(super) fn state(one: &StateRecord) -> String {
    format!("{}, {} router", one.state.cache, one.region.to_uppercase())
}

/// Where the owner of a flow's page is.
pub(super) fn owner(region: Option<&str>) -> String {
    match region {
        Some(region) => format!("Owner: a cell in the {region} region"),
        None => "No cell owns it: any may serve it, or the one to which learn fixes it".to_owned(),
    }
}

/// Where an owner is, seen from the router.
pub(super) fn place(owner: Owner) -> &'static str {
    match owner {
        Owner::Home => "at home",
        Owner::Abroad => "abroad",
    }
}

/// The statuses in which a flow ends: `200`, or `200 or 404`.
pub(super) fn ends(statuses: &[u16]) -> String {
    statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_says_what_the_owner_saves() {
        let of = |most, less| {
            let of = |requests| Figures { requests, ..Figures::default() };
            formula(OfCells { most: of(most), less: of(less) }, |of| of.requests)
        };
        assert_eq!(of(2.0, 1.0), "2 \u{2212} 1/N");
        assert_eq!(of(1.0, 0.0), "1");
        assert_eq!(of(1.0, -1.0), "1 + 1/N");
    }
}
