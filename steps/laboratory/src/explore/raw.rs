//! Requests byte for byte: what RFC 9112 allows, and a library would never send.
//!
//! The last request of each text closes its connection, so that nothing waits for more responses.

use cell_fleet::wire::CONFORMANCE_ID;

use conformance_suite::action::{Action, Person};

/// The forms of a target with the same path, or with a path next to it.
const TARGETS: [fn(&str) -> String; 8] = [
    |target| format!("http://{{host}}{target}"),
    |target| format!("HTTP://{{host}}{target}"),
    |target| format!("{target}?"),
    |target| format!("{target}??a=/b?c"),
    |target| format!("{target};v=1"),
    |target| format!("{target};"),
    |target| format!("{target}/a:b@c,d=e!$&'()*+"),
    |target| format!("{target}/~x?%00&%zz"),
];

/// Field lines in forms that are allowed (RFC 9110 5, RFC 9112 5).
const FIELDS: [&str; 12] = [
    "x-cAsE: 1",
    r"X-Pad:\t  value \t\x20",
    "X-Empty:",
    r"X-Obs: caf\xe9 \xff",
    "X-Long: {4000 bytes}",
    "X-Twice: 1\nx-other: 2\nX-TWICE: 3",
    "X-Unspaced:1",
    "X!#$%&'*+.^_`|~: 1",
    "Accept: ,, text/html ,",
    "X-Quoted: \"a, b\", c",
    "X-Spaces: in  between   them",
    "X-Request-Id: 01F8MECHZX3TBDSZ7XRADM79XE",
];

/// How many variants each function knows.
pub(super) const TARGET_FORMS: usize = TARGETS.len();
pub(super) const FIELD_FORMS: usize = FIELDS.len();

fn head(method: &str, target: &str, version: &str) -> String {
    format!("{method} {target} HTTP/{version}\nHost: {{host}}\n{CONFORMANCE_ID}: {{id}}\n")
}

/// Sends a text.
pub(super) fn sent(person: &Person, text: &str) -> Action {
    // In the notation of a step's doc string.
    Action::RawBytes { person: person.clone(), text: format!("\n{text}\n"), half_close: false }
}

/// A target in an unusual form.
pub(super) fn target(person: &Person, target: &str, how: usize) -> Action {
    let target = TARGETS[how % TARGETS.len()](target);
    sent(person, &format!("{}Connection: close\n", head("GET", &target, "1.1")))
}

/// Fields in unusual forms.
pub(super) fn fields(person: &Person, target: &str, how: usize) -> Action {
    let line = FIELDS[how % FIELDS.len()];
    sent(person, &format!("{}{line}\nConnection: close\n", head("GET", target, "1.1")))
}

/// A request of HTTP/1.0, with or without a body.
pub(super) fn old_version(person: &Person, target: &str, has_body: bool) -> Action {
    let text = match has_body {
        true => format!("{}Content-Length: 5\n\nhello\\", head("POST", target, "1.0")),
        false => head("GET", target, "1.0"),
    };
    sent(person, &text)
}

/// Two requests in one piece.
pub(super) fn pair(person: &Person, first: &str, second: &str, has_body: bool) -> Action {
    let first = match has_body {
        true => format!(
            "{}Transfer-Encoding: chunked\n\n5;x=y\nhello\n0\n\n",
            head("POST", first, "1.1")
        ),
        false => format!("{}\n", head("GET", first, "1.1")),
    };
    sent(person, &format!("{first}{}Connection: close\n", head("GET", second, "1.1")))
}

/// A request whose connection ends within its body.
pub(super) fn broken_body(person: &Person, target: &str, chunked: bool) -> Action {
    let framing = if chunked { "Transfer-Encoding: chunked\n\n32\nhello\\" } else { SHORT };
    let text = format!("\n{}{framing}\n", head("POST", target, "1.1"));
    Action::RawBytes { person: person.clone(), text, half_close: true }
}

const SHORT: &str = "Content-Length: 50\n\nhello\\";

/// The requests of a shared connection without one of them.
pub(super) fn fewer_requests(text: &str) -> Vec<String> {
    let mut requests: Vec<String> = Vec::new();
    for line in text.trim_matches('\n').lines() {
        match requests.last_mut() {
            Some(request) if !line.contains(" sends ") => *request += &format!("\n{line}"),
            _ => requests.push(line.to_owned()),
        }
    }
    let without = |number: usize| {
        let left = requests.iter().enumerate().filter(|(other, _)| *other != number);
        let left: Vec<_> = left.map(|(_, request)| request.as_str()).collect();
        format!("\n{}\n", left.join("\n"))
    };
    if requests.len() > 1 { (0..requests.len()).map(without).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use conformance_suite::literal::wire_bytes;

    #[test]
    fn every_variant_is_a_request_with_its_end() {
        let person = Person::visitor();
        let targets = (0..TARGET_FORMS).map(|how| target(&person, "/a", how));
        let fields = (0..FIELD_FORMS).map(|how| fields(&person, "/a", how));
        let others = [
            old_version(&person, "/a", false),
            old_version(&person, "/a", true),
            pair(&person, "/a", "/b", false),
            pair(&person, "/a", "/b", true),
        ];
        for action in targets.chain(fields).chain(others) {
            let Action::RawBytes { text, .. } = action else { panic!("not raw") };
            let bytes = wire_bytes(&text).expect("it is in the notation");
            assert!(bytes.ends_with(b"\r\n\r\n") || bytes.ends_with(b"hello"), "{text}");
            assert!(!bytes.starts_with(b"\r\n"), "{text}");
        }
    }
}
