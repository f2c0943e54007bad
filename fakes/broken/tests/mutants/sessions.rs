//! A tour of what cells do with sessions, by each way to keep them.

use std::time::Duration;

use cell_fleet::{
    CellId, Event, Fleet, FleetPlan, Protocol, ReplicationLag, SessionModel, SessionPlan,
    TokenForgery,
};

/// A fleet for each way, and one of JWTs without a list.
pub(crate) fn plans(protocol: Protocol) -> Vec<FleetPlan> {
    let models = SessionModel::ALL.map(SessionPlan::of).into_iter();
    let unlisted = SessionPlan { revocation_list: false, ..SessionPlan::of(SessionModel::Jwt) };
    models
        .chain([unlisted])
        .map(|session_plan| FleetPlan { session_plan, ..FleetPlan::documents(protocol) })
        .collect()
}

/// Signs in, out and everywhere out, changes a password, forges, waits; returns what was visible.
pub(crate) async fn tour(plan: FleetPlan, mutant: crate::Mutant) -> Vec<String> {
    let fleet = crate::start(plan, mutant).await;
    let mut tour = Tour { fleet: &fleet, seen: Vec::new() };
    // In learning, the pages of users are on EU0 and their settings on US0.
    let (us, eu) = (CellId::us(0), CellId::eu(0));
    let form = "username=anna&password=anna-password";
    fleet.set_replication_lag(ReplicationLag::UntilReleased).await.unwrap();
    let mut near = tour.signed_in(&eu, form).await;
    tour.everywhere(&near).await;
    fleet.release_replicas().await.unwrap();
    tour.everywhere(&near).await;
    for forgery in TokenForgery::ALL {
        tour.everywhere(&forgery.forge(&near)).await;
    }
    // The second session is ended on a cell of the other region.
    let far = tour.signed_in(&eu, form).await;
    for cell in [&us, &eu] {
        tour.ask(cell, "POST", "/users/sign_out", &far, "").await;
        tour.everywhere(&far).await;
    }
    let other = tour.signed_in(&eu, form).await;
    let new = "current_password=anna-password&password=new";
    let changed = tour.ask(&us, "POST", "/-/user_settings/password", &near, new).await;
    near = cookie_of(&changed).unwrap_or(near);
    for _ in 0..2 {
        tour.everywhere(&other).await;
        tour.everywhere(&near).await;
        fleet.installation().advance_clock(Duration::from_secs(200));
        let renewed = tour.ask(&eu, "GET", "/-/profile", &other, "").await;
        if let Some(renewed) = cookie_of(&renewed) {
            tour.everywhere(&renewed).await;
        }
    }
    tour.everywhere(&other).await;
    let late = tour.signed_in(&eu, "username=anna&password=new").await;
    tour.ask(&us, "POST", "/-/user_settings/active_sessions", &late, "").await;
    tour.everywhere(&late).await;
    let mut seen = std::mem::take(&mut tour.seen);
    let journal = fleet.journal().clone();
    fleet.stop().await.unwrap();
    seen.extend(journal.entries().into_iter().filter_map(|entry| match entry.event {
        Event::Database(access) => {
            Some(format!("{} {} {} {}", access.cell, access.server, access.table, access.write))
        }
        _ => None,
    }));
    seen
}

struct Tour<'a> {
    fleet: &'a Fleet,
    seen: Vec<String>,
}

impl Tour<'_> {
    async fn signed_in(&mut self, cell: &CellId, form: &str) -> String {
        let response = self.ask(cell, "POST", "/users/sign_in", "", form).await;
        cookie_of(&response).unwrap_or_default()
    }

    async fn everywhere(&mut self, session: &str) {
        for cell in self.fleet.cells() {
            self.ask(&cell.id, "GET", "/-/profile", session, "").await;
        }
    }

    async fn ask(
        &mut self,
        cell: &CellId,
        method: &str,
        target: &str,
        session: &str,
        form: &str,
    ) -> String {
        let request = format!(
            "{method} {target} HTTP/1.1\r\nHost: gitlab.example\r\nX-Conformance-Id: 1\r\n\
             Cookie: _gitlab_session={session}\r\nContent-Length: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n{form}",
            form.len()
        );
        let response = super::ask(self.fleet.cell(cell).unwrap().address, &request).await;
        let plain = super::without_date(&response);
        let plain = match cookie_of(&response) {
            Some(cookie) => plain.replace(&cookie, "..."),
            None => plain,
        };
        self.seen.push(format!("{method} {target} {cell}\n{plain}"));
        response
    }
}

/// The session that a response sets.
fn cookie_of(response: &str) -> Option<String> {
    let line = response.lines().find(|line| line.starts_with("Set-Cookie: _gitlab_"))?;
    let (_, value) = line.split_once('=')?;
    value.split(';').next().filter(|value| !value.is_empty()).map(str::to_owned)
}
