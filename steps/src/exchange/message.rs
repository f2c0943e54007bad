//! The messages of expected arrows, compared with observed ones.

use cell_fleet::{Field, wire};
use serde_json::{Map, Value};

use crate::trace::field_lines::lines;
use crate::trace::{Hop, Origin, ReceivedResponse, Trace, UserRequest};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedRequest {
    method: String,
    target: Target,
    fields: Vec<ExpectedField>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A request target, compared byte for byte.
    Literal(String),
    /// A pre-flight, compared by meaning.
    PreFlight {
        /// The learn path; the configured one for `{learn}`.
        path: Option<String>,
        method: String,
        /// The user's path, decoded.
        path_info: String,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExpectedResponse {
    statuses: Vec<u16>,
    location: Option<String>,
    /// A learn response, compared by meaning.
    json: Option<Map<String, Value>>,
    head: ExpectedFields,
    /// The fields in `[cell: ...]`. On an arrow to the user, they describe the response as the cell
    /// sent it.
    at_cell: ExpectedFields,
}

/// Fields that a response has, and fields that it does not have.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct ExpectedFields {
    with: Vec<ExpectedField>,
    without: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct ExpectedField {
    name: String,
    value: String,
}

impl ExpectedRequest {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (method, rest) = text.split_once(' ').ok_or("expected `METHOD /target`")?;
        let (target, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_method = method.bytes().all(|b| b.is_ascii_uppercase() || b == b'-');
        if !is_method || !(target.starts_with('/') || target.starts_with("{learn}")) {
            return Err(format!(
                "expected `METHOD /target`, or `GET {{learn}}?{}`",
                wire::learn_query("GET", "/path")
            ));
        }
        let mut words = Words::new(rest);
        let mut fields = Vec::new();
        while let Some(word) = words.next()? {
            fields.push(word.into_field()?);
        }
        Ok(Self { method: method.to_owned(), target: Target::parse(target)?, fields })
    }

    pub(super) fn is_pre_flight(&self) -> bool {
        matches!(self.target, Target::PreFlight { .. })
    }

    /// Why the request of a user is not the expected one.
    pub(super) fn mismatch_sent(&self, sent: &UserRequest) -> Option<String> {
        let Target::Literal(target) = &self.target else {
            return Some("users do not send pre-flights".to_owned());
        };
        self.mismatch(target, &sent.method, &sent.target.to_string(), &sent.fields)
    }

    /// Why the request at a cell is not the expected one.
    pub(super) fn mismatch_received(&self, hop: &Hop, trace: &Trace) -> Option<String> {
        let method = hop.request.method.to_string();
        match (&self.target, &hop.origin) {
            (_, Origin::Unsolicited) => Some("the request is unsolicited".to_owned()),
            (Target::Literal(_), Origin::PreFlight(..)) => {
                Some("a pre-flight where a user's request was expected".to_owned())
            }
            (Target::PreFlight { .. }, Origin::User(_)) => {
                Some("a user's request where a pre-flight was expected".to_owned())
            }
            (Target::Literal(target), Origin::User(_)) => {
                self.mismatch(target, &method, &hop.request.target.to_string(), &hop.request.fields)
            }
            (
                Target::PreFlight { path, method: asked_method, path_info },
                Origin::PreFlight(_, asked),
            ) => {
                let path = path.as_ref().or(trace.learn_path.as_ref());
                let methods = (method.as_str(), self.method.as_str());
                asked.mismatch(methods, path, asked_method, path_info)
            }
        }
    }

    fn mismatch(&self, target: &str, method: &str, seen: &str, fields: &[Field]) -> Option<String> {
        if method != self.method {
            Some(format!("the method is {method}, not {}", self.method))
        } else if seen != target {
            Some(format!("the target is {seen}, not {target}"))
        } else {
            self.fields.iter().find_map(|expected| expected.mismatch(fields))
        }
    }
}

impl Target {
    fn parse(text: &str) -> Result<Self, String> {
        let learn = |path: &str| text.strip_prefix(path).and_then(|rest| rest.strip_prefix('?'));
        let (path, query) = if let Some(query) = learn("{learn}") {
            (None, query)
        } else if let Some((path, query)) = [wire::LEARN_PATH, wire::LEARN_PATH_EARLIER]
            .into_iter()
            .find_map(|path| learn(path).map(|query| (path, query)))
        {
            (Some(path.to_owned()), query)
        } else if text.starts_with("{learn}") {
            return Err(format!(
                "a pre-flight needs its parameters: `{{learn}}?{}`",
                wire::learn_query("GET", "/path")
            ));
        } else {
            return Ok(Self::Literal(text.to_owned()));
        };
        // `path_info` comes last and is written decoded, as in the documents.
        let (method, path_info) = query
            .strip_prefix(&format!("{}=", wire::METHOD_PARAMETER))
            .and_then(|rest| rest.split_once(&format!("&{}=", wire::PATH_INFO_PARAMETER)))
            .ok_or_else(|| format!("expected `?{}`", wire::learn_query("METHOD", "/path")))?;
        Ok(Self::PreFlight { path, method: method.to_owned(), path_info: path_info.to_owned() })
    }
}

impl ExpectedResponse {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (statuses, rest) = text.split_once(' ').unwrap_or((text, ""));
        let statuses = statuses
            .split('|')
            .map(|status| status.parse().ok().filter(|status| (100..600).contains(status)))
            .collect::<Option<Vec<u16>>>()
            .ok_or("a response begins with its status, `200` or `502|503`")?;
        let mut response = Self {
            statuses,
            location: None,
            json: None,
            head: ExpectedFields::default(),
            at_cell: ExpectedFields::default(),
        };
        let mut words = Words::new(rest);
        while let Some(word) = words.next()? {
            match word {
                Word::Plain(location)
                    if location.starts_with('/') && response.location.is_none() =>
                {
                    response.location = Some(location.to_owned());
                }
                Word::Braces(json) => response.json = Some(relaxed_json(json)?),
                Word::Brackets(inside) => {
                    let mut words = Words::new(
                        inside
                            .strip_prefix("cell:")
                            .ok_or("brackets begin with the cell: `[cell: Name=value]`")?,
                    );
                    while let Some(word) = words.next()? {
                        response.at_cell.take(word, &mut words)?;
                    }
                }
                word => response.head.take(word, &mut words)?,
            }
        }
        Ok(response)
    }

    /// Why its fields are not where they belong. `passed_on` is a response that goes from a cell to
    /// its user in one arrow, with a router between them.
    pub(super) fn check_places(&self, passed_on: bool) -> Result<(), String> {
        let is_cache = |field: &ExpectedField| field.name.eq_ignore_ascii_case(wire::CELL_CACHE);
        if passed_on && self.head.with.iter().any(is_cache) {
            return Err(format!(
                "{0} may or may not reach the user (A-20); write `[cell: {0}=...]`",
                wire::CELL_CACHE
            ));
        }
        if !passed_on && self.at_cell != ExpectedFields::default() {
            return Err("`[cell: ...]` is for a response that goes from a cell to the user of a \
                        router in one arrow"
                .to_owned());
        }
        Ok(())
    }

    /// Why the response of a cell is not the expected one. Values name cells by their roles. Of one
    /// that is passed on, the fields of the arrow are those of the user,
    /// [`Self::mismatch_of_user`]; those in `[cell: ...]` are the cell's.
    pub(super) fn mismatch_of_cell(
        &self,
        hop: &Hop,
        is_passed_on: bool,
        trace: &Trace,
    ) -> Option<String> {
        let fields = if is_passed_on { &self.at_cell } else { &self.head };
        let Some((_, response)) = &hop.response else {
            return Some("the cell sent no response".to_owned());
        };
        self.mismatch_of_head(response.status, &renamed(&response.fields, trace), fields).or_else(
            || {
                let expected = self.json.as_ref()?;
                let body = trace.in_roles(&response.body.text());
                match serde_json::from_str::<Map<String, Value>>(&body) {
                    Ok(got) if got == *expected => None,
                    Ok(_) | Err(_) => {
                        Some(format!("the body is {body}, not {}", Value::Object(expected.clone())))
                    }
                }
            },
        )
    }

    /// Why the response to a user is not the expected one.
    pub(super) fn mismatch_of_user(&self, got: &ReceivedResponse, trace: &Trace) -> Option<String> {
        self.mismatch_of_head(got.status, &renamed(&got.fields, trace), &self.head)
    }

    fn mismatch_of_head(
        &self,
        status: u16,
        fields: &[Field],
        expected: &ExpectedFields,
    ) -> Option<String> {
        if !self.statuses.contains(&status) {
            let expected: Vec<_> = self.statuses.iter().map(u16::to_string).collect();
            return Some(format!("the status is {status}, not {}", expected.join(" or ")));
        }
        if let Some(location) = &self.location {
            let expected = ExpectedField { name: "Location".to_owned(), value: location.clone() };
            if let Some(why) = expected.mismatch(fields) {
                return Some(why);
            }
        }
        expected.mismatch(fields)
    }
}

/// The fields with the names of cells replaced by their roles.
fn renamed(fields: &[Field], trace: &Trace) -> Vec<Field> {
    let rename = |field: &Field| Field {
        name: field.name.clone(),
        value: trace.in_roles(&field.value.to_string()).as_str().into(),
    };
    fields.iter().map(rename).collect()
}

impl ExpectedFields {
    /// Parses one field, or a `without` and the name after it.
    fn take(&mut self, word: Word<'_>, words: &mut Words<'_>) -> Result<(), String> {
        match word {
            Word::Plain("without") => match words.next()? {
                Some(Word::Plain(name)) => self.without.push(name.to_owned()),
                _ => return Err("`without` needs the name of a field".to_owned()),
            },
            field => self.with.push(field.into_field()?),
        }
        Ok(())
    }

    fn mismatch(&self, fields: &[Field]) -> Option<String> {
        let unwanted = self.without.iter().find(|name| fields.iter().any(|field| field.is(name)));
        unwanted
            .map(|name| format!("it carries {name}"))
            .or_else(|| self.with.iter().find_map(|expected| expected.mismatch(fields)))
    }
}

impl ExpectedField {
    fn mismatch(&self, fields: &[Field]) -> Option<String> {
        match lines(fields, &self.name).as_slice() {
            [] => Some(format!("it carries no {}", self.name)),
            [line] if *line == self.value => None,
            lines => {
                Some(format!("{} is `{}`, not `{}`", self.name, lines.join("` `"), self.value))
            }
        }
    }
}

impl Word<'_> {
    fn into_field(self) -> Result<ExpectedField, String> {
        match self {
            Self::Field(name, value) => {
                Ok(ExpectedField { name: name.to_owned(), value: value.to_owned() })
            }
            Self::Plain(word) | Self::Braces(word) | Self::Brackets(word) => {
                Err(format!("`{word}` is not valid; a field is written `Name=value`"))
            }
        }
    }
}

/// The words of a message: plain words, `Name=value` whose value may be braces with spaces inside,
/// braces alone, and brackets with words inside.
struct Words<'a> {
    rest: &'a str,
}

enum Word<'a> {
    Plain(&'a str),
    Field(&'a str, &'a str),
    Braces(&'a str),
    Brackets(&'a str),
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    fn next(&mut self) -> Result<Option<Word<'a>>, String> {
        let text = self.rest;
        if text.is_empty() {
            return Ok(None);
        }
        let end_of_word = text.find(' ').unwrap_or(text.len());
        let word = &text[..end_of_word];
        let (word, taken) = if text.starts_with('{') {
            let end = closing_brace(text)?;
            (Word::Braces(&text[..end]), end)
        } else if let Some(inside) = text.strip_prefix('[') {
            // Values have no brackets inside.
            let end = inside.find(']').ok_or("a bracket is not closed")?;
            (Word::Brackets(&inside[..end]), end + 2)
        } else if let Some((name, value)) =
            word.split_once('=').filter(|(name, _)| !name.starts_with('/'))
        {
            if value.starts_with('{') {
                let begin = name.len() + 1;
                let end = begin + closing_brace(&text[begin..])?;
                (Word::Field(name, &text[begin..end]), end)
            } else {
                (Word::Field(name, value), end_of_word)
            }
        } else {
            (Word::Plain(word), end_of_word)
        };
        self.rest = text[taken..].trim_start();
        Ok(Some(word))
    }
}

fn closing_brace(text: &str) -> Result<usize, String> {
    text.find('}').map(|at| at + 1).ok_or_else(|| "a brace is not closed".to_owned())
}

/// Parses a learn response as the documents write it: without quotes around member names.
fn relaxed_json(text: &str) -> Result<Map<String, Value>, String> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let mut object = Map::new();
    for member in inner.split(", ").map(str::trim).filter(|member| !member.is_empty()) {
        let (name, value) =
            member.split_once(':').ok_or_else(|| format!("`{member}` is not `name: value`"))?;
        let value = serde_json::from_str(value.trim())
            .map_err(|_| format!("`{}` is not a JSON value", value.trim()))?;
        object.insert(name.trim().trim_matches('"').to_owned(), value);
    }
    Ok(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pre_flight_is_distinguished_from_a_request() {
        let request = ExpectedRequest::parse("GET {learn}?method=POST&path_info=/a&b").unwrap();
        let expected = Target::PreFlight {
            path: None,
            method: "POST".to_owned(),
            path_info: "/a&b".to_owned(),
        };
        assert_eq!(request.target, expected);
        assert!(ExpectedRequest::parse("GET {learn}").is_err());
        assert_eq!(
            ExpectedRequest::parse("GET /a?x={learn}").unwrap().target,
            Target::Literal("/a?x={learn}".to_owned())
        );
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in [
            "",
            "ok",
            "200 page",
            "700",
            "200 X={a",
            "200 [cell: X=a",
            "200 [X=a]",
            "200 [cell: page]",
        ] {
            assert!(ExpectedResponse::parse(text).is_err(), "{text:?}");
        }
        for text in ["GET", "get /a", "GET a", "GET /a b"] {
            assert!(ExpectedRequest::parse(text).is_err(), "{text:?}");
        }
    }
}
