//! Checks of the counters of a page, and of how long a write took.

use std::time::Duration;

use cell_fleet::CellId;

use super::responses::{asked, last_response};
use super::{Proof, ensure};
use crate::trace::{Gate, Trace};

/// To-do items, issues and merge requests, as the top of a page counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// To-do items.
    pub todos: u64,
    pub issues: u64,
    pub merge_requests: u64,
}

impl Counts {
    /// The counters of a page; none where one of them is missing.
    fn on_page(page: &str) -> Option<Self> {
        let counter = |name: &str| {
            let (_, rest) = page.split_once(&format!("<span id=\"{name}\">"))?;
            rest.split_once('<')?.0.parse().ok()
        };
        Some(Self {
            todos: counter("todos")?,
            issues: counter("issues")?,
            merge_requests: counter("merge-requests")?,
        })
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { todos, issues, merge_requests } = self;
        write!(f, "{todos} to-do items, {issues} issues and {merge_requests} merge requests")
    }
}

/// The last page of a person has these counters, or others, as wanted. A page without counters has
/// others.
pub fn counts(trace: &Trace, person: &str, expected: Counts, wanted: bool) -> Proof {
    let (_, request, response) = last_response(trace, person)?;
    ensure(response.status == 200, || format!("{} received {}", asked(request), response.status))?;
    let found = Counts::on_page(&response.body.text());
    ensure((found == Some(expected)) == wanted, || match found {
        Some(found) => format!("the page of {} counts {found}", asked(request)),
        None => format!("the page of {} has no counters", asked(request)),
    })
}

/// Each write of one cell to a schema took at least this much longer than each of another cell, and
/// its user waited for it. All bounds are lower bounds, and the journal has the times of the
/// writes: no load changes the verdict.
pub fn write_took_longer(
    trace: &Trace,
    far: &CellId,
    near: &CellId,
    schema: &str,
    by_ms: u64,
) -> Proof {
    let by = Duration::from_millis(by_ms);
    let ways = |cell: &CellId| -> Result<Vec<Duration>, String> {
        let accesses = trace.databases.iter().map(|(_, access)| access);
        let ways: Vec<_> = accesses
            .filter(|access| access.write && access.schema == schema && access.cell == *cell)
            .collect();
        ensure(!ways.is_empty(), || format!("{cell} wrote nothing to {schema}"))?;
        Ok(ways.into_iter().map(|access| access.under_way).collect())
    };
    let longest = ways(near)?.into_iter().max().unwrap_or_default();
    let shortest = ways(far)?.into_iter().min().unwrap_or_default();
    ensure(shortest >= longest + by, || {
        format!(
            "a write of {far} to {schema} was under way for {shortest:?}, and one of {near} \
             for {longest:?}"
        )
    })?;
    for (_, request) in trace.acted().filter(|(_, request)| request.gate == Gate::Cell(far.clone()))
    {
        request.received()?;
        let took = request.elapsed_ms.ok_or("how long the response took is not known")?;
        ensure(took >= by_ms, || {
            format!(
                "{} had a response after {took} ms, before the primary can have had the write",
                asked(request)
            )
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::made::Made;

    const THESE: Counts = Counts { todos: 3, issues: 2, merge_requests: 1 };

    #[test]
    fn a_refused_page_has_no_counters() {
        let mut made = Made::default();
        let user = made.sends("anna", "/a");
        made.gets(user, Ok((404, "")));
        assert!(counts(&made.trace, "anna", THESE, false).is_err());
    }
}
