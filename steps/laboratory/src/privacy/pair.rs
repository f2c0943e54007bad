//! A private and a missing project, and all visits to both.

use std::time::{Duration, Instant};

use super::times::{Observed, Situation, Visit};
use crate::measurement::NotMeasured;
use crate::visitor::Visitor;

/// The people who visit: an outsider without access, and a member; a session of each.
pub(super) struct People {
    pub(super) visitor: Visitor,
    pub(super) outsider: String,
    pub(super) member: String,
}

/// A private and a missing project: their paths, and what is known of them.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// Whether the cell is in another region.
    pub(super) across: bool,
    /// Whether a member was there before.
    pub(super) warm: bool,
    pub(super) private: String,
    pub(super) missing: String,
    /// Where a member was there before: the path of the other group, which the member visited too.
    pub(super) beside: String,
    /// Whether the outsider visits the private project first.
    pub(super) private_first: bool,
}

pub(super) struct PairVisits {
    /// The outsider's visits, each with whether it is to the private project.
    pub(super) visits: Vec<(Situation, bool, Visit)>,
    /// The time of the page that the member saw before, if there was one.
    pub(super) page: Option<Duration>,
}

impl Pair {
    /// Makes all visits, one after the other.
    pub(super) async fn visit(&self, people: &People) -> Result<PairVisits, NotMeasured> {
        let Self { across, warm, .. } = *self;
        let mut page = None;
        if warm {
            let visit = timed(people, &people.member, &self.private).await?;
            page = (visit.observed.status == 200).then_some(visit.took);
            timed(people, &people.member, &self.beside).await?;
        }
        let mut visits = Vec::new();
        for second in [false, true] {
            for is_private in [self.private_first, !self.private_first] {
                let path = if is_private { &self.private } else { &self.missing };
                let visit = timed(people, &people.outsider, path).await?;
                visits.push((Situation { across, warm, second }, is_private, visit));
            }
        }
        Ok(PairVisits { visits, page })
    }
}

async fn timed(people: &People, session: &str, path: &str) -> Result<Visit, NotMeasured> {
    let began = Instant::now();
    let page = people.visitor.visit(path, Some(session)).await;
    let took = began.elapsed();
    let page = page.map_err(|why| NotMeasured::Router(format!("a visit to {path}: {why}")))?;
    let mut fields: Vec<_> = page.fields.keys().map(|name| name.as_str().to_owned()).collect();
    fields.sort_unstable();
    Ok(Visit { took, observed: Observed { status: page.status, fields, body: page.body } })
}
