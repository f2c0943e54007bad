//! The users of a soak: what they ask for, and whether what they get is right.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cell_fleet::{Protocol, wire};

use super::trouble::{End, MOVING, Trouble};
use conformance_suite::engine::FirstFew;
use conformance_suite::ledger::RequirementId;
use conformance_suite::people::plain_http;

/// Places that stay where they are, spread over the cells.
pub(super) const PLACES: u64 = 200;
/// A page whose cell reads the request and never responds.
pub(super) const HANGS: &str = "/hangs/page";
/// A page whose response breaks off.
pub(super) const RESETS: &str = "/resets/page";
/// How often somebody asks for a page that hangs, and for one that breaks off.
const BAD_PAGES: Duration = Duration::from_millis(200);
/// One in this many requests is for the place that moves.
const MOVING_SHARE: u64 = 20;

/// The path of a place.
pub(super) fn place(number: u64) -> String {
    format!("/place-{number}/page")
}

/// Who asks, and what they may get.
#[derive(Debug)]
pub(super) struct Users {
    pub(super) protocol: Protocol,
    pub(super) at: SocketAddr,
    pub(super) trouble: Arc<Trouble>,
    /// The cookie of a session: a cell sends visitors to sign-in where a user gets its 404.
    pub(super) session: String,
    /// How long an entry lives.
    pub(super) ttl: Duration,
    /// How long any response may take: the router's own limits, and some more for a busy machine.
    pub(super) limit: Duration,
    /// What the router file lists as known to be violated.
    pub(super) known: BTreeSet<RequirementId>,
    next: AtomicU64,
}

/// What users got.
#[derive(Clone, Debug, Default)]
pub struct Got {
    /// Responses that are right.
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

    /// The first few failures in words.
    pub fn failures(&self) -> Vec<String> {
        self.failures.words()
    }
}

/// A response, as far as it is judged.
enum Response {
    Page { status: u16, page: String },
    BrokeOff(u16),
    Nothing(String),
}

impl Users {
    pub(super) fn new(
        protocol: Protocol,
        at: SocketAddr,
        trouble: Arc<Trouble>,
        session: String,
        ttl: Duration,
        limit: Duration,
        known: BTreeSet<RequirementId>,
    ) -> Self {
        Self { protocol, at, trouble, session, ttl, limit, known, next: AtomicU64::new(0) }
    }

    /// A client with its own connections.
    ///
    /// # Errors
    ///
    /// Where the library cannot make one, in words.
    pub(super) fn client(&self) -> Result<reqwest::Client, String> {
        plain_http().timeout(self.limit).build().map_err(|error| error.to_string())
    }

    /// One user, who asks for one page after the other until `until`. Requests begin `pause` apart,
    /// or as soon as the response has come where it takes longer.
    pub(super) async fn ask(
        &self,
        http: &reqwest::Client,
        until: End,
        pause: Option<Duration>,
    ) -> Got {
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
            self.one(http, &path, &mut got).await;
        }
        got
    }

    /// Somebody who asks for bad pages all the time, and does not wait for one before the next.
    pub(super) async fn ask_for_bad_pages(
        self: &Arc<Self>,
        http: &reqwest::Client,
        until: &End,
    ) -> Got {
        let mut turns = tokio::time::interval(BAD_PAGES);
        let mut asked = tokio::task::JoinSet::new();
        while !until.is_here() {
            turns.tick().await;
            for path in [HANGS, RESETS] {
                let (users, http) = (self.clone(), http.clone());
                asked.spawn(async move {
                    let mut got = Got::default();
                    users.one(&http, path, &mut got).await;
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

    async fn one(&self, http: &reqwest::Client, path: &str, got: &mut Got) {
        let from = Instant::now();
        let response = self.response(http, path).await;
        let until = Instant::now();
        got.longest = got.longest.max(until - from);
        match self.judge(path, &response, from, until) {
            Judged::Right => got.right += 1,
            Judged::Refused => got.refused += 1,
            Judged::Wrong(_) if self.is_known(violated(path)) => {
                if let Ok(id) = violated(path).parse() {
                    *got.known.entry(id).or_default() += 1;
                }
            }
            Judged::Wrong(why) => {
                got.wrong += 1;
                let id = violated(path);
                got.failures.add(|| format!("{id}: {path}: {why}, after {:?}", until - from));
            }
        }
    }

    async fn response(&self, http: &reqwest::Client, path: &str) -> Response {
        let request = http
            .get(format!("http://{}{path}", self.at))
            .header("Cookie", &self.session)
            .header(wire::CONFORMANCE_ID, "soak")
            .send();
        match request.await {
            Ok(response) => {
                let status = response.status().as_u16();
                match response.text().await {
                    Ok(page) => Response::Page { status, page },
                    Err(_) => Response::BrokeOff(status),
                }
            }
            Err(error) => Response::Nothing(error.to_string()),
        }
    }

    fn is_known(&self, id: &str) -> bool {
        self.known.iter().any(|known| known.as_str() == id)
    }

    fn judge(&self, path: &str, got: &Response, from: Instant, until: Instant) -> Judged {
        let refused = |status: &u16| matches!(status, 502..=504);
        let excused = self.trouble.was_down(from, until);
        match (path, got) {
            (HANGS, Response::Page { status, .. }) if refused(status) => Judged::Right,
            (RESETS, Response::BrokeOff(200)) => Judged::Right,
            (RESETS, Response::Page { status, .. }) if refused(status) => Judged::Right,
            (RESETS, Response::Page { status: 200, .. }) => {
                Judged::Wrong("the cell broke the page off, and it looks whole".to_owned())
            }
            (_, Response::Page { status: 200, page }) if page.contains(path) => Judged::Right,
            (_, Response::Page { status: 200, .. }) => {
                Judged::Wrong("the page of another path".to_owned())
            }
            // In learning an entry may lead to the former owner for as long as it lives (LN-13).
            (MOVING, Response::Page { status: 404, .. })
                if self.protocol == Protocol::Learning
                    && self.trouble.has_moved(from, until, self.ttl) =>
            {
                Judged::Refused
            }
            (_, Response::Page { status, .. }) if refused(status) && excused => Judged::Refused,
            (_, Response::BrokeOff(_)) if excused => Judged::Refused,
            (_, Response::Page { status, .. }) => Judged::Wrong(format!("status {status}")),
            (_, Response::BrokeOff(status)) => {
                Judged::Wrong(format!("status {status}, and the page broke off"))
            }
            (_, Response::Nothing(why)) => Judged::Wrong(format!("no response: {why}")),
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
        let users = Users::new(
            Protocol::Learning,
            SocketAddr::from(([127, 0, 0, 1], 1)),
            Arc::default(),
            String::new(),
            Duration::from_secs(2),
            Duration::from_secs(10),
            BTreeSet::new(),
        );
        let now = Instant::now();
        let page = |status, page: &str| Response::Page { status, page: page.to_owned() };
        let is_wrong = |path, got| matches!(users.judge(path, &got, now, now), Judged::Wrong(_));
        assert!(!is_wrong("/place-1/page", page(200, "this is /place-1/page")));
        assert!(is_wrong("/place-1/page", page(200, "this is /place-2/page")));
        assert!(is_wrong("/place-1/page", page(502, "")));
        assert!(is_wrong("/place-1/page", Response::BrokeOff(200)));
        assert!(is_wrong("/place-1/page", Response::Nothing("timed out".to_owned())));
        assert!(is_wrong(MOVING, page(404, "")));
        assert!(!is_wrong(HANGS, page(504, "")));
        assert!(is_wrong(HANGS, Response::Nothing("timed out".to_owned())));
        assert!(!is_wrong(RESETS, Response::BrokeOff(200)));
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
