//! The bars of a flow: both proposals side by side in each state.

use maud::{Markup, html};

use super::record::{FlowRecord, StateRecord};
use super::words::{milliseconds, number, state};

/// Where the bars begin: right of the names.
const LEFT: usize = 176;
/// The room of the longest bar.
const ROOM: usize = 150;
/// The width of the whole.
const WIDTH: usize = 470;
/// The height of a bar, and what is between two states.
const BAR: usize = 13;
const GAP: usize = 9;

pub(super) fn chart(flow: &FlowRecord, rtt_ms: f64) -> Markup {
    let shown: Vec<_> = flow.states.iter().filter(|one| one.never.is_none()).collect();
    let most = shown.iter().map(|one| sent(one)).fold(1.0, f64::max);
    let mut y = 4;
    let mut rows = Vec::new();
    let mut before = None;
    for one in shown {
        let is_first = before.replace(one.state) != Some(one.state);
        if is_first && !rows.is_empty() {
            y += GAP;
        }
        rows.push(row(one, is_first, y, most, rtt_ms));
        y += BAR + 2;
    }
    let label = format!("Requests and pre-flights of {}, in both proposals", flow.title);
    html! {
        svg class="q k" viewBox=(format!("0 0 {WIDTH} {}", y + 4)) width=(WIDTH) height=(y + 4)
            role="img" aria-label=(label) {
            @for row in rows { (row) }
        }
    }
}

/// What is sent to cells.
fn sent(one: &StateRecord) -> f64 {
    one.expected.requests + one.expected.preflights
}

fn row(one: &StateRecord, is_first: bool, y: usize, most: f64, rtt_ms: f64) -> Markup {
    let length = |value: f64| (value / most * ROOM as f64).round() as usize;
    let (requests, preflights) = (length(one.expected.requests), length(one.expected.preflights));
    let base = y + BAR - 3;
    let letter = one.protocol.chars().next().unwrap_or_default().to_ascii_uppercase();
    let parts = [
        Some(number(one.expected.requests)),
        (one.expected.preflights != 0.0).then(|| format!("+ {}", number(one.expected.preflights))),
        (one.expected.crossings != 0.0)
            .then(|| format!("\u{b7} {}", milliseconds(one.expected.crossings * rtt_ms))),
        one.ends().contains(&404).then(|| "\u{b7} 404".to_owned()),
    ];
    let said = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    html! {
        @if is_first { text.n x="2" y=(base) { (state(one)) } }
        text.n x=(LEFT - 14) y=(base) { (letter) }
        rect.b x=(LEFT) y=(y) width=(requests) height=(BAR) {}
        @if preflights > 0 {
            rect.p x=(LEFT + requests) y=(y) width=(preflights) height=(BAR) {}
        }
        text.w x=(LEFT + requests + preflights + 6) y=(base) { (said) }
    }
}
