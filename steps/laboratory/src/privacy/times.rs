//! The times of all visits by situation, and whether the responses are alike.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::mean;
use crate::visitor::Page;
use conformance_suite::engine::FirstFew;

/// A situation in which private and missing projects are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Situation {
    /// Whether the cell is in another region.
    pub(super) across: bool,
    /// Whether a member was there before.
    pub(super) warm: bool,
    /// Whether the outsider visits for the second time.
    pub(super) second: bool,
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let region = if self.across { "across" } else { "in region" };
        let cache = if self.warm { "warm" } else { "cold" };
        let visit = if self.second { "second" } else { "first" };
        write!(f, "{region}, {cache}, {visit} visit")
    }
}

/// All visits so far.
#[derive(Debug, Default)]
pub(super) struct Times {
    /// Times of private and of missing projects.
    found: BTreeMap<Situation, (Vec<Duration>, Vec<Duration>)>,
    /// Times of pages that the member sees.
    pages: Vec<Duration>,
    /// The first response; all others must be like it, whether the project is private or missing.
    first: Option<Page>,
    unlike: FirstFew,
}

impl Times {
    /// The times of private and of missing projects in each situation.
    pub(super) fn situations(&self) -> impl Iterator<Item = (Situation, &[Duration], &[Duration])> {
        self.found.iter().map(|(situation, (private, missing))| {
            (*situation, private.as_slice(), missing.as_slice())
        })
    }

    /// Responses that differ from the first one, in words.
    pub(super) fn unlike(&self) -> Vec<String> {
        self.unlike.words()
    }

    /// Mean times of a 404 and of a page.
    pub(super) fn cost(&self) -> (Duration, Duration) {
        let refused: Vec<_> = self
            .found
            .values()
            .flat_map(|(private, missing)| private.iter().chain(missing))
            .copied()
            .collect();
        (mean(&refused), mean(&self.pages))
    }

    pub(super) fn add_page(&mut self, took: Duration) {
        self.pages.push(took);
    }

    pub(super) fn add(
        &mut self,
        situation: Situation,
        is_private: bool,
        took: Duration,
        observed: Page,
    ) {
        let (private, missing) = self.found.entry(situation).or_default();
        if is_private {
            private.push(took)
        } else {
            missing.push(took)
        }
        let first = self.first.get_or_insert_with(|| Page { status: 404, ..observed.clone() });
        if *first != observed {
            let project = if is_private { "private" } else { "missing" };
            self.unlike.add(|| {
                let difference = difference(first, &observed);
                format!("{situation}, {project} project: {difference}")
            });
        }
    }
}

fn difference(first: &Page, other: &Page) -> String {
    if first.status != other.status {
        format!("status {} instead of {}", other.status, first.status)
    } else if first.fields != other.fields {
        format!("fields {} instead of {}", other.fields.join(" "), first.fields.join(" "))
    } else {
        "another body".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLD: Situation = Situation { across: false, warm: false, second: false };

    fn observed(status: u16, body: &str) -> Page {
        Page { status, fields: Vec::new(), body: body.to_owned() }
    }

    #[test]
    fn a_response_that_differs_is_told() {
        let mut times = Times::default();
        for observed in [observed(404, "a"), observed(404, "b"), observed(403, "a")] {
            times.add(COLD, false, Duration::ZERO, observed);
        }
        assert_eq!(
            times.unlike(),
            [
                "in region, cold, first visit, missing project: another body",
                "in region, cold, first visit, missing project: status 403 instead of 404",
            ]
        );
    }

    #[test]
    fn a_first_response_with_another_status_is_told() {
        let mut times = Times::default();
        times.add(COLD, true, Duration::ZERO, observed(200, ""));
        assert_eq!(times.unlike().len(), 1);
    }
}
