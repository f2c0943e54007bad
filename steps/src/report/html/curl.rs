//! How to repeat a scenario: the command that reruns it, and a script that sends its requests.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::data::{FieldData, Plain, Report, Scenario, TraceData, UserData};
use super::super::text::quoted;
use crate::stage::{FIRST_CELL_PORT, FIRST_ROUTER_PORT};

/// The most requests of a script: scenarios about random choices have hundreds.
const MOST: usize = 20;

/// The most bytes that a script sends as they are.
const LONGEST: usize = 16 * 1024;

/// The shell function that sends a request with the cookies of a person.
const AS_PERSON: &str = concat!(
    "as() { jar=$jars/$1; shift; ",
    "curl -sS -i --path-as-is -g -b \"$jar\" -c \"$jar\" \"$@\"; echo; }\n"
);

/// The command that runs the scenario again, with the same router and seed.
pub(super) fn rerun(scenario: &Scenario, report: &Report) -> String {
    let mut command =
        format!("cells-conformance run {} --seed {}", quoted(&scenario.name), report.run.seed);
    // The reference router is a subcommand of this program and needs no command.
    let is_reference = report.router.command == ["cells-conformance", "router"];
    if !is_reference && !report.router.command.is_empty() {
        command.push_str(" --");
        for word in &report.router.command {
            command.push(' ');
            command.push_str(&quoted(word));
        }
    }
    command
}

/// A script for a POSIX shell that sends the requests of a scenario.
pub(super) fn script(scenario: &Scenario, trace: &TraceData, report: &Report) -> String {
    let mut text = String::from("#!/bin/sh\n");
    let _ = writeln!(text, "# The requests of {}", comment(&scenario.name));
    let _ = writeln!(
        text,
        "# Serve the cells in another terminal:  cells-conformance fleet --protocol {}",
        comment(&scenario.protocol)
    );
    text.push_str("# Start a router in front of them, and name its address here.\n");
    let given: Vec<_> = scenario.steps.iter().take_while(|step| step.keyword != "When").collect();
    if given.len() > 2 {
        text.push_str(
            "# The fleet serves the documents' cells and people. Set up the rest by hand:\n",
        );
        for step in given {
            let _ = writeln!(text, "#   {} {}", comment(&step.keyword), comment(&step.text));
        }
    }
    let addresses: BTreeSet<&str> = trace.users.iter().map(|user| user.to.as_str()).collect();
    for name in addresses {
        let _ = writeln!(text, "{0}=${{{0}:-http://127.0.0.1:{1}}}", variable(name), port(name));
    }
    let visits: Vec<&UserData> = trace.users.iter().take(MOST).collect();
    let people: BTreeSet<&str> = visits.iter().map(|user| user.person.as_str()).collect();
    text.push_str("jars=$(mktemp -d)\n");
    text.push_str(AS_PERSON);
    let first = visits.first().map_or("router_eu", |user| &user.to);
    for person in people {
        let is_signed_in =
            scenario.steps.iter().any(|step| step.text.contains(&format!("{person} is signed in")));
        if is_signed_in {
            let _ = writeln!(
                text,
                "as {0} -o /dev/null -d username={0} -d password={0}-password \
                 \"${1}/users/sign_in\"",
                quoted(person),
                variable(first),
            );
        }
    }
    if visits.iter().any(|user| user.raw.is_some()) {
        text.push_str("raw() { at=${1#http://}; nc -w 5 \"${at%:*}\" \"${at##*:}\"; echo; }\n");
    }
    for user in &visits {
        match &user.raw {
            Some(raw) => text.push_str(&raw_bytes(&raw.bytes(), &user.to)),
            None => text.push_str(&request(user, report)),
        }
    }
    if trace.users.len() > MOST {
        let _ = writeln!(text, "# and {} more of this kind", trace.users.len() - MOST);
    }
    text
}

/// The line that sends raw bytes; empty for a request on a connection that is already shown.
fn raw_bytes(bytes: &[u8], to: &str) -> String {
    if bytes.len() > LONGEST {
        return format!("# and {} raw bytes, which the JSON report has\n", bytes.len());
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

fn request(user: &UserData, report: &Report) -> String {
    let mut text = String::new();
    let body = report.bodies.get(&user.body).filter(|body| body.length > 0);
    let beginning = body.map(|body| &body.beginning);
    let mut data = String::new();
    if let Some(body) = body {
        match beginning {
            Some(Plain::Text(shown))
                if u64::try_from(shown.len()).is_ok_and(|kept| kept == body.length) =>
            {
                let _ = write!(data, " --data-binary {}", quoted(shown));
            }
            Some(Plain::Encoded { base64 }) => {
                let _ = write!(text, "printf %s {} | base64 -d | ", quoted(base64));
                data.push_str(" --data-binary @-");
            }
            _ => {
                let _ = write!(text, "head -c {} /dev/zero | ", body.length);
                data.push_str(" --data-binary @-");
            }
        }
    }
    let method = match user.method.as_str() {
        "GET" if body.is_none() => String::new(),
        "HEAD" => " -I".to_owned(),
        other => format!(" -X {}", quoted(other)),
    };
    let _ = write!(text, "as {}{method}", quoted(&user.person));
    let typed = user
        .fields
        .iter()
        .any(|FieldData(name, _)| name.shown().eq_ignore_ascii_case("content-type"));
    for FieldData(name, value) in &user.fields {
        // An empty value is written with a semicolon: with a colon curl would leave the field out.
        let (name, value) = (name.shown(), value.shown());
        let line = if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
        let _ = write!(text, " -H {}", quoted(&line));
    }
    if body.is_some() && !typed {
        text.push_str(" -H 'Content-Type:'");
    }
    let _ = writeln!(text, "{data} \"${}\"{}", variable(&user.to), quoted(&user.target.shown()));
    text
}

/// The shell variable of an address: `ROUTER_EU`.
fn variable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect()
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

/// A text on one line, for a comment.
fn comment(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_bytes_are_escaped_for_printf() {
        assert_eq!(
            raw_bytes(b"GET /%41\r\n\x00'\\\xff", "router_eu"),
            "printf 'GET /%%41\\r\\n\\000\\047\\\\\\377' | raw \"$ROUTER_EU\"\n"
        );
        assert_eq!(raw_bytes(b"", "router_eu"), "");
    }

    #[test]
    fn cells_have_the_ports_of_the_fleet() {
        assert_eq!(port("cell_us0"), FIRST_CELL_PORT);
        assert_eq!(port("cell_eu1"), FIRST_CELL_PORT + 3);
        assert_eq!(variable("router_eu"), "ROUTER_EU");
    }
}
