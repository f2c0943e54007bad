//! The costs as text for a terminal: a sentence for each flow, state and proposal.

use super::figures::Figures;
use super::record::FlowsRecord;
use super::words::{ended_early, ends, line, milliseconds, place, precise, state};
use conformance_suite::report::{Screen, sentence};

/// The costs in words.
pub fn text(record: &FlowsRecord, screen: &Screen) -> String {
    let rtt_ms = record.rtt_ms;
    let mut lines = vec![format!(
        "What the flows of the documents cost, counted in runs of this router: {}. A round trip \
         between the regions takes {}. Each figure is the mean over the cells that the router can \
         pick; the worst is in parentheses. `--html` writes a page with every exchange.",
        record.router,
        milliseconds(rtt_ms)
    )];
    lines.extend(record.ended_early.as_deref().map(ended_early));
    for flow in &record.flows {
        lines.extend([String::new(), flow.title.clone()]);
        for one in flow.states.iter().filter(|one| one.never.is_none()) {
            lines.push(format!(
                "{}, {}: {}; ends with {}",
                state(one),
                one.protocol,
                line(&one.expected, &one.worst, rtt_ms),
                ends(&one.ends())
            ));
        }
    }
    let head = "Requests and pre-flights of a mean visit, by the number of cells in each region";
    lines.extend([String::new(), head.to_owned()]);
    for way in &record.larger.ways {
        let size = |(cells, of): &(u16, Figures)| {
            format!("{} with {cells} cells", precise(of.requests + of.preflights))
        };
        let sizes: Vec<_> = way.sizes.iter().map(size).collect();
        lines.push(format!("{}, owner {}: {}", way.protocol, place(way.owner), sizes.join(", ")));
    }
    lines.iter().map(|line| sentence(line, screen) + "\n").collect()
}
