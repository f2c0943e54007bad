//! What the router costs, where it was measured.

use maud::{Markup, html};

use super::shown::capital;
use crate::engine::record::{Compared, CostMeasurement, CostRecord, RunRecord, Spread};

/// Renders the cost; nothing if the report has none.
pub(super) fn render(report: &RunRecord) -> Markup {
    let Some(cost) = &report.cost else { return html! {} };
    html! {
        h2 #cost { "Cost beside the direct way" }
        p {
            "What the router adds to a request that goes straight to the cell: router by direct, \
             the median of " (cost.rounds) " rounds with the lowest and the highest. It is no \
             part of the verdict, and tells nothing about another machine."
        }
        div.tw {
            table.cost {
                thead {
                    tr {
                        th scope="col" { "Protocol, cache, connections" }
                        th scope="col" { "Median time" }
                        th scope="col" { "99th percentile" }
                        th scope="col" { "Requests each second" }
                    }
                }
                tbody { @for one in &cost.measurements { (row(one)) } }
            }
        }
        p.over { (measured(cost)) }
    }
}

fn row(one: &CostMeasurement) -> Markup {
    html! {
        tr {
            th scope="row" {
                (capital(&one.protocol)) ", " (one.cache) ", " (one.connections)
                br; small { (one.requests) " requests" }
            }
            td { (compared(&one.p50_us, microseconds)) }
            td { (compared(&one.p99_us, microseconds)) }
            td { (compared(&one.per_second, |rate| format!("{rate:.0}"))) }
        }
    }
}

/// The ratio with its spread, then both quantities.
fn compared(of: &Compared, shown: impl Fn(f64) -> String) -> Markup {
    let Spread { lowest, median, highest } = of.ratio;
    html! {
        b { (format!("{median:.2}")) } " \u{d7} "
        small { (format!("({lowest:.2} to {highest:.2})")) }
        br; small { (shown(of.router)) " beside " (shown(of.direct)) }
    }
}

fn microseconds(time: f64) -> String {
    if time < 1000.0 { format!("{time:.0} \u{b5}s") } else { format!("{:.1} ms", time / 1000.0) }
}

fn measured(cost: &CostRecord) -> String {
    let machine = &cost.machine;
    let processor = if machine.processor.is_empty() { "a processor" } else { &machine.processor };
    let load = match (machine.load_before.first(), machine.load_after.first()) {
        (Some(before), Some(after)) => {
            format!(", load {before:.1} before and {after:.1} after")
        }
        _ => String::new(),
    };
    format!(
        "Measured of {} on {}, {} s, {}, {} of {processor}{load}.",
        cost.router,
        cost.began,
        cost.took_ms / 1000,
        machine.platform,
        machine.processors
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::sample;
    use super::*;
    use crate::engine::record::{COST_VERSION, MachineRecord};

    #[test]
    fn ratios_stand_with_their_spread_and_what_they_are_of() {
        let of = |direct: f64, router: f64| Compared {
            direct,
            router,
            ratio: Spread { lowest: 1.5, median: router / direct, highest: 2.5 },
        };
        let mut report = sample::report();
        assert_eq!(render(&report).into_string(), "");
        report.cost = Some(CostRecord {
            version: COST_VERSION,
            suite: "0.1.0".to_owned(),
            router: "<Waypoint>".to_owned(),
            began: "2026-01-02T03:04:05Z".to_owned(),
            took_ms: 9000,
            machine: MachineRecord {
                platform: "linux-x86_64".to_owned(),
                processor: String::new(),
                processors: 2,
                load_before: vec![0.5],
                load_after: vec![1.0],
            },
            rounds: 5,
            measurements: vec![CostMeasurement {
                protocol: "buffering".to_owned(),
                cache: "cold".to_owned(),
                connections: 4,
                requests: 100,
                failures: 0,
                p50_us: of(100.0, 200.0),
                p99_us: of(2000.0, 5000.0),
                per_second: of(1000.0, 500.0),
            }],
        });
        let page = super::super::render(&report);
        for part in [
            "<b>2.00</b> \u{d7} <small>(1.50 to 2.50)</small>",
            "200 \u{b5}s beside 100 \u{b5}s",
            "5.0 ms beside 2.0 ms",
            "500 beside 1000",
            "&lt;Waypoint&gt;",
            "load 0.5 before and 1.0 after",
        ] {
            assert!(page.contains(part), "{part}");
        }
    }
}
