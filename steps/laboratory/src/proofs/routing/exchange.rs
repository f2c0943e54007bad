//! The steps of one request, as they look in the exchange of a scenario.

use cell_fleet::{Protocol, wire};

use super::machine::{At, HOPS, State, Step};
use super::story::organization;
use super::{Routing, Status};
use crate::proofs::check::Claimed;

pub(crate) const GIVES_UP: &str = "router_eu-->>user: 508";

impl Routing {
    /// The next step of the one request in flight; none where there is none.
    pub(crate) fn drive(&self, state: &State) -> Option<Step> {
        let mut steps = Vec::new();
        self.steps(state, &mut steps);
        steps.into_iter().next().filter(|_| !state.requests.is_empty())
    }

    /// The arrows of a step of the one request in flight, for a page.
    pub(crate) fn arrows(&self, state: &State, step: &Step, path: &str) -> Vec<String> {
        let Some(request) = state.requests.first() else { return Vec::new() };
        let method = request.method.word();
        match (step, request.at) {
            (Step::Handle(_), At::Asks(cell)) => {
                let (owner, _) = request.owner(&state.world, cell);
                let answer = owner.map_or("404".to_owned(), |owner| {
                    let covered = organization(self.mover, &state.world).2[0];
                    format!("200 {{path: \"{covered}\", cell: \"{owner}\", source: \"routable\"}}")
                });
                vec![
                    "%% choice LN-17".to_owned(),
                    format!("router_eu->>{cell}: GET {{learn}}?method={method}&path_info={path}"),
                    format!("{cell}-->>router_eu: {answer}"),
                ]
            }
            (Step::Handle(_), At::To(cell)) => {
                let mut arrows = vec![format!("router_eu->>{cell}: {method} {path}")];
                let (owner, _) = request.owner(&state.world, cell);
                let bounces = self.protocol == Protocol::Buffering;
                if let Some(owner) = owner.filter(|owner| bounces && *owner != cell) {
                    let value = wire::redirect_value(&owner.id().name());
                    arrows
                        .push(format!("{cell}-->>router_eu: 302 {}={value}", wire::CELL_REDIRECT));
                    if request.hops == HOPS {
                        arrows.push(GIVES_UP.to_owned());
                    }
                }
                arrows
            }
            // What no cell knows goes to the latest deployment.
            (Step::Deliver { .. }, At::Told(_, None)) => {
                vec![format!("router_eu->>cell_us0: {method} {path}")]
            }
            (Step::Deliver { .. }, At::Back { status: Status::NotFound, newer: None, .. })
                if self.protocol == Protocol::Learning =>
            {
                vec!["cell_us0-->>user: 404".to_owned()]
            }
            (Step::Deliver { .. }, At::Back { cell, status, .. }) => match status {
                Status::Ok => vec![format!("{cell}-->>user: 200")],
                Status::NotFound => vec![format!("{cell}-->>user: 404")],
                Status::Frozen => vec![format!("{cell}-->>user: 503")],
                // Written where the last cell bounces.
                Status::Loop => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// Whether the answer to the pre-flight of the one request is on its way.
pub(crate) fn is_told(state: &State) -> bool {
    state.requests.first().is_some_and(|request| matches!(request.at, At::Told(..)))
}
