//! A script that does what a scenario did.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cell_fleet::Region;

use super::super::failure::cells_by_hand;
use super::messages::{shown, shown_field};
use crate::action::{CurlBody, CurlCommand, comment, quoted, variable};
use crate::engine::record::{CaseRecord, RunRecord};
use crate::stage::{FIRST_CELL_PORT, FIRST_ROUTER_PORT};
use crate::trace::{Phase, Trace, UserRequest};

/// The most requests of one step that the script has.
const MOST: usize = 20;

/// The most raw bytes that the script has.
const LONGEST: usize = 16 * 1024;

/// A script for a POSIX shell: a comment for each When step, with the commands that do the same.
/// What an action does not say by itself, such as where a redirect led, comes from the trace.
pub(super) fn script(scenario: &CaseRecord, trace: &Trace, report: &RunRecord) -> String {
    let mut text = String::from("#!/bin/sh\n");
    let _ = writeln!(text, "# What happens in {}", comment(&scenario.name));
    let _ = writeln!(
        text,
        "# Serve its cells in another terminal:  {}",
        comment(&cells_by_hand(scenario))
    );
    text.push_str("# Start a router in front of them, and set its address here.\n");
    let names: BTreeSet<_> = trace.users.iter().map(|user| user.gate.to_string()).collect();
    for name in names {
        let _ = writeln!(text, "{0}=${{{0}:-http://127.0.0.1:{1}}}", variable(&name), port(&name));
    }
    text.push_str("cd \"$(mktemp -d)\" # for the files with cookies\n");
    let region = trace.default_router.clone().unwrap_or_else(Region::eu);
    text.push_str(&sessions(trace));
    if trace.users.iter().any(|user| user.raw.is_some()) {
        text.push_str("raw() { at=${1#http://}; nc -w 5 \"${at%:*}\" \"${at##*:}\"; echo; }\n");
    }
    let of_phase = |phase| trace.users.iter().filter(move |user| user.phase == phase);
    text.push_str(&sent(of_phase(Phase::Setup), report));
    let steps =
        trace.users.iter().filter_map(|user| user.phase.step()).chain(0..trace.actions.len());
    for step in steps.collect::<BTreeSet<_>>() {
        let action = trace.actions.get(step);
        if let Some(action) = action {
            let _ = writeln!(text, "# When {}", comment(&action.as_gherkin().text));
        }
        match action.and_then(|action| action.as_curl(&region)) {
            Some(commands) => {
                text.push_str(&commands);
                text.push('\n');
            }
            None => text.push_str(&sent(of_phase(Phase::Step(step)), report)),
        }
    }
    text
}

/// The commands that sign in whoever had a session before the first When step.
fn sessions(trace: &Trace) -> String {
    let mut text = String::new();
    let first = trace.users.first();
    let first = first.map_or_else(|| "router_eu".to_owned(), |user| user.gate.to_string());
    for (person, account) in &trace.sessions {
        let sign_in = CurlCommand::sign_in(person, account, &first);
        let _ = writeln!(text, "{sign_in}");
    }
    text
}

/// The commands for requests of a trace.
fn sent<'a>(users: impl Iterator<Item = &'a UserRequest>, report: &RunRecord) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    for (number, user) in users.enumerate() {
        if number >= MOST {
            left_out += 1;
            continue;
        }
        match &user.raw {
            Some(raw) => text.push_str(&raw_bytes(raw.as_bytes(), &user.gate.to_string())),
            None => text.push_str(&request(user, report)),
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "# and {left_out} more of this kind");
    }
    text
}

/// The command that sends raw bytes; nothing for a request on a connection that was shown.
fn raw_bytes(bytes: &[u8], to: &str) -> String {
    if bytes.len() > LONGEST {
        return format!("# and {} bytes, which the JSON report has\n", bytes.len());
    }
    if bytes.is_empty() {
        return String::new();
    }
    let mut text = String::from("printf '");
    for byte in bytes {
        match byte {
            b'\r' => text.push_str("\\r"),
            b'\n' => text.push_str("\\n"),
            b'%' => text.push_str("%%"),
            b'\\' => text.push_str("\\\\"),
            b'\'' | 0..=0x1f | 0x7f.. => _ = write!(text, "\\{byte:03o}"),
            plain => text.push(char::from(*plain)),
        }
    }
    let _ = writeln!(text, "' | raw \"${}\"", variable(to));
    text
}

fn request(user: &UserRequest, report: &RunRecord) -> String {
    let body = report.bodies.get(&user.body.name()).map(|body| {
        match std::str::from_utf8(&body.beginning) {
            Ok(shown) if shown.len() as u64 == body.length => CurlBody::Text(shown.to_owned()),
            Ok(_) => CurlBody::Printed(format!("head -c {} /dev/zero", body.length)),
            Err(_) => {
                let base64 = STANDARD.encode(&*body.beginning);
                CurlBody::Printed(format!("printf %s {} | base64 -d", quoted(&base64)))
            }
        }
    });
    let command = CurlCommand {
        person: user.person.clone(),
        to: user.gate.to_string(),
        method: user.method.clone(),
        target: quoted(&shown(&user.target)),
        fields: user.fields.iter().map(shown_field).collect(),
        body: body.unwrap_or_default(),
    };
    format!("{command}\n")
}

/// The default port of a cell, or of the router of a region.
fn port(name: &str) -> u16 {
    let cells = ["cell_us0", "cell_us1", "cell_eu0", "cell_eu1"];
    match (cells.iter().position(|cell| *cell == name), name) {
        (Some(number), _) => FIRST_CELL_PORT + u16::try_from(number).unwrap_or(0),
        (None, "router_us") => FIRST_ROUTER_PORT + 1,
        (None, _) => FIRST_ROUTER_PORT,
    }
}
