//! One round of visits: a cold fleet, a cold router, and every place visited once or twice.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cell_fleet::population::Visibility;
use cell_fleet::{CellId, Protocol, Region, wire};
use futures_util::StreamExt;
use futures_util::stream;

use super::{ACROSS, IN_REGION, mean};
use crate::first_few::FirstFew;
use crate::people::plain_http;
use crate::plan::ScenarioPlan;
use crate::stage::{Launch, Stage};

/// Who may not see the private places, and who may.
const OUTSIDER: &str = "gabe";
const MEMBER: &str = "anna";
/// How long a visit may take before it counts as unanswered.
const PATIENCE: Duration = Duration::from_secs(20);

/// Which two places are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A private project, and one that does not exist, of groups that both exist.
    OneGroup,
    /// A private project, and one of a group that does not exist.
    TwoGroups,
}

/// What one round does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) protocol: Protocol,
    pub(super) delay: Duration,
    pub(super) visitors: usize,
    pub(super) places: usize,
    pub(super) shape: Shape,
}

/// A situation in which two places are compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Situation {
    across: bool,
    warm: bool,
    second: bool,
}

impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.across { "across" } else { "in region" };
        let cache = if self.warm { "warm" } else { "cold" };
        let visit = if self.second { "second" } else { "first" };
        write!(f, "{place}, {cache}, {visit} visit")
    }
}

/// All times so far.
#[derive(Debug, Default)]
pub(super) struct Times {
    found: BTreeMap<Situation, (Vec<Duration>, Vec<Duration>)>,
    /// Times of pages that the member sees.
    pages: Vec<Duration>,
    /// The first response, to which all others must be alike.
    first: Option<Look>,
    unlike: FirstFew,
}

/// What of a response must be the same for a private and a missing place: status, names of fields,
/// body.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Look {
    status: u16,
    fields: Vec<String>,
    body: String,
}

struct Seen {
    took: Duration,
    look: Look,
}

impl Times {
    pub(super) fn situations(&self) -> impl Iterator<Item = (Situation, &[Duration], &[Duration])> {
        self.found.iter().map(|(situation, (private, missing))| {
            (*situation, private.as_slice(), missing.as_slice())
        })
    }

    /// Responses that were not like the first one, in words.
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

    fn add(&mut self, situation: Situation, is_private: bool, seen: Seen) {
        let (private, missing) = self.found.entry(situation).or_default();
        if is_private {
            private.push(seen.took)
        } else {
            missing.push(seen.took)
        }
        let first = self.first.get_or_insert_with(|| Look { status: 404, ..seen.look.clone() });
        if *first != seen.look {
            let place = if is_private { "private" } else { "missing" };
            self.unlike
                .add(|| format!("{situation}, {place} place: {}", differences(first, &seen.look)));
        }
    }
}

fn differences(first: &Look, other: &Look) -> String {
    if first.status != other.status {
        format!("status {} instead of {}", other.status, first.status)
    } else if first.fields != other.fields {
        format!("fields {} instead of {}", other.fields.join(" "), first.fields.join(" "))
    } else {
        "another body".to_owned()
    }
}

/// A pair of places, and what is known of them.
#[derive(Clone, Debug)]
struct Pair {
    across: bool,
    warm: bool,
    private: String,
    missing: String,
    /// What a member visits beforehand beside the private place: what is there of the other group.
    beside: String,
    private_first: bool,
}

impl Round {
    /// Makes all visits of the round.
    pub(super) async fn run(&self, launch: &Launch, times: &mut Times) -> Result<(), String> {
        let (plan, pairs) = self.plan();
        let mut stage = Stage::start(plan, launch.clone(), Arc::default())
            .await
            .map_err(|fault| fault.to_string())?;
        let outcome = self.visit_all(&mut stage, pairs, times).await;
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
            for number in 0..self.places {
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
                if self.shape == Shape::OneGroup {
                    add_group(&mut plan, &other, &cell);
                }
                let beside = format!("/{other}/secret");
                let missing = match self.shape {
                    Shape::OneGroup => format!("/{other}/missing"),
                    Shape::TwoGroups => beside.clone(),
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
        // In turn, so that what disturbs the machine for a while disturbs all situations.
        pairs.sort_by_cached_key(|_| rand::random::<u64>());
        (plan, pairs)
    }

    async fn visit_all(
        &self,
        stage: &mut Stage,
        pairs: Vec<Pair>,
        times: &mut Times,
    ) -> Result<(), String> {
        let at = stage.router_at(&Region::eu());
        let visitor = Arc::new(Visitor::new(stage, at).await?);
        let mut visits = stream::iter(pairs.into_iter().map(|pair| {
            let visitor = visitor.clone();
            async move { visitor.pair(pair).await }
        }))
        .buffer_unordered(self.visitors);
        while let Some(seen) = visits.next().await {
            let (pair, visits, page) = seen?;
            times.pages.extend(page);
            for (second, is_private, seen) in visits {
                times.add(
                    Situation { across: pair.across, warm: pair.warm, second },
                    is_private,
                    seen,
                );
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

/// Whoever visits; a session of each person, and connections that are kept.
struct Visitor {
    http: reqwest::Client,
    at: SocketAddr,
    outsider: String,
    member: String,
}

impl Visitor {
    async fn new(stage: &Stage, at: SocketAddr) -> Result<Self, String> {
        let session = async |person: &str| {
            let cookie = stage.fleet().sign_in(person).await.map_err(|error| error.to_string())?;
            Ok::<_, String>(format!("{}={}", cookie.name, cookie.value))
        };
        let http = plain_http().timeout(PATIENCE).build().map_err(|error| error.to_string())?;
        Ok(Self { http, at, outsider: session(OUTSIDER).await?, member: session(MEMBER).await? })
    }

    /// All visits to a pair of places, one after the other.
    async fn pair(
        &self,
        pair: Pair,
    ) -> Result<(Pair, Vec<(bool, bool, Seen)>, Option<Duration>), String> {
        let mut page = None;
        if pair.warm {
            let seen = self.visit(&self.member, &pair.private).await?;
            page = (seen.look.status == 200).then_some(seen.took);
            self.visit(&self.member, &pair.beside).await?;
        }
        let mut seen = Vec::new();
        for second in [false, true] {
            for is_private in [pair.private_first, !pair.private_first] {
                let path = if is_private { &pair.private } else { &pair.missing };
                seen.push((second, is_private, self.visit(&self.outsider, path).await?));
            }
        }
        Ok((pair, seen, page))
    }

    async fn visit(&self, session: &str, path: &str) -> Result<Seen, String> {
        let unanswered =
            |error: reqwest::Error| format!("a visit to {path} got no response: {error}");
        let began = Instant::now();
        let request = self
            .http
            .get(format!("http://{}{path}", self.at))
            .header("Cookie", session)
            .header(wire::CONFORMANCE_ID, "privacy");
        let response = request.send().await.map_err(unanswered)?;
        let status = response.status().as_u16();
        let mut fields: Vec<_> =
            response.headers().keys().map(|name| name.as_str().to_owned()).collect();
        fields.sort_unstable();
        let body = response.text().await.map_err(unanswered)?;
        Ok(Seen { took: began.elapsed(), look: Look { status, fields, body } })
    }
}
