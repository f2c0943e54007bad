//! Actions as the steps of a scenario.
//!
//! An expression stands at its definition in [`steps`](crate::steps): steps are read by it, and actions
//! are written by it.

use std::fmt;

use cucumber::codegen::inventory;
use cucumber::gherkin::{Step, StepType};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Action, MediaType, RequestKind, Until, Visits};
use crate::steps::{self, ActionStep, BoundStep, expression};

/// The expression of a step, by its name in [`expression`], and the values of its parameters.
macro_rules! step {
    ($name:ident $(, $value:expr)*) => {
        (expression::$name, vec![$($value.to_string()),*])
    };
}

/// A step: its text without the keyword, and its doc string. Records have actions so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepText {
    /// The text.
    pub text: String,
    /// The doc string, for steps whose text ends in a colon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_string: Option<String>,
}

/// The step as a feature file has it, indented like a step of a scenario.
impl fmt::Display for StepText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        if let Some(doc_string) = &self.doc_string {
            write!(f, "\n      \"\"\"")?;
            let text = doc_string.strip_prefix('\n').unwrap_or(doc_string);
            // A blank line at the end ends the head of a request.
            for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                match line {
                    "" => writeln!(f)?,
                    line => write!(f, "\n      {line}")?,
                }
            }
            write!(f, "\n      \"\"\"")?;
        }
        Ok(())
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_gherkin().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StepText { text, doc_string } = StepText::deserialize(deserializer)?;
        action_of(text, doc_string).map_err(D::Error::custom)
    }
}

impl Action {
    /// The action as a step, which parses into the same action.
    pub fn as_gherkin(&self) -> StepText {
        let (expression, values) = self.worded();
        StepText { text: filled(expression, &values), doc_string: self.doc_string() }
    }

    fn doc_string(&self) -> Option<String> {
        match self {
            Self::RawBytes { text, .. } | Self::Shared { text, .. } => Some(text.clone()),
            Self::Request { request, .. } if request.media_type().is_some() => None,
            Self::Request {
                request: RequestKind::Message { method, target, fields, body },
                ..
            }
            | Self::Begin {
                request: RequestKind::Message { method, target, fields, body }, ..
            } => {
                let mut text = format!("{method} {target}");
                for (name, value) in fields {
                    text.push_str(format!("\n{name}: {value}").trim_end());
                }
                if !body.is_empty() {
                    text.push_str(&format!("\n\n{body}"));
                }
                Some(text)
            }
            _ => None,
        }
    }

    /// The expression of the step, and the values of its parameters.
    fn worded(&self) -> (&'static str, Vec<String>) {
        let step = |row: &ActionStep| Some((row.expression, (row.values)(self)?));
        let step = self.worded_by_hand().or_else(|| inventory::iter::<ActionStep>().find_map(step));
        // A test has the steps of all features.
        step.unwrap_or_else(|| unreachable!("no step means {self:?}"))
    }

    /// Where several steps mean one kind of action, or a step does not say all.
    fn worded_by_hand(&self) -> Option<(&'static str, Vec<String>)> {
        Some(match self {
            Self::Request { person, request, route } => match request {
                RequestKind::Message { method, target, body, .. } => match request.media_type() {
                    Some(media) => {
                        let (target, body) = (quoted(target), quoted(body));
                        step!(TYPED_BODY, person, method, target, media, body, route)
                    }
                    None => step!(MESSAGE, person, route),
                },
                _ => return None,
            },
            Self::Visits { person, visits: Visits::LongPaths { one_in: 1, count } } => {
                step!(LONG_PATHS, person, count)
            }
            Self::Begin { person, request: RequestKind::Message { .. }, .. } => {
                step!(BEGIN_MESSAGE, person)
            }
            Self::Begin {
                person,
                request: RequestKind::Visit { target },
                times: times @ 2..,
                until: Until::Arrived,
            } => step!(BEGIN_MANY, person, quoted(target), times),
            _ => return None,
        })
    }
}

impl RequestKind {
    /// The type of a body that stands in the step itself: it is one line, and no other field is
    /// sent.
    fn media_type(&self) -> Option<MediaType> {
        let Self::Message { fields, body, .. } = self else { return None };
        let is_line = !body.is_empty() && !body.contains(['\'', '\\', '\n']);
        let mut types = [MediaType::Json, MediaType::Form].into_iter();
        types.find(|media| is_line && *fields == [media.field()])
    }
}

/// What a step does.
fn action_of(text: String, doc_string: Option<String>) -> Result<Action, String> {
    let ty = StepType::When;
    let step = Step::builder().keyword("When ".to_owned()).ty(ty).value(text).docstring(doc_string);
    let step = step.build();
    let found = steps::find(&step).map_err(|_| format!("no When step is `{}`", step.value))?;
    match found.meaning.bound()? {
        BoundStep::Action(action) => Ok(action),
        BoundStep::Condition(_) | BoundStep::Check(_) => Err("no action".to_owned()),
    }
}

/// A string as a step quotes it.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains('"') { format!("'{text}'") } else { format!("\"{text}\"") }
}

/// An expression with values for its parameters, in order. The optional `(s)` is written unless
/// the value before it is 1.
fn filled(expression: &str, values: &[String]) -> String {
    let mut text = String::with_capacity(expression.len());
    let mut values = values.iter();
    let mut last = "";
    let mut rest = expression;
    while let Some(at) = rest.find(['{', '(']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("(s)") {
            text.push_str(if last == "1" { "" } else { "s" });
            rest = after;
        } else if let (Some((_, after)), Some(value)) = (rest.split_once('}'), values.next()) {
            text.push_str(value);
            last = value;
            rest = after;
        } else {
            break;
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Person;

    #[test]
    fn a_doc_string_keeps_its_blank_lines() {
        let text = "\nGET / HTTP/1.1\n\nGET /b HTTP/1.1\nConnection: close\n\n".to_owned();
        let bytes = Action::RawBytes { person: Person::visitor(), text, half_close: false };
        assert_eq!(quoted("/\""), "'/\"'");
        assert_eq!(
            bytes.as_gherkin().to_string(),
            concat!(
                "visitor sends raw bytes:\n      \"\"\"\n      GET / HTTP/1.1\n\n",
                "      GET /b HTTP/1.1\n      Connection: close\n\n      \"\"\""
            )
        );
    }
}
