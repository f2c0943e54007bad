//! One round of visits: a cold fleet, a cold router, and every project visited once or twice; and the
//! times of all visits by situation.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::population::Visibility;
use cell_fleet::{CellId, Region};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::{Trial, mean};
use crate::measurement::NotMeasured;
use crate::visitor::{Page, VISIT_TIMEOUT, Visitor, session};
use conformance_suite::engine::FirstFew;
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage};

const VISITORS: usize = 200;
const OUTSIDER: &str = "gabe";
const MEMBER: &str = "anna";
/// The time of a hop inside the router's region, as the documents assume.
pub(super) const IN_REGION: Duration = Duration::from_millis(10);
/// The time of a hop to another region and back, as the documents assume.
const ACROSS: Duration = Duration::from_millis(60);

/// A private and a missing project: their paths, and what is known of them.
#[derive(Clone, Debug)]
struct Pair {
    /// Whether the cell is in another region.
    across: bool,
    /// Whether a member was there before.
    warm: bool,
    private: String,
    missing: String,
    /// Where a member was there before: the path of the other group, which the member visited too.
    beside: String,
    /// Whether the outsider visits the private project first.
    private_first: bool,
}

/// The people who visit: an outsider without access, and a member; a session of each.
struct People {
    visitor: Visitor,
    outsider: String,
    member: String,
}

/// Makes all visits of a round with this many pairs of projects in each situation.
pub(super) async fn run(
    trial: &Trial,
    projects: usize,
    launch: &Launch,
    times: &mut Times,
) -> Result<(), NotMeasured> {
    let (plan, pairs) = plan(trial, projects);
    let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
    let outcome = visit_all(&stage, &pairs, times).await;
    stage.clear(&[]).await?;
    outcome
}

fn plan(trial: &Trial, projects: usize) -> (ScenarioPlan, Vec<Pair>) {
    let mut plan = ScenarioPlan::documents(trial.protocol);
    plan.routers.push(Region::eu());
    plan.settings.not_found_delay_ms = u64::try_from(trial.delay.as_millis()).unwrap_or(u64::MAX);
    plan.fleet.latency.insert(Region::eu(), IN_REGION);
    plan.fleet.latency.insert(Region::us(), ACROSS);
    let mut pairs = Vec::new();
    for (across, warm) in [(false, false), (false, true), (true, false), (true, true)] {
        for number in 0..projects {
            let name = format!(
                "{}-{}-{number}",
                if across { "across" } else { "near" },
                if warm { "warm" } else { "cold" }
            );
            let cell =
                if across { CellId::us(1) } else { CellId::eu(u8::from(number % 2 == 1).into()) };
            let (vault, other) = (format!("vault-{name}"), format!("other-{name}"));
            add_group(&mut plan, &vault, &cell);
            let beside = format!("/{other}/secret");
            // Of a group that exists, unless a delay has to hide the hops.
            let missing = if trial.delay.is_zero() {
                add_group(&mut plan, &other, &cell);
                format!("/{other}/missing")
            } else {
                beside.clone()
            };
            let private = format!("/{vault}/secret");
            let private_first = rand::random();
            pairs.push(Pair { across, warm, private, missing, beside, private_first });
        }
    }
    // In random order, so that a load of the machine that comes and goes affects all situations
    // alike.
    pairs.sort_by_cached_key(|_| rand::random::<u64>());
    (plan, pairs)
}

fn add_group(plan: &mut ScenarioPlan, path: &str, cell: &CellId) {
    let population = &mut plan.fleet.population;
    population.add_namespace(path, cell.clone(), Visibility::Private);
    // The namespace was just added, so neither can fail.
    let _ = population.add_project(&format!("{path}/secret"), "Secret", Visibility::Private);
    let _ = population.add_member(path, MEMBER);
}

async fn visit_all(stage: &Stage, pairs: &[Pair], times: &mut Times) -> Result<(), NotMeasured> {
    let people = People {
        visitor: Visitor::new(stage, Some(VISIT_TIMEOUT))?,
        outsider: session(stage, OUTSIDER).await?,
        member: session(stage, MEMBER).await?,
    };
    let times = RefCell::new(times);
    let visits = stream::iter(pairs).map(|pair| pair.visit(&people, &times));
    visits.buffer_unordered(VISITORS).try_collect().await
}

impl Pair {
    /// Makes all visits, one after the other.
    async fn visit(&self, people: &People, times: &RefCell<&mut Times>) -> Result<(), NotMeasured> {
        let Self { across, warm, .. } = *self;
        if warm {
            let (took, seen) = timed(people, &people.member, &self.private).await?;
            if seen.status == 200 {
                times.borrow_mut().pages.push(took);
            }
            timed(people, &people.member, &self.beside).await?;
        }
        for second in [false, true] {
            for is_private in [self.private_first, !self.private_first] {
                let path = if is_private { &self.private } else { &self.missing };
                let (took, seen) = timed(people, &people.outsider, path).await?;
                let situation = Situation { across, warm, second };
                times.borrow_mut().add(situation, is_private, took, seen);
            }
        }
        Ok(())
    }
}

async fn timed(
    people: &People,
    session: &str,
    path: &str,
) -> Result<(Duration, Page), NotMeasured> {
    let began = Instant::now();
    let page = people.visitor.visit(path, Some(session)).await;
    let took = began.elapsed();
    let page = page.map_err(|why| NotMeasured::Router(format!("a visit to {path}: {why}")))?;
    Ok((took, page))
}

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
