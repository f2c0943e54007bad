//! Cells in this process, asked over their sockets.

use cell_fleet::{CellId, Fleet, FleetPlan, Listen, Region, wire};
use reqwest::redirect::Policy;
use reqwest::{Client, Method};

/// A fleet, and who asks it.
pub(super) struct Cells {
    pub(super) fleet: Fleet,
    client: Client,
}

/// What a cell responded.
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) location: String,
    /// The redirect field: the cell that has the page.
    pub(super) redirect: Option<String>,
    /// The session that it sets.
    pub(super) session: Option<String>,
    pub(super) body: String,
}

impl Cells {
    pub(super) async fn start(plan: FleetPlan) -> Self {
        let fleet = Fleet::start(plan, Listen::Ephemeral).await.unwrap();
        let client = Client::builder().redirect(Policy::none()).no_proxy().build().unwrap();
        Self { fleet, client }
    }

    /// Lets the replicas follow, and waits until they have.
    pub(super) async fn release(&self) {
        self.fleet.release_replicas().await.unwrap();
        let last = self.fleet.log_position().await.unwrap();
        for region in [Region::us(), Region::eu()] {
            self.fleet.wait_until_replayed(&region, last).await.unwrap();
        }
    }

    /// Asks a cell with a session. A body makes it a POST: JSON, or otherwise a form.
    pub(super) async fn ask(
        &self,
        cell: &CellId,
        target: &str,
        session: &str,
        body: Option<&str>,
    ) -> Response {
        let url = format!("http://{}{target}", self.fleet.cell(cell).unwrap().address);
        let method = if body.is_some() { Method::POST } else { Method::GET };
        let mut request = self.client.request(method, url).header("Host", "gitlab.example");
        if !session.is_empty() {
            request = request.header("Cookie", format!("_gitlab_session={session}"));
        }
        if let Some(body) = body {
            let form = if body.starts_with('{') { "json" } else { "x-www-form-urlencoded" };
            request = request.header("Content-Type", format!("application/{form}"));
            request = request.body(body.to_owned());
        }
        let response = request.send().await.unwrap();
        let field = |name: &str| {
            let value = response.headers().get(name)?.to_str().ok()?;
            Some(value.to_owned())
        };
        let cookie = field("set-cookie").unwrap_or_default();
        let session = cookie.strip_prefix("_gitlab_session=").and_then(|it| it.split(';').next());
        let redirect = field(wire::CELL_REDIRECT);
        let (status, location) = (response.status().as_u16(), field("location"));
        Response {
            status,
            location: location.unwrap_or_default(),
            redirect,
            session: session.filter(|session| !session.is_empty()).map(str::to_owned),
            body: response.text().await.unwrap(),
        }
    }
}
