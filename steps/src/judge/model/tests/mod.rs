//! Each sentence of the model, with a trace that contradicts it and one that does not.

mod passed_on;
mod refusals;
mod remembered;
mod routed;
mod spelt;

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use cell_fleet::{BodySeen, CellId, Field, Protocol};

use super::*;
use crate::action::{Action, Framing, RequestKind, Route};
use crate::judge::model::exchange::Span;
use crate::judge::model::installation::Place;
use crate::trace::made::{Made, fields};
use crate::trace::{Hop, Origin, Phase, PreFlight, UserRequest};

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

    fn lines(&self) -> Vec<(&str, &str)> {
        self.1.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    fn fields(&self) -> Vec<Field> {
        fields(&self.lines())
    }

    fn body(&self) -> BodySeen {
        Made::body(&self.2)
    }
}

/// What happened, as a handmade trace. Its router is that of Europe.
struct Story {
    installation: Installation,
    made: Made,
    step: usize,
}

impl Deref for Story {
    type Target = Made;

    fn deref(&self) -> &Made {
        &self.made
    }
}

impl DerefMut for Story {
    fn deref_mut(&mut self) -> &mut Made {
        &mut self.made
    }
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
        let mut made = Made::default();
        made.trace.learn_path = learning.then(|| LEARN.to_owned());
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
            made,
            step: 0,
        }
    }

    fn buffering() -> Self {
        Self::new(Protocol::Buffering)
    }

    fn learning() -> Self {
        Self::new(Protocol::Learning)
    }

    /// A visitor sends a request in a separate action.
    fn sends(&mut self, method: &str, target: &str) -> usize {
        let user = self.made.sends("", target);
        let request = &mut self.made.trace.users[user];
        (request.phase, request.method) = (Phase::Step(self.step), method.to_owned());
        self.step += 1;
        user
    }

    /// A cell reads the request.
    fn reaches(&mut self, user: usize, cell: &str) -> usize {
        let hop = self.made.reaches(user, cell);
        let at = self.stamp();
        let UserRequest { method, fields, body, .. } = self.trace.users[user].clone();
        let reached = &mut self.trace.hops[hop];
        (reached.request.method, reached.request.fields) = (method.as_str().into(), fields);
        reached.read = Some((at, body));
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
        self.hop(Origin::PreFlight(user, asked), LEARN.into(), cell)
    }

    fn says(&mut self, hop: usize, reply: &Reply) {
        self.responses(hop, reply.0, &reply.lines(), &reply.2);
    }

    fn gets(&mut self, user: usize, reply: &Reply) {
        self.gets_fields(user, reply.0, &reply.lines(), &reply.2);
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

/// The way to `/acme` from a cold router of buffering, with its announcement.
fn to_acme() -> [(&'static str, Reply); 2] {
    [("cell_eu0", bounce("Cell US1")), ("cell_us1", page("/acme/"))]
}

/// A warm router of buffering: it knows that `/acme/` belongs to Cell US1.
fn warm() -> Story {
    let mut story = Story::buffering();
    story.visit("/acme/a", &to_acme());
    story
}
