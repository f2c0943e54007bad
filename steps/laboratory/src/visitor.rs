//! Who visits a router in measurements: one client, whatever is measured.

use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{Region, wire};
use conformance_suite::people::plain_http;
use conformance_suite::stage::Stage;
use reqwest::header::COOKIE;
use reqwest::{Client, Method, RequestBuilder};

/// Longer than any visit takes to a router that responds.
pub(crate) const VISIT_TIMEOUT: Duration = Duration::from_secs(20);

/// A client with connections of its own to one router.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    http: Client,
    at: SocketAddr,
}

/// A response that came whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page {
    pub(crate) status: u16,
    /// The names of its fields, sorted.
    pub(crate) fields: Vec<String>,
    pub(crate) body: String,
}

/// Why no response came whole.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPage {
    /// Its body broke off.
    #[error("the page broke off, with status {0}: {1}")]
    BrokeOff(u16, String),
    /// It did not come at all.
    #[error("no response: {0}")]
    Nothing(String),
}

impl Visitor {
    /// A client for the router in Europe. A visit may last this long, if there is a limit.
    pub(crate) fn new(stage: &Stage, limit: Option<Duration>) -> Result<Self, String> {
        let http = limit.into_iter().fold(plain_http(), reqwest::ClientBuilder::timeout);
        let http = http.build().map_err(|error| error.to_string())?;
        Ok(Self { http, at: stage.router_at(&Region::eu()) })
    }

    /// A request, marked as that of a user.
    pub(crate) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("http://{}{path}", self.at));
        request.header(wire::CONFORMANCE_ID, "measurement")
    }

    /// Visits a page, with the cookie of a [`session`] or without one.
    pub(crate) async fn visit(&self, path: &str, session: Option<&str>) -> Result<Page, NoPage> {
        let request = self.request(Method::GET, path);
        let request = session.into_iter().fold(request, |it, cookie| it.header(COOKIE, cookie));
        let response = request.send().await;
        let response = response.map_err(|error| NoPage::Nothing(error.to_string()))?;
        let status = response.status().as_u16();
        let mut fields: Vec<_> = response.headers().keys().map(ToString::to_string).collect();
        fields.sort_unstable();
        match response.text().await {
            Ok(body) => Ok(Page { status, fields, body }),
            Err(error) => Err(NoPage::BrokeOff(status, error.to_string())),
        }
    }
}

/// The process group of the router in Europe.
pub(crate) fn leader(stage: &Stage) -> Result<i32, String> {
    stage.router_process(&Region::eu()).ok_or_else(|| "the router is gone".to_owned())
}

/// Signs somebody in: the cookie of the session.
pub(crate) async fn session(stage: &Stage, person: &str) -> Result<String, String> {
    let cookie = stage.fleet.sign_in(person).await.map_err(|error| error.to_string())?;
    Ok(format!("{}={}", cookie.name, cookie.value))
}
