//! Every request and response of a scenario, in the order in which they happened.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cell_fleet::{BodySeen, Field, Stamp, Text, wire};
use maud::{Markup, html};

use super::super::text::on_the_wire;
use super::text::beginning;
use crate::engine::record::{CaseRecord, RunRecord};
use crate::trace::{Hop, Origin, Phase, Trace, UserRequest};
use crate::verdict::OutcomeWord;

/// More messages than this are not listed one by one; the middle is left out.
const MOST: usize = 60;

/// How many bytes of a body are shown where the scenario passed, and where it did not.
const BODY: (usize, usize) = (400, 8 * 1024);

/// How many bytes of a field's value are shown.
const FIELD: usize = 1000;

/// A message; a hop with its index in the trace.
enum Message<'a> {
    User(&'a UserRequest),
    Hop(usize, &'a Hop),
}

/// What the messages of a scenario refer to.
struct Writer<'a> {
    report: &'a RunRecord,
    trace: &'a Trace,
    index: usize,
    most: usize,
}

pub(super) fn render(scenario: &CaseRecord, report: &RunRecord, index: usize) -> Markup {
    let Some(trace) = &scenario.trace else { return html! {} };
    let users = trace.users.iter().map(|user| (user.sent.sequence, Message::User(user)));
    let hops = trace
        .hops
        .iter()
        .enumerate()
        .map(|(number, hop)| (hop.at.sequence, Message::Hop(number, hop)));
    let mut all: Vec<_> = users.chain(hops).collect();
    all.sort_by_key(|(sequence, _)| *sequence);
    if all.is_empty() {
        return html! {};
    }
    let marked = scenario.exchanges.iter().filter_map(|exchange| {
        exchange.hops.get(exchange.divergence.as_ref()?.observed?).copied().flatten()
    });
    let marked: Vec<usize> = marked.collect();
    let good = matches!(scenario.outcome.word, OutcomeWord::Passed | OutcomeWord::NotApplicable);
    let writer = Writer { report, trace, index, most: if good { BODY.0 } else { BODY.1 } };
    let count = all.len();
    let is_left_out = |number: usize, message: &Message<'_>| {
        let is_marked = matches!(message, Message::Hop(hop, _) if marked.contains(hop));
        count > MOST && (MOST * 2 / 3..count - MOST / 3).contains(&number) && !is_marked
    };
    let mut shown = Vec::new();
    let mut left_out = 0;
    for (number, (_, message)) in all.iter().enumerate() {
        if is_left_out(number, message) {
            left_out += 1;
            continue;
        }
        shown.push(gap(std::mem::take(&mut left_out)));
        shown.push(match message {
            Message::User(user) => writer.user(user),
            Message::Hop(number, hop) => writer.hop(*number, hop),
        });
    }
    shown.push(gap(left_out));
    html! {
        details.ms {
            summary { "Requests and responses (" (count) ")" }
            @for message in shown { (message) }
            @for stray in &trace.strays {
                p {
                    "Not HTTP, at " (stray.cell.id())
                    @if let Some(status) = stray.refused_with { ", refused with " (status) }
                    ": " code { (stray.bytes) }
                }
            }
        }
    }
}

/// What stands for `count` messages that are left out.
fn gap(count: usize) -> Markup {
    html! {
        @if count > 0 {
            p.gap { "\u{22ee} " (count) " more, which the JSON report has \u{22ee}" }
        }
    }
}

/// Why there is no response, and what came instead.
fn no_response(why: &str) -> Markup {
    let (why, came) = why.split_once('\n').unwrap_or((why, ""));
    html! {
        p { "no response: " (why) }
        @if !came.is_empty() { pre { (came) } }
    }
}

impl Writer<'_> {
    fn user(&self, user: &UserRequest) -> Markup {
        let (end, response) = match &user.response {
            Some(response) => match &response.got {
                Ok(got) => (
                    got.status.to_string(),
                    html! {
                        p { (user.person) ", after " (took(user.sent, response.at)) }
                        (self.response(got.status, &got.fields, &got.body, self.same_as(user, &got.body)))
                    },
                ),
                Err(why) => ("no response".to_owned(), no_response(&why.to_string())),
            },
            None => ("no response".to_owned(), html! { p { "no response" } }),
        };
        let line = format!("{} {}", user.method, shown(&user.target));
        html! {
            details.m {
                summary {
                    b { (user.person) } " \u{2192} " (user.gate.to_string()) " " code { (line) }
                    " " span.code { (end) }
                }
                div.pair {
                    div {
                        p {
                            (at(user.sent))
                            @if user.phase == Phase::Setup { ", before the exchange" }
                        }
                        (self.sent(user, &line))
                    }
                    div { (before_response(user)) (response) }
                }
            }
        }
    }

    /// What a user sent: the request, or the raw bytes.
    fn sent(&self, user: &UserRequest, line: &str) -> Markup {
        match user.raw.as_ref().map(Text::as_bytes) {
            None => self.request(line, &user.fields, Some(&user.body)),
            Some([]) => {
                html! { p { "on the connection of the request before it" } }
            }
            Some(raw) => html! {
                p { "sent as raw bytes" }
                pre { (on_the_wire(raw, self.most)) }
            },
        }
    }

    fn hop(&self, number: usize, hop: &Hop) -> Markup {
        let why = match &hop.origin {
            Origin::User(user) => self
                .trace
                .users
                .get(*user)
                .map(|user| format!("for {}", user.id.0))
                .unwrap_or_default(),
            Origin::PreFlight(..) => "pre-flight".to_owned(),
            Origin::Unsolicited => "unsolicited".to_owned(),
        };
        let line = shown(&hop.request.request_line);
        let end = hop
            .response
            .as_ref()
            .map_or("no response".to_owned(), |(_, response)| response.status.to_string());
        let body = hop.read.as_ref().map(|(_, body)| body);
        html! {
            details.m.at-cell {
                summary {
                    "\u{2192} " b { (hop.cell.id()) }
                    " " code { (line.strip_suffix(" HTTP/1.1").unwrap_or(&line)) }
                    " " small { (why) } " " span.code { (end) }
                }
                div.pair id={ "m" (self.index) "." (number) } {
                    div {
                        p {
                            (at(hop.at))
                            @if hop.node != hop.cell { " (played by " (hop.node.id()) ")" }
                            ", connection " (hop.request.connection.0)
                        }
                        (self.request(&line, &hop.request.fields, body))
                        @if body.is_none() { p { "its body was not read to its end" } }
                    }
                    div {
                        @match &hop.response {
                            Some((stamp, response)) => {
                                p { "after " (took(hop.at, *stamp)) }
                                (self.response(response.status, &response.fields, &response.body, None))
                            }
                            None => { p { "no response" } }
                        }
                    }
                }
            }
        }
    }

    /// The cell that sent the body of this user's response; the body is not shown twice.
    fn same_as(&self, user: &UserRequest, body: &BodySeen) -> Option<String> {
        let is_for_user = |hop: &&Hop| match &hop.origin {
            Origin::User(index) => self.trace.users.get(*index) == Some(user),
            _ => false,
        };
        let hop = self.trace.hops.iter().rev().find(is_for_user)?;
        let (_, sent) = hop.response.as_ref()?;
        (sent.body == *body).then(|| hop.cell.id())
    }

    fn request(&self, line: &str, fields: &[Field], body: Option<&BodySeen>) -> Markup {
        html! {
            pre {
                (line) "\n" (field_lines(fields))
                @if let Some(body) = body { (self.body(body, None)) }
            }
        }
    }

    fn response(
        &self,
        status: u16,
        fields: &[Field],
        body: &BodySeen,
        same_as: Option<String>,
    ) -> Markup {
        html! {
            pre { (status) "\n" (field_lines(fields)) (self.body(body, same_as)) }
        }
    }

    fn body(&self, body: &BodySeen, same_as: Option<String>) -> Markup {
        let Some(body) = self.report.bodies.get(&body.name()) else { return html! {} };
        if let Some(cell) = same_as {
            return html! { "\n" i { "the " (body.length) " bytes that " (cell) " sent" } };
        }
        let shown = shown(&body.beginning);
        let (begin, all) = beginning(&shown, self.most);
        // What the report has of a body may itself be its beginning only.
        let whole = all && body.beginning.len() as u64 == body.length;
        html! {
            "\n" (begin.trim_end())
            @if !whole { "\n" i { "\u{2026} of " (body.length) " bytes" } }
        }
    }
}

fn before_response(user: &UserRequest) -> Markup {
    let interim: Vec<_> = user.interim.iter().map(ToString::to_string).collect();
    html! {
        @if !interim.is_empty() { p { "before the response: " (interim.join(", ")) } }
        @if let Some(count) = user.taken {
            p { "taken from the user while the cell read nothing: " (count) " bytes" }
        }
        @if let Some(count) = user.seen_flow {
            p { "sent by cells while the user read nothing: " (count) " bytes" }
        }
        @for heard in &user.heard { p { "heard: " code { (heard) } } }
    }
}

/// Field lines; those that the protocols define are marked.
fn field_lines(fields: &[Field]) -> Markup {
    html! {
        @for (name, whole) in fields.iter().map(shown_field) {
            @let (value, all) = beginning(&whole, FIELD);
            @let line = if all {
                format!("{name}: {value}")
            } else {
                format!("{name}: {value}\u{2026} of {} bytes", whole.len())
            };
            @let is_ours = wire::INTERNAL
                .iter()
                .any(|own| own.eq_ignore_ascii_case(&name));
            @if is_ours { mark { (line) } } @else { (line) }
            "\n"
        }
    }
}

/// A name and a value for people.
pub(super) fn shown_field(Field { name, value }: &Field) -> (String, String) {
    (shown(name), shown(value))
}

/// Bytes for people.
pub(super) fn shown(text: &Text) -> String {
    match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        Err(_) => format!("(base64) {}", STANDARD.encode(text.as_bytes())),
    }
}

fn at(stamp: Stamp) -> String {
    format!("at {} ms", thousandths(stamp.at))
}

fn took(from: Stamp, to: Stamp) -> String {
    format!("{} ms", thousandths(to.at.saturating_sub(from.at)))
}

fn thousandths(time: Duration) -> String {
    let us = time.as_micros();
    format!("{}.{}", us / 1000, us % 1000 / 100)
}
