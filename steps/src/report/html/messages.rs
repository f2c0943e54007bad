//! Every request and response of a scenario, in the order in which they happened.

use std::fmt::Write as _;

use cell_fleet::wire;

use super::super::data::{
    FieldData, HopData, OriginData, Plain, Report, ResponseData, Scenario, StampData, TraceData,
    UserData,
};
use super::super::text::on_the_wire;
use super::text::{Esc, beginning};

/// More messages than this are not listed one by one; the middle is left out.
pub(super) const MOST: usize = 60;

/// How much of a body is shown where the scenario passed, and where it did not.
const BODY: (usize, usize) = (400, 8 * 1024);

/// How much of a field's value is shown.
const FIELD: usize = 1000;

/// A message with its place in the order.
enum Message<'a> {
    User(&'a UserData),
    Hop(usize, &'a HopData),
}

/// What the writer has at hand.
struct Writer<'a> {
    report: &'a Report,
    trace: &'a TraceData,
    number: usize,
    most: usize,
}

/// Writes them.
pub(super) fn write(page: &mut String, scenario: &Scenario, report: &Report, number: usize) {
    let Some(trace) = &scenario.trace else { return };
    let users = trace.users.iter().map(|user| (user.sent.sequence, Message::User(user)));
    let hops = trace
        .hops
        .iter()
        .enumerate()
        .map(|(place, hop)| (hop.at.sequence, Message::Hop(place, hop)));
    let mut all: Vec<_> = users.chain(hops).collect();
    all.sort_by_key(|(sequence, _)| *sequence);
    if all.is_empty() {
        return;
    }
    let marked = scenario.exchanges.iter().filter_map(|exchange| {
        exchange.hops.get(exchange.divergence.as_ref()?.observed?).copied().flatten()
    });
    let marked: Vec<usize> = marked.collect();
    let good = matches!(scenario.outcome.word.as_str(), "passed" | "not applicable");
    let writer = Writer { report, trace, number, most: if good { BODY.0 } else { BODY.1 } };
    let count = all.len();
    let _ =
        writeln!(page, "<details class=\"ms\"><summary>Requests and responses ({count})</summary>");
    let left_out = |place: usize, message: &Message<'_>| {
        let is_marked = matches!(message, Message::Hop(hop, _) if marked.contains(hop));
        count > MOST && (MOST * 2 / 3..count - MOST / 3).contains(&place) && !is_marked
    };
    let mut gap = 0;
    for (place, (_, message)) in all.iter().enumerate() {
        if left_out(place, message) {
            gap += 1;
            continue;
        }
        writer.gap(page, std::mem::take(&mut gap));
        match message {
            Message::User(user) => writer.user(page, user),
            Message::Hop(place, hop) => writer.hop(page, *place, hop),
        }
    }
    writer.gap(page, gap);
    for stray in &trace.strays {
        let _ = writeln!(
            page,
            "<p>At {}, no request: <code>{}</code></p>",
            Esc(&stray.cell),
            Esc(&stray.bytes)
        );
    }
    page.push_str("</details>\n");
}

impl Writer<'_> {
    fn gap(&self, page: &mut String, count: usize) {
        if count > 0 {
            let _ = writeln!(
                page,
                "<p class=\"gap\">\u{22ee} {count} more, which the JSON report has \u{22ee}</p>"
            );
        }
    }

    fn user(&self, page: &mut String, user: &UserData) {
        let before = if user.step.is_none() { ", before the exchange" } else { "" };
        let target = user.target.shown();
        let (end, responded) = match &user.response {
            Some(response) => match (&response.response, &response.error) {
                (Some(data), _) => (
                    data.status.to_string(),
                    format!(
                        "<p>{}, after {}</p>{}",
                        Esc(&user.person),
                        took(user.sent, response.at),
                        self.response(data, self.same_as(user, data))
                    ),
                ),
                (None, why) => (
                    "no response".to_owned(),
                    format!(
                        "<p>no response: {}</p>",
                        Esc(why.as_deref().unwrap_or("nothing is known"))
                    ),
                ),
            },
            None => ("no response".to_owned(), "<p>no response</p>".to_owned()),
        };
        let responded = before_response(user) + &responded;
        let line = format!("{} {target}", user.method);
        let _ = writeln!(
            page,
            "<details class=\"m mu\"><summary><b>{}</b> \u{2192} {} <code>{}</code> <span class=\"code\">{end}</span></summary><div class=\"pair\"><div><p>{}{before}</p>{}</div><div>{responded}</div></div></details>",
            Esc(&user.person),
            Esc(&user.to),
            Esc(&line),
            at(user.sent),
            self.sent(user, &line),
        );
    }

    /// What a user sent: the request, or the bytes where they were sent as they stand.
    fn sent(&self, user: &UserData, line: &str) -> String {
        match user.raw.as_ref().map(Plain::bytes) {
            None => self.request(line, &user.fields, Some(&user.body)),
            Some(raw) if raw.is_empty() => {
                "<p>on the connection of the request before it</p>".to_owned()
            }
            Some(raw) => {
                format!("<p>sent as it stands</p><pre>{}</pre>", Esc(&on_the_wire(&raw, self.most)))
            }
        }
    }

    fn hop(&self, page: &mut String, place: usize, hop: &HopData) {
        let why = match &hop.origin {
            OriginData::User(user) => self
                .trace
                .users
                .get(*user)
                .map(|user| format!("for {}", user.id))
                .unwrap_or_default(),
            OriginData::PreFlight(..) => "pre-flight".to_owned(),
            OriginData::Unsolicited => "nobody asked for it".to_owned(),
        };
        let node =
            if hop.node == hop.cell { String::new() } else { format!(" (played by {})", hop.node) };
        let line = hop.request_line.shown();
        let (end, responded) = match &hop.response {
            Some((stamp, response)) => (
                response.status.to_string(),
                format!("<p>after {}</p>{}", took(hop.at, *stamp), self.response(response, None)),
            ),
            None => ("no response".to_owned(), "<p>no response</p>".to_owned()),
        };
        let body = hop.read.as_ref().map(|(_, digest)| digest.as_str());
        let cut = if body.is_none() { "<p>its body was not read to its end</p>" } else { "" };
        let _ = writeln!(
            page,
            "<details class=\"m mh\"><summary>\u{2192} <b>{}</b> <code>{}</code> <small>{}</small> <span class=\"code\">{end}</span></summary><div class=\"pair\" id=\"m{}.{place}\"><div><p>{}{}, connection {}</p>{}{cut}</div><div>{responded}</div></div></details>",
            Esc(&hop.cell),
            Esc(line.strip_suffix(" HTTP/1.1").unwrap_or(&line)),
            Esc(&why),
            self.number,
            at(hop.at),
            Esc(&node),
            hop.connection,
            self.request(&line, &hop.fields, body),
        );
    }

    /// The cell whose response a user's one has the body of: it is not shown twice.
    fn same_as(&self, user: &UserData, response: &ResponseData) -> Option<&str> {
        let is_from = |hop: &&HopData| matches!(&hop.origin, OriginData::User(place) if self.trace.users.get(*place) == Some(user));
        let hop = self.trace.hops.iter().rev().find(is_from)?;
        let (_, sent) = hop.response.as_ref()?;
        (sent.body == response.body).then_some(hop.cell.as_str())
    }

    fn request(&self, line: &str, fields: &[FieldData], body: Option<&str>) -> String {
        format!(
            "<pre>{}\n{}{}</pre>",
            Esc(line),
            fields_of(fields),
            body.map(|body| self.body(body, None)).unwrap_or_default()
        )
    }

    fn response(&self, response: &ResponseData, same_as: Option<&str>) -> String {
        format!(
            "<pre>{}\n{}{}</pre>",
            response.status,
            fields_of(&response.fields),
            self.body(&response.body, same_as)
        )
    }

    fn body(&self, digest: &str, same_as: Option<&str>) -> String {
        let Some(body) = self.report.bodies.get(digest).filter(|body| body.length > 0) else {
            return String::new();
        };
        if let Some(cell) = same_as {
            return format!("\n<i>the {} bytes that {} sent</i>", body.length, Esc(cell));
        }
        let shown = body.beginning.shown();
        let (begin, all) = beginning(&shown, self.most);
        // What the report has of a body may itself be its beginning only.
        let whole = all
            && u64::try_from(body.beginning.bytes().len()).is_ok_and(|kept| kept == body.length);
        let rest = if whole {
            String::new()
        } else {
            format!("\n<i>\u{2026} of {} bytes</i>", body.length)
        };
        format!("\n{}{rest}", Esc(begin.trim_end()))
    }
}

/// What a user noticed beside the response.
fn before_response(user: &UserData) -> String {
    let mut text = String::new();
    if !user.interim.is_empty() {
        let interim: Vec<_> = user.interim.iter().map(ToString::to_string).collect();
        let _ = write!(text, "<p>before the response: {}</p>", interim.join(", "));
    }
    for (words, count) in [
        ("taken from the user while the cell read nothing", user.taken),
        ("sent by cells while the user read nothing", user.seen_flow),
    ] {
        if let Some(count) = count {
            let _ = write!(text, "<p>{words}: {count} bytes</p>");
        }
    }
    for heard in &user.heard {
        let _ = write!(text, "<p>heard: <code>{}</code></p>", Esc(heard));
    }
    text
}

/// Field lines; those that the protocols are about are set off.
fn fields_of(fields: &[FieldData]) -> String {
    let mut text = String::new();
    for FieldData(name, value) in fields {
        let (name, whole) = (name.shown(), value.shown());
        let (value, all) = beginning(&whole, FIELD);
        let rest = if all { String::new() } else { format!("\u{2026} of {} bytes", whole.len()) };
        let (name, value) = (Esc(&name), Esc(value));
        let is_ours = [wire::CELL_REDIRECT, wire::CELL_CACHE]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name.0));
        let _ = if is_ours {
            writeln!(text, "<mark>{name}: {value}{rest}</mark>")
        } else {
            writeln!(text, "{name}: {value}{rest}")
        };
    }
    text
}

fn at(stamp: StampData) -> String {
    format!("at {} ms", thousandths(stamp.at_us))
}

fn took(from: StampData, to: StampData) -> String {
    format!("{} ms", thousandths(to.at_us.saturating_sub(from.at_us)))
}

fn thousandths(us: u64) -> String {
    format!("{}.{}", us / 1000, us % 1000 / 100)
}
