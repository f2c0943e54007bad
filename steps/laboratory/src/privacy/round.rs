//! One round of visits: a cold fleet, a cold router, and every project visited once or twice.

use std::sync::Arc;
use std::time::Duration;

use cell_fleet::population::Visibility;
use cell_fleet::{CellId, Protocol, Region};
use futures_util::{StreamExt, stream};

use super::pair::{Pair, PairVisits, People};
use super::times::Times;
use crate::measurement::NotMeasured;
use crate::visitor::{VISIT_TIMEOUT, Visitor, session};
use conformance_suite::plan::ScenarioPlan;
use conformance_suite::stage::{Launch, Stage};

const OUTSIDER: &str = "gabe";
const MEMBER: &str = "anna";
/// The time of a hop inside the router's region, as the documents assume.
pub(super) const IN_REGION: Duration = Duration::from_millis(10);
/// The time of a hop to another region and back, as the documents assume.
const ACROSS: Duration = Duration::from_millis(60);

/// The two projects that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PairKind {
    /// A private project and a missing one, of groups that both exist.
    OneGroup,
    /// A private project, and a missing one of a group that does not exist.
    TwoGroups,
}

/// What one round does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) protocol: Protocol,
    /// Longest delay of a 404; zero leaves the capability off.
    pub(super) delay: Duration,
    /// Concurrent visitors.
    pub(super) visitors: usize,
    /// Pairs of projects in each situation.
    pub(super) projects: usize,
    pub(super) kind: PairKind,
}

impl Round {
    /// Makes all visits of the round.
    pub(super) async fn run(&self, launch: &Launch, times: &mut Times) -> Result<(), NotMeasured> {
        let (plan, pairs) = self.plan();
        let stage = Stage::start(plan, launch.clone(), Arc::default()).await?;
        let outcome = self.visit_all(&stage, pairs, times).await;
        stage.clear(&[]).await?;
        outcome
    }

    fn plan(&self) -> (ScenarioPlan, Vec<Pair>) {
        let mut plan = ScenarioPlan::documents(self.protocol);
        plan.routers.push(Region::eu());
        plan.settings.not_found_delay_ms =
            u64::try_from(self.delay.as_millis()).unwrap_or(u64::MAX);
        plan.fleet.latency.insert(Region::eu(), IN_REGION);
        plan.fleet.latency.insert(Region::us(), ACROSS);
        let mut pairs = Vec::new();
        for (across, warm) in [(false, false), (false, true), (true, false), (true, true)] {
            for number in 0..self.projects {
                let name = format!(
                    "{}-{}-{number}",
                    if across { "across" } else { "near" },
                    if warm { "warm" } else { "cold" }
                );
                let cell = if across {
                    CellId::us(1)
                } else {
                    CellId::eu(u8::from(number % 2 == 1).into())
                };
                let (vault, other) = (format!("vault-{name}"), format!("other-{name}"));
                add_group(&mut plan, &vault, &cell);
                if self.kind == PairKind::OneGroup {
                    add_group(&mut plan, &other, &cell);
                }
                let beside = format!("/{other}/secret");
                let missing = match self.kind {
                    PairKind::OneGroup => format!("/{other}/missing"),
                    PairKind::TwoGroups => beside.clone(),
                };
                pairs.push(Pair {
                    across,
                    warm,
                    private: format!("/{vault}/secret"),
                    beside,
                    missing,
                    private_first: rand::random(),
                });
            }
        }
        // In random order, so that a load of the machine that comes and goes affects all situations
        // alike.
        pairs.sort_by_cached_key(|_| rand::random::<u64>());
        (plan, pairs)
    }

    async fn visit_all(
        &self,
        stage: &Stage,
        pairs: Vec<Pair>,
        times: &mut Times,
    ) -> Result<(), NotMeasured> {
        let people = &People {
            visitor: Visitor::new(stage.router_at(&Region::eu()), Some(VISIT_TIMEOUT))?,
            outsider: session(stage, OUTSIDER).await?,
            member: session(stage, MEMBER).await?,
        };
        let visits = pairs.into_iter().map(|pair| async move { pair.visit(people).await });
        let mut pending = stream::iter(visits).buffer_unordered(self.visitors);
        while let Some(done) = pending.next().await {
            let PairVisits { visits, page } = done?;
            page.into_iter().for_each(|took| times.add_page(took));
            for (situation, is_private, visit) in visits {
                times.add(situation, is_private, visit);
            }
        }
        Ok(())
    }
}

fn add_group(plan: &mut ScenarioPlan, path: &str, cell: &CellId) {
    let population = &mut plan.fleet.population;
    population.add_namespace(path, cell.clone(), Visibility::Private);
    // The namespace was just added, so neither can fail.
    let _ = population.add_project(&format!("{path}/secret"), "Secret", Visibility::Private);
    let _ = population.add_member(path, MEMBER);
}
