//! The costs as text for a terminal.

use std::fmt::Write as _;

use super::figures::Figures;
use super::larger::{Larger, Way};
use super::record::{FlowRecord, FlowsRecord, OfCells, StateRecord};
use super::state::Owner;
use super::words::{
    COLUMNS, LOST, cells, ended_early, ends, line, milliseconds, number, of_cells, owner, precise,
    state,
};

/// Widest sentence.
const PROSE: usize = 110;
/// Between two columns.
const GAP: usize = 2;

/// The costs in words, for a screen of this width. Where a table does not fit, its rows are
/// sentences.
pub fn text(record: &FlowsRecord, width: usize) -> String {
    let prose = width.min(PROSE);
    let head = format!(
        "What the flows of the documents cost, counted in runs of this router: {}. A round trip \
         between the regions takes {}.",
        record.router,
        milliseconds(record.rtt_ms)
    );
    let mut text = format!("{}\n", textwrap::fill(&head, prose));
    if let Some(why) = &record.ended_early {
        let _ = writeln!(text, "{}", textwrap::fill(&ended_early(why), prose));
    }
    for sentence in &record.unit {
        let options = textwrap::Options::new(prose).initial_indent("- ").subsequent_indent("  ");
        let _ = writeln!(text, "{}", textwrap::fill(sentence, options));
    }
    let rows: Vec<_> = record.flows.iter().map(|flow| rows(flow, record.rtt_ms)).collect();
    // All tables have the same columns, or there are none.
    let widths = widths(rows.iter().flatten());
    let fits = widths.iter().sum::<usize>() + GAP * (widths.len() - 1) <= width;
    for (flow, rows) in record.flows.iter().zip(&rows) {
        let _ = writeln!(text, "\n{}", textwrap::fill(&title(flow), prose));
        if fits {
            for row in [&heads()].into_iter().chain(rows) {
                let _ = writeln!(text, "{}", table_row(row, &widths));
            }
        } else {
            sentences(&mut text, flow, record.rtt_ms, width);
        }
        if let Some(why) = flow.states.iter().find_map(|one| one.never.as_ref()) {
            note(&mut text, &format!("Never stale: {why}."), prose);
        }
        if flow.is_lost_when_stale() {
            note(&mut text, LOST, prose);
        }
    }
    larger(&mut text, &record.larger, record.rtt_ms, prose);
    text
}

fn title(flow: &FlowRecord) -> String {
    format!("{} [{}]. {}.", flow.title, flow.id, owner(flow.owner.as_deref()))
}

fn heads() -> Vec<String> {
    let first = ["state", "proposal"].into_iter().chain(COLUMNS).chain(["ends"]);
    first.map(str::to_owned).collect()
}

/// The states that occur, in the order of the record.
fn occurring(flow: &FlowRecord) -> impl Iterator<Item = &StateRecord> {
    flow.states.iter().filter(|one| one.never.is_none())
}

fn rows(flow: &FlowRecord, rtt_ms: f64) -> Vec<Vec<String>> {
    occurring(flow)
        .map(|one| {
            let mark = if one.drawn.is_some() { " *" } else { "" };
            let mut row = vec![format!("{}{mark}", state(one)), one.protocol.clone()];
            row.extend(cells(&one.expected, &one.worst, rtt_ms));
            row.push(of_cells(one.of_cells, |of| of.requests));
            row.push(ends(&one.ends()));
            row
        })
        .collect()
}

fn widths<'a>(rows: impl Iterator<Item = &'a Vec<String>>) -> Vec<usize> {
    let mut widths: Vec<_> = heads().iter().map(|head| head.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    widths
}

fn table_row(row: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (at, (cell, width)) in row.iter().zip(widths).enumerate() {
        // Words stand at the left, numbers at the right.
        let _ = match at {
            0 | 1 => write!(text, "{cell:<width$}"),
            _ => write!(text, "{cell:>width$}"),
        };
        text.push_str(&" ".repeat(GAP));
    }
    text.trim_end().to_owned()
}

fn sentences(text: &mut String, flow: &FlowRecord, rtt_ms: f64, width: usize) {
    let mut before = None;
    for one in occurring(flow) {
        if before.replace(one.state) != Some(one.state) {
            let mark = if one.drawn.is_some() { " *" } else { "" };
            let _ = writeln!(text, "  {}{mark}", state(one));
        }
        let figures = line(&one.expected, &one.worst, rtt_ms);
        let formula = of_cells(one.of_cells, |of| of.requests);
        let formula = if formula.ends_with("/N") {
            format!("; with N cells {formula} requests")
        } else {
            String::new()
        };
        let sentence = format!("{figures}{formula}; ends with {}", ends(&one.ends()));
        let name = format!("    {:<10} ", one.protocol);
        let options = textwrap::Options::new(width)
            .initial_indent(&name)
            .subsequent_indent("               ");
        let _ = writeln!(text, "{}", textwrap::fill(&sentence, options));
    }
}

/// A sentence below the table of a flow.
fn note(text: &mut String, sentence: &str, width: usize) {
    let options = textwrap::Options::new(width).initial_indent("  ").subsequent_indent("  ");
    let _ = writeln!(text, "{}", textwrap::fill(sentence, options));
}

fn larger(text: &mut String, larger: &Larger, rtt_ms: f64, prose: usize) {
    let _ = writeln!(text, "\nN cells in each region");
    let head = format!(
        "A visit with {} % of places that the router has never seen and, in learning, {} % of the \
         others whose entry has expired (together misses), and {} % of requests for what Cons 9 \
         sends to the latest deployment (unknown): (1 \u{2212} unknown) \u{d7} ((1 \u{2212} misses) \
         \u{d7} warm + misses \u{d7} cold) + unknown \u{d7} ((1 \u{2212} misses) \u{d7} warm latest + misses \
         \u{d7} cold latest). Requests and pre-flights count alike:",
        number(larger.misses * 100.0),
        number(larger.expired * 100.0),
        number(larger.unknown * 100.0)
    );
    let _ = writeln!(text, "{}", textwrap::fill(&head, prose));
    for way in &larger.ways {
        let all = |of: [OfCells; 2]| {
            // A formula is not broken.
            of.map(|of| of_cells(of, |of| of.requests + of.preflights).replace(' ', "\u{a0}"))
        };
        let ([cold, warm], [cold_latest, warm_latest]) = (all(way.visit), all(way.latest));
        let terms = format!(
            "{}: cold {cold}, warm {warm}, cold latest {cold_latest}, warm latest {warm_latest}; \
             crossings add {}, and Cell US0 gets {}",
            way_title(way).join(", owner "),
            over_sizes(way, |of| milliseconds(of.crossings * rtt_ms)),
            over_sizes(way, |of| precise(of.at_us0))
        );
        let terms = textwrap::fill(
            &terms,
            textwrap::Options::new(prose).initial_indent("  ").subsequent_indent("    "),
        );
        let _ = writeln!(text, "{}", terms.replace('\u{a0}', " "));
    }
    for part in 0..2 {
        let head = if part == 0 { "" } else { "N" };
        let _ = write!(text, "{head:>8}");
        for way in &larger.ways {
            let _ = write!(text, "{:>12}", way_title(way)[part]);
        }
        text.push('\n');
    }
    let sizes = larger.ways.first().map(|way| way.sizes.len()).unwrap_or_default();
    for at in 0..sizes {
        let row: Vec<_> = larger.ways.iter().filter_map(|way| way.sizes.get(at)).collect();
        let _ = write!(text, "{:>8}", row.first().map_or(0, |(cells, _)| *cells));
        for (_, of) in row {
            // One below the other, so with all decimals.
            let _ = write!(text, "{:>12.3}", of.requests + of.preflights);
        }
        text.push('\n');
    }
    let _ = writeln!(text, "\n* The documents draw this state.");
}

/// The proposal, and where the owner is.
fn way_title(way: &Way) -> [&str; 2] {
    let owner = match way.owner {
        Owner::Home => "at home",
        Owner::Abroad => "abroad",
    };
    [&way.protocol, owner]
}

/// A figure from the smallest installation to the largest.
fn over_sizes(way: &Way, figure: impl Fn(&Figures) -> String) -> String {
    let mut shown: Vec<_> = way.sizes.iter().map(|(_, of)| figure(of)).collect();
    shown.dedup();
    match shown.as_slice() {
        [first, .., last] => format!("{first} to {last}"),
        _ => shown.concat(),
    }
}
