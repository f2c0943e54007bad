//! Actions as command lines: `curl` for requests, and what else a shell can do.

use std::fmt;

use cell_fleet::Region;

use super::shell::{quoted, variable};
use super::{
    Action, Framing, Person, RequestKind, Route, Until, Visits, WorldAction, cold_path, long_path,
};
use crate::literal::Request;

/// One request as a `curl` command. Cookies are kept in a file per person in the current
/// directory; `$ROUTER_EU` and the like hold the addresses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct CurlCommand {
    /// Whose cookies are sent and kept.
    pub(crate) person: String,
    /// The router or cell: `router_eu`, `cell_eu0`.
    pub(crate) to: String,
    pub(crate) method: String,
    /// The request target, as a word of the shell.
    pub(crate) target: String,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) body: CurlBody,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum CurlBody {
    #[default]
    Empty,
    Text(String),
    /// What this command of the shell prints.
    Printed(String),
}

impl CurlBody {
    fn of(request: &Request) -> Self {
        if request.body.is_empty() {
            Self::Empty
        } else {
            Self::Text(String::from_utf8_lossy(&request.body).into_owned())
        }
    }
}

impl CurlCommand {
    /// The command for a visit; `target` is a word of the shell.
    fn visit(person: &Person, to: String, target: String) -> Self {
        Self { person: person.0.clone(), to, method: "GET".to_owned(), target, ..Self::default() }
    }

    /// The command that signs a person in, by the password convention of the fleet.
    pub(crate) fn sign_in(person: &str, account: &str, to: &str) -> Self {
        let password = format!("{account}-password");
        let form = [("username", account), ("password", password.as_str())];
        let request = Request::form("/users/sign_in", &form);
        let body = CurlBody::of(&request);
        Self::of(&Person(person.to_owned()), to.to_owned(), &request, body)
    }

    /// The command for a request that is known.
    fn of(person: &Person, to: String, request: &Request, body: CurlBody) -> Self {
        Self {
            person: person.0.clone(),
            to,
            method: request.method.clone(),
            target: quoted(&request.target),
            fields: request.fields.clone(),
            body,
        }
    }
}

impl fmt::Display for CurlCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let CurlBody::Printed(command) = &self.body {
            write!(f, "{command} | ")?;
        }
        let cookies = quoted(&format!("{}.cookies", self.person));
        write!(f, "curl -sS -i -g --path-as-is -b {cookies} -c {cookies}")?;
        match (self.method.as_str(), &self.body) {
            ("GET", CurlBody::Empty) => {}
            ("HEAD", CurlBody::Empty) => f.write_str(" -I")?,
            (method, _) => write!(f, " -X {}", quoted(method))?,
        }
        for (name, value) in &self.fields {
            // With a colon, curl would leave a field with an empty value out.
            let line =
                if value.is_empty() { format!("{name};") } else { format!("{name}: {value}") };
            write!(f, " -H {}", quoted(&line))?;
        }
        let is_typed =
            self.fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
        if self.body != CurlBody::Empty && !is_typed {
            f.write_str(" -H 'Content-Type:'")?;
        }
        match &self.body {
            CurlBody::Empty => {}
            CurlBody::Text(text) => write!(f, " --data-binary {}", quoted(text))?,
            CurlBody::Printed(_) => f.write_str(" --data-binary @-")?,
        }
        write!(f, " \"${}\"{}", variable(&self.to), self.target)
    }
}

impl Action {
    /// The action as command lines for a POSIX shell, with `default` as the region of the default
    /// router. None where a shell cannot do it, or where it follows from an earlier response.
    pub fn as_curl(&self, default: &Region) -> Option<String> {
        let router = format!("router_{default}");
        Some(match self {
            Self::Request { person, request, route } => {
                let (fixed, body) = fixed(request)?;
                CurlCommand::of(person, destination(route, default), &fixed, body).to_string()
            }
            Self::Visits { person, visits } => visits.as_curl(person, router),
            Self::Begin { person, request, times, until } => {
                let (fixed, body) = fixed(request)?;
                let one = CurlCommand::of(person, router, &fixed, body);
                match (until, times) {
                    (Until::Ended, _) => format!("for n in $(seq {times}); do {one} & done; wait"),
                    (_, 1) => format!("{one} &"),
                    _ => format!("for n in $(seq {times}); do {one} & done"),
                }
            }
            Self::World(WorldAction::PassTime { ms }) => {
                format!("sleep {}.{:03}", ms / 1000, ms % 1000)
            }
            Self::AskEveryCell { .. }
            | Self::Leave { .. }
            | Self::Flow { .. }
            | Self::AwaitFirstBytes { .. }
            | Self::RawBytes { .. }
            | Self::Shared { .. }
            | Self::WebSocket { .. }
            | Self::Cookies { .. }
            | Self::Git { .. }
            | Self::Runner { .. }
            | Self::Poll { .. }
            | Self::World(_) => return None,
        })
    }
}

/// A request that does not depend on what happened before, with its body for the shell.
fn fixed(request: &RequestKind) -> Option<(Request, CurlBody)> {
    if let RequestKind::RandomBody { method, target, length, framing } = request {
        let field = match framing {
            Framing::Plain => None,
            Framing::InChunks => Some(("Transfer-Encoding", "chunked")),
            Framing::AfterContinue => Some(("Expect", "100-continue")),
        };
        let fields = field.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let fields = fields.into_iter().collect();
        let request = Request { method: method.clone(), fields, ..Request::get(target) };
        return Some((request, CurlBody::Printed(format!("head -c {length} /dev/urandom"))));
    }
    let request = request.fixed()?;
    let body = CurlBody::of(&request);
    Some((request, body))
}

/// The name of what a request goes to.
fn destination(route: &Route, default: &Region) -> String {
    match route {
        Route::Default | Route::Asking(_) => format!("router_{default}"),
        Route::Router(region) => format!("router_{region}"),
        Route::Cell(cell) => cell.to_string(),
    }
}

impl Visits {
    fn as_curl(&self, person: &Person, to: String) -> String {
        let (numbers, target) = match self {
            Self::Same { target, times } | Self::Until { target, most: times, .. } => {
                (format!("$(seq {times})"), quoted(target))
            }
            Self::ColdPrefixes { count } => (
                format!("$(seq 0 {})", count.saturating_sub(1)),
                numbered(&cold_path, "/-/a/b/page"),
            ),
            Self::LongPaths { one_in, count } => (
                format!("$(seq 0 {one_in} {})", count.saturating_sub(1)),
                numbered(&long_path, "/a/b/c/page"),
            ),
        };
        format!("for n in {numbers}; do {}; done", CurlCommand::visit(person, to, target))
    }
}

/// A target with `$n` for its number, as a word of the shell.
fn numbered(path: &dyn Fn(u64) -> String, page: &str) -> String {
    format!("\"{}{page}\"", path(0).replacen('0', "$n", 1))
}

#[cfg(test)]
mod tests {
    use cell_fleet::CellId;

    use super::*;

    fn curl(action: &Action) -> String {
        action.as_curl(&Region::eu()).unwrap_or_default()
    }

    fn anna() -> Person {
        Person("anna".to_owned())
    }

    #[test]
    fn a_visit_is_one_command() {
        let visit = |route| {
            let request = RequestKind::Visit { target: "/a b".to_owned() };
            curl(&Action::request(anna(), request, route))
        };
        assert_eq!(
            visit(Route::Default),
            "curl -sS -i -g --path-as-is -b anna.cookies -c anna.cookies \"$ROUTER_EU\"'/a b'"
        );
        assert!(visit(Route::Cell(CellId::us(1))).ends_with("\"$CELL_US1\"'/a b'"));
        assert!(visit(Route::Router(Region::us())).contains("$ROUTER_US"));
    }

    #[test]
    fn fields_and_bodies_are_sent() {
        let message = RequestKind::Message {
            method: "PUT".to_owned(),
            target: "/a".to_owned(),
            fields: vec![("X-Empty".to_owned(), String::new())],
            body: "it's".to_owned(),
        };
        let line = curl(&Action::request(anna(), message, Route::Default));
        assert!(line.contains(" -X PUT -H 'X-Empty;' -H 'Content-Type:'"), "{line}");
        assert!(line.contains(r" --data-binary 'it'\''s' "), "{line}");
        let form = curl(&Action::request(anna(), RequestKind::SignOut, Route::Default));
        assert!(form.contains("-X POST -H 'Content-Type: application/x-www-form"), "{form}");
    }

    #[test]
    fn many_visits_are_a_loop() {
        let cold = Visits::ColdPrefixes { count: 3 };
        let line = curl(&Action::Visits { person: anna(), visits: cold });
        assert!(line.starts_with("for n in $(seq 0 2); do curl "), "{line}");
        assert!(line.ends_with("\"$ROUTER_EU\"\"/cold-place-$n/-/a/b/page\"; done"), "{line}");
        let request = RequestKind::Visit { target: "/a".to_owned() };
        let all = Action::Begin { person: anna(), request, times: 4, until: Until::Ended };
        assert!(curl(&all).starts_with("for n in $(seq 4); do curl "));
        assert!(curl(&all).ends_with(" & done; wait"));
    }
}
