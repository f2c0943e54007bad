//! Each sentence of the model, with a trace that contradicts it and one that does not.

mod passed_on;
mod refusals;
mod remembered;
mod routed;
mod spelt;

use std::time::Duration;

use bytes::Bytes;
use cell_fleet::{BodySeen, CellId, Field, Protocol, ResponseSeen, Stamp};

use super::*;
use crate::action::{Action, Flow};
use crate::judge::model::exchange::Span;
use crate::judge::model::installation::Place;
use crate::trace::{Hop, Origin, Phase, PreFlight, ReceivedResponse, UserRequest, UserResponse};

const LEARN: &str = "/api/v4/internal/cells/learn";

/// What a cell responds: a status, fields, and a body.
#[derive(Clone)]
struct Reply(u16, Vec<(&'static str, String)>, String);

/// The cell points to another one.
fn bounce(name: &str) -> Reply {
    Reply(302, vec![("X-Gitlab-Cell-Redirect", format!("{{cell:{name}}}"))], String::new())
}

/// A page that announces a prefix.
fn page(prefix: &str) -> Reply {
    plain("page").with("X-Gitlab-Cell-Cache", &format!("{{path_prefix:{prefix}}}"))
}

/// A page that announces nothing.
fn plain(text: &str) -> Reply {
    Reply(200, Vec::new(), text.to_owned())
}

/// A learn response with an owner.
fn owner(path: &str, cell: &str) -> Reply {
    plain(&format!(r#"{{"path":"{path}","cell":"{cell}","source":"routable"}}"#))
}

/// A learn response about one path.
fn exactly(path: &str, cell: &str) -> Reply {
    plain(&format!(r#"{{"path":"{path}","cell":"{cell}","source":"fixed","exact":true}}"#))
}

/// A response with another status, without content.
fn status(status: u16) -> Reply {
    Reply(status, Vec::new(), String::new())
}

impl Reply {
    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.1.push((name, value.to_owned()));
        self
    }

    fn fields(&self) -> Vec<Field> {
        let line = |(name, value): &(&str, String)| Field {
            name: (*name).into(),
            value: value.as_str().into(),
        };
        self.1.iter().map(line).collect()
    }

    fn body(&self) -> BodySeen {
        BodySeen::of(&Bytes::from(self.2.clone()))
    }
}

/// What happened, as a handmade trace. Its router is that of Europe.
struct Story {
    installation: Installation,
    trace: Trace,
    now: u64,
    step: usize,
}

impl Story {
    /// The installation of the documents. Cell US1 owns `/acme`.
    fn new(protocol: Protocol) -> Self {
        let cells = vec![CellId::us(0), CellId::us(1), CellId::eu(0), CellId::eu(1)];
        let place = Place {
            path: "/acme".to_owned(),
            exact: false,
            cell: CellId::us(1),
            span: Span::ALWAYS,
        };
        let learning = protocol == Protocol::Learning;
        Self {
            installation: Installation {
                protocol,
                latest: CellId::us(0),
                cells,
                places: vec![place],
                troubles: Vec::new(),
                absences: Vec::new(),
                ttl: Duration::from_secs(60),
                max_entries: 1_000,
                max_body: if learning { u64::MAX } else { 100 },
            },
            trace: Trace { learn_path: learning.then(|| LEARN.to_owned()), ..Trace::default() },
            now: 0,
            step: 0,
        }
    }

    fn buffering() -> Self {
        Self::new(Protocol::Buffering)
    }

    fn learning() -> Self {
        Self::new(Protocol::Learning)
    }

    /// Lets this much time pass.
    fn passes(&mut self, ms: u64) {
        self.now += ms;
    }

    fn stamp(&mut self) -> Stamp {
        self.now += 1;
        Stamp { sequence: self.now, at: Duration::from_millis(self.now) }
    }

    /// A visitor sends a request in a separate action.
    fn sends(&mut self, method: &str, target: &str) -> usize {
        let sent = self.stamp();
        self.trace.users.push(UserRequest {
            phase: Phase::Step(self.step),
            method: method.to_owned(),
            target: target.into(),
            sent,
            ..UserRequest::default()
        });
        self.step += 1;
        self.trace.users.len() - 1
    }

    /// A cell reads the request.
    fn reaches(&mut self, user: usize, cell: &str) -> usize {
        let request = &self.trace.users[user];
        let (method, target) = (request.method.clone(), request.target.to_string());
        let fields = request.fields.clone();
        let body = request.body.clone();
        let hop = self.hop(Origin::User(user), &method, &target, cell);
        let at = self.stamp();
        self.trace.hops[hop].request.fields = fields;
        self.trace.hops[hop].read = Some((at, body));
        hop
    }

    /// A cell reads a pre-flight about the request.
    fn asks(&mut self, user: usize, cell: &str) -> usize {
        let request = &self.trace.users[user];
        let asked = PreFlight {
            path: LEARN.to_owned(),
            method: Some(request.method.clone()),
            path_info: Some(request.path().into()),
            others: Vec::new(),
        };
        self.hop(Origin::PreFlight(user, asked), "GET", LEARN, cell)
    }

    fn hop(&mut self, origin: Origin, method: &str, target: &str, cell: &str) -> usize {
        let at = self.stamp();
        let cell = cell.parse().unwrap();
        self.trace.hops.push(Hop::made(cell, origin, at, method, target.into()));
        self.trace.hops.len() - 1
    }

    fn says(&mut self, hop: usize, reply: &Reply) {
        let at = self.stamp();
        let hop = &mut self.trace.hops[hop];
        let (fields, body) = (reply.fields(), reply.body());
        let (id, cell) = (hop.id, hop.cell.clone());
        hop.response = Some((at, ResponseSeen { hop: id, cell, status: reply.0, fields, body }));
    }

    fn gets(&mut self, user: usize, reply: &Reply) {
        let at = self.stamp();
        let (fields, body) = (reply.fields(), reply.body());
        let got = Ok(ReceivedResponse { status: reply.0, fields, body });
        self.trace.users[user].response = Some(UserResponse { at, got });
    }

    /// A GET that these cells read, one after another. The user gets what the last responded, but
    /// for what it announced.
    fn visit(&mut self, target: &str, hops: &[(&str, Reply)]) -> usize {
        self.exchange("GET", target, &[], hops)
    }

    /// A GET, after these pre-flights.
    fn ask_and_visit(
        &mut self,
        target: &str,
        asked: &[(&str, Reply)],
        hops: &[(&str, Reply)],
    ) -> usize {
        self.exchange("GET", target, asked, hops)
    }

    fn exchange(
        &mut self,
        method: &str,
        target: &str,
        asked: &[(&str, Reply)],
        hops: &[(&str, Reply)],
    ) -> usize {
        let user = self.sends(method, target);
        self.plays(user, asked, hops);
        user
    }

    /// What happens to a request that was sent.
    fn plays(&mut self, user: usize, asked: &[(&str, Reply)], hops: &[(&str, Reply)]) {
        for (cell, reply) in asked {
            let hop = self.asks(user, cell);
            self.says(hop, reply);
        }
        for (cell, reply) in hops {
            let hop = self.reaches(user, cell);
            self.says(hop, reply);
        }
        let mut last = hops.last().map_or_else(|| status(502), |(_, reply)| reply.clone());
        last.1.retain(|(name, _)| !name.starts_with("X-Gitlab"));
        self.gets(user, &last);
    }

    /// A cell is in trouble from the next action on.
    fn goes_down(&mut self, cell: CellId) {
        self.step += 1;
        self.installation.troubles.push((cell, Span { from: self.step, to: usize::MAX }));
    }

    /// All cells are well again.
    fn come_back(&mut self) {
        self.step += 1;
        for (_, span) in &mut self.installation.troubles {
            span.to = span.to.min(self.step);
        }
    }

    /// What the model finds.
    #[track_caller]
    fn violates(&self, expected: &[&str]) {
        let found = judge(&self.installation, &self.trace);
        let ids: Vec<_> = found.iter().map(|violation| violation.requirement).collect();
        assert_eq!(ids, expected, "{found:#?}");
    }

    #[track_caller]
    fn is_permitted(&self) {
        self.violates(&[]);
    }
}
