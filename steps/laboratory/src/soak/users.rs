//! The users of a soak: what they ask for, and whether what they get is right.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cell_fleet::Protocol;

use super::trouble::{End, MOVING, Trouble};
use crate::visitor::{NoPage, Page, Visitor};
use conformance_suite::engine::FirstFew;
use conformance_suite::ledger::RequirementId;

/// Places that stay where they are, spread over the cells.
pub(super) const PLACES: u64 = 200;
/// A page whose cell reads the request and never responds.
pub(super) const HANGS: &str = "/hangs/page";
pub(super) const RESETS: &str = "/resets/page";
/// How often somebody asks for a page that hangs, and for one that breaks off.
const BAD_PAGES: Duration = Duration::from_millis(200);
/// One in this many requests is for the place that moves.
const MOVING_SHARE: u64 = 20;

pub(super) fn place(number: u64) -> String {
    format!("/place-{number}/page")
}

/// Who asks, and what they may get.
#[derive(Debug)]
pub(super) struct Users {
    pub(super) protocol: Protocol,
    pub(super) trouble: Arc<Trouble>,
    /// The cookie of a session: a cell sends visitors to sign-in where a user gets its 404.
    pub(super) session: String,
    pub(super) ttl: Duration,
    /// What the router file lists as known to be violated.
    pub(super) known: BTreeSet<RequirementId>,
    pub(super) next: AtomicU64,
}

#[derive(Clone, Debug, Default)]
pub struct Got {
    pub right: u64,
    /// Refusals that trouble of a cell explains.
    pub refused: u64,
    /// What nothing explains, and the first few in words.
    pub wrong: u64,
    /// What the router file lists, by requirement.
    pub known: BTreeMap<RequirementId, u64>,
    pub(super) failures: FirstFew,
    /// The longest time until the end of a response.
    pub longest: Duration,
}

impl Got {
    pub(super) fn join(&mut self, other: Self) {
        self.right += other.right;
        self.refused += other.refused;
        self.wrong += other.wrong;
        for (id, count) in other.known {
            *self.known.entry(id).or_default() += count;
        }
        self.failures.join(other.failures);
        self.longest = self.longest.max(other.longest);
    }

    /// Whether more responses are right than the router file excuses: known failures are about
    /// single pages, and excuse no router that serves none.
    pub fn serves(&self) -> bool {
        self.right > self.known.values().sum()
    }

    pub fn failures(&self) -> Vec<String> {
        self.failures.words()
    }
}

impl Users {
    /// One user, who asks for one page after the other until `until`. Requests begin `pause` apart,
    /// or as soon as the response has come where it takes longer.
    pub(super) async fn ask(&self, visitor: &Visitor, until: End, pause: Option<Duration>) -> Got {
        let mut got = Got::default();
        let mut turns = pause.map(tokio::time::interval);
        if let Some(turns) = &mut turns {
            turns.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        }
        while !until.is_here() {
            if let Some(turns) = &mut turns {
                turns.tick().await;
            }
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = match number % MOVING_SHARE {
                0 => MOVING.to_owned(),
                _ => place(number % PLACES),
            };
            self.one(visitor, &path, &mut got).await;
        }
        got
    }

    /// Somebody who asks for bad pages all the time, and does not wait for one before the next.
    pub(super) async fn ask_for_bad_pages(self: &Arc<Self>, visitor: &Visitor, until: &End) -> Got {
        let mut turns = tokio::time::interval(BAD_PAGES);
        let mut asked = tokio::task::JoinSet::new();
        while !until.is_here() {
            turns.tick().await;
            for path in [HANGS, RESETS] {
                let (users, visitor) = (self.clone(), visitor.clone());
                asked.spawn(async move {
                    let mut got = Got::default();
                    users.one(&visitor, path, &mut got).await;
                    got
                });
            }
        }
        let mut all = Got::default();
        while let Some(got) = asked.join_next().await {
            match got {
                Ok(got) => all.join(got),
                Err(error) => all.failures.add(|| format!("a user ended: {error}")),
            }
        }
        all
    }

    async fn one(&self, visitor: &Visitor, path: &str, got: &mut Got) {
        let from = Instant::now();
        let response = visitor.visit(path, Some(&self.session)).await;
        let until = Instant::now();
        got.longest = got.longest.max(until - from);
        match self.judge(path, &response, from, until) {
            Judged::Right => got.right += 1,
            Judged::Refused => got.refused += 1,
            Judged::Wrong(why) => {
                let id = violated(path);
                if let Some(known) = self.known.iter().find(|known| known.as_str() == id) {
                    *got.known.entry(known.clone()).or_default() += 1;
                    return;
                }
                got.wrong += 1;
                got.failures.add(|| format!("{id}: {path}: {why}, after {:?}", until - from));
            }
        }
    }

    fn judge(
        &self,
        path: &str,
        got: &Result<Page, NoPage>,
        from: Instant,
        until: Instant,
    ) -> Judged {
        let refused = |status: &u16| matches!(status, 502..=504);
        let excused = self.trouble.was_down(from, until);
        match (path, got) {
            (HANGS | RESETS, Ok(Page { status, .. })) if refused(status) => Judged::Right,
            (RESETS, Err(NoPage::BrokeOff(200, _))) => Judged::Right,
            (RESETS, Ok(Page { status: 200, .. })) => {
                Judged::Wrong("the cell broke the page off, and it looks whole".to_owned())
            }
            (_, Ok(Page { status: 200, body, .. })) if body.contains(path) => Judged::Right,
            (_, Ok(Page { status: 200, .. })) => {
                Judged::Wrong("the page of another path".to_owned())
            }
            // In learning an entry may lead to the former owner for as long as it lives (LN-13).
            (MOVING, Ok(Page { status: 404, .. }))
                if self.protocol == Protocol::Learning
                    && self.trouble.has_moved(from, until, self.ttl) =>
            {
                Judged::Refused
            }
            (_, Ok(Page { status, .. })) if refused(status) && excused => Judged::Refused,
            (_, Err(NoPage::BrokeOff(..))) if excused => Judged::Refused,
            (_, Ok(Page { status, .. })) => Judged::Wrong(format!("status {status}")),
            (_, Err(why)) => Judged::Wrong(why.to_string()),
        }
    }
}

/// The requirement that a wrong response to a request for this path violates.
fn violated(path: &str) -> &'static str {
    match path {
        // The router responds in time for a cell that does not.
        HANGS => "Z-35",
        // A truncated response stays one.
        RESETS => "Z-41",
        // The user gets what the owner responds.
        _ => "RT-08",
    }
}

enum Judged {
    Right,
    Refused,
    Wrong(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_without_trouble_is_wrong_and_so_is_another_page() {
        let users = Users {
            protocol: Protocol::Learning,
            trouble: Arc::default(),
            session: String::new(),
            ttl: Duration::from_secs(2),
            known: BTreeSet::new(),
            next: AtomicU64::new(0),
        };
        let now = Instant::now();
        let page =
            |status, body: &str| Ok(Page { status, fields: Vec::new(), body: body.to_owned() });
        let broke_off = || Err(NoPage::BrokeOff(200, "reset".to_owned()));
        let nothing = || Err(NoPage::Nothing("timed out".to_owned()));
        let is_wrong = |path, got| matches!(users.judge(path, &got, now, now), Judged::Wrong(_));
        assert!(!is_wrong("/place-1/page", page(200, "this is /place-1/page")));
        assert!(is_wrong("/place-1/page", page(200, "this is /place-2/page")));
        assert!(is_wrong("/place-1/page", page(502, "")));
        assert!(is_wrong("/place-1/page", broke_off()));
        assert!(is_wrong("/place-1/page", nothing()));
        assert!(is_wrong(MOVING, page(404, "")));
        assert!(!is_wrong(HANGS, page(504, "")));
        assert!(is_wrong(HANGS, nothing()));
        assert!(!is_wrong(RESETS, broke_off()));
        // The cell broke it off.
        assert!(is_wrong(RESETS, page(200, "this is /resets/page")));
    }

    #[test]
    fn a_router_whose_known_failures_are_most_responses_does_not_serve() {
        let known = |count| BTreeMap::from([("RT-08".parse().unwrap(), count)]);
        let got = |right, count| Got { right, known: known(count), ..Got::default() };
        assert!(got(204, 26).serves());
        assert!(!got(204, 26_364).serves());
        assert!(!Got::default().serves());
    }

    #[test]
    fn what_each_page_shows_is_a_must_of_the_ledger() {
        use conformance_suite::ledger::{Ledger, Level};
        for path in [HANGS, RESETS, MOVING, "/place-1/page"] {
            let id = violated(path).parse().unwrap();
            assert_eq!(Ledger::embedded().level(&id), Level::Must, "{path}");
        }
    }
}
