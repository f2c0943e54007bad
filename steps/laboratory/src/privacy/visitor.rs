//! The people who visit: an outsider without access, and a member.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use cell_fleet::wire;

use super::times::{Observed, Visit};
use crate::measurement::NotMeasured;
use conformance_suite::people::plain_http;
use conformance_suite::stage::Stage;

const OUTSIDER: &str = "gabe";
pub(super) const MEMBER: &str = "anna";
/// Longer than any visit takes to a router that responds.
const VISIT_TIMEOUT: Duration = Duration::from_secs(20);

/// Both people: a session of each, and keep-alive connections.
pub(super) struct Visitor {
    http: reqwest::Client,
    at: SocketAddr,
    outsider: String,
    member: String,
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

/// The visits to a pair.
pub(super) struct PairVisits {
    pub(super) pair: Pair,
    /// The outsider's visits.
    pub(super) visits: Vec<PairVisit>,
    /// The time of the page that the member saw before, if there was one.
    pub(super) page: Option<Duration>,
}

/// A visit of the outsider.
pub(super) struct PairVisit {
    pub(super) second: bool,
    pub(super) is_private: bool,
    pub(super) visit: Visit,
}

impl Visitor {
    /// Signs both in, for visits to the router at this address.
    pub(super) async fn new(stage: &Stage, at: SocketAddr) -> Result<Self, String> {
        let session = async |person: &str| {
            let cookie = stage.fleet().sign_in(person).await.map_err(|error| error.to_string())?;
            Ok::<_, String>(format!("{}={}", cookie.name, cookie.value))
        };
        let http =
            plain_http().timeout(VISIT_TIMEOUT).build().map_err(|error| error.to_string())?;
        Ok(Self { http, at, outsider: session(OUTSIDER).await?, member: session(MEMBER).await? })
    }

    /// Makes all visits to a pair, one after the other.
    pub(super) async fn visit_pair(&self, pair: Pair) -> Result<PairVisits, NotMeasured> {
        let mut page = None;
        if pair.warm {
            let visit = self.visit(&self.member, &pair.private).await?;
            page = (visit.observed.status == 200).then_some(visit.took);
            self.visit(&self.member, &pair.beside).await?;
        }
        let mut visits = Vec::new();
        for second in [false, true] {
            for is_private in [pair.private_first, !pair.private_first] {
                let path = if is_private { &pair.private } else { &pair.missing };
                let visit = self.visit(&self.outsider, path).await?;
                visits.push(PairVisit { second, is_private, visit });
            }
        }
        Ok(PairVisits { pair, visits, page })
    }

    async fn visit(&self, session: &str, path: &str) -> Result<Visit, NotMeasured> {
        let no_response = |error: reqwest::Error| {
            NotMeasured::Router(format!("a visit to {path} got no response: {error}"))
        };
        let began = Instant::now();
        let request = self
            .http
            .get(format!("http://{}{path}", self.at))
            .header("Cookie", session)
            .header(wire::CONFORMANCE_ID, "privacy");
        let response = request.send().await.map_err(no_response)?;
        let status = response.status().as_u16();
        let mut fields: Vec<_> =
            response.headers().keys().map(|name| name.as_str().to_owned()).collect();
        fields.sort_unstable();
        let body = response.text().await.map_err(no_response)?;
        Ok(Visit { took: began.elapsed(), observed: Observed { status, fields, body } })
    }
}
