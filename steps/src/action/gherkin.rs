//! Actions as the steps of a scenario.
//!
//! An expression stands at its definition in [`steps`](crate::steps): steps are read by it, and actions
//! are written by it.

use std::fmt;

use cucumber::gherkin::{Step, StepType};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::words::region_word;
use super::{
    Action, CookieChange, Flow, Framing, GitAction, Joining, MediaType, Person, RequestKind, Route,
    RunnerAction, Scope, SocketAction, Until, Visits, WorldAction,
};
use crate::steps::{self, BoundStep, expression};

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
        match self {
            Self::Request { person, request, route } => request.worded(person, route),
            Self::Visits { person, visits } => visits.worded(person),
            Self::Begin { person, request: RequestKind::Visit { target }, times, until } => {
                match (until, times) {
                    (Until::Ended, _) => step!(TOGETHER, person, quoted(target), times),
                    (Until::Sent, _) => step!(BEGIN_AS_WELL, person, quoted(target)),
                    (Until::Arrived, 1) => step!(BEGIN, person, quoted(target)),
                    (Until::Arrived, _) => step!(BEGIN_MANY, person, quoted(target), times),
                }
            }
            Self::Begin { person, .. } => step!(BEGIN_MESSAGE, person),
            Self::Leave { person } => step!(LEAVE, person),
            Self::AskEveryCell { path } => step!(ASK_EVERY_CELL, quoted(path)),
            Self::Flow { person, flow } => flow.worded(person),
            Self::AwaitFirstBytes { person } => step!(FIRST_BYTES, person),
            Self::RawBytes { person, half_close: true, .. } => step!(BYTES_AND_CLOSE, person),
            Self::RawBytes { person, half_close: false, .. } => step!(BYTES, person),
            Self::Shared { pipelined: true, .. } => step!(SHARED_PIPELINED),
            Self::Shared { pipelined: false, .. } => step!(SHARED),
            Self::WebSocket { person, socket } => match socket {
                SocketAction::Open { target, route } => {
                    step!(SOCKET_OPEN, person, quoted(target), route)
                }
                SocketAction::Say { text } => step!(SOCKET_SAY, person, quoted(text)),
                SocketAction::Close => step!(SOCKET_CLOSE, person),
            },
            Self::Cookies { person, change } => match change {
                CookieChange::Forge { value } => step!(FORGE_COOKIES, person, quoted(value)),
                CookieChange::TakeOver { from } => step!(TAKE_OVER_COOKIES, person, from),
                CookieChange::Copy { from } => step!(COPY_COOKIES, person, from),
                CookieChange::ForgeSession { with } => step!(FORGE_SESSION, person, quoted(with)),
            },
            Self::Git { person, does, route } => match does {
                GitAction::Push { commit, repository } => {
                    step!(PUSH, person, quoted(commit), quoted(repository), route)
                }
                GitAction::Clone { repository } => step!(CLONE, person, quoted(repository), route),
            },
            Self::Runner { person, does, route } => does.worded(person, route),
            Self::Poll { runners, cell, times } => step!(POLL, runners, cell, times),
            Self::World(action) => action.worded(),
        }
    }
}

impl RequestKind {
    fn worded(&self, person: &Person, route: &Route) -> (&'static str, Vec<String>) {
        match self {
            Self::Visit { target } => step!(VISIT, person, quoted(target), route),
            Self::Target { target } => step!(SEND_TARGET, person, quoted(target), route),
            Self::Method { method, target } => {
                step!(SEND_METHOD, person, method, quoted(target), route)
            }
            Self::RandomBody { method, target, length } => {
                let framing = Framing::Plain;
                step!(RANDOM_BODY, person, method, quoted(target), length, framing, route)
            }
            Self::Message { method, target, body, .. } => match self.media_type() {
                Some(media) => {
                    step!(TYPED_BODY, person, method, quoted(target), media, quoted(body), route)
                }
                None => step!(MESSAGE, person, route),
            },
            Self::OfRecord { target } => step!(OF_RECORD, person, quoted(target), route),
            Self::FollowRedirect => step!(FOLLOW_REDIRECT, person, route),
            Self::PageBelow { below } => step!(PAGE_BELOW, person, quoted(below), route),
            Self::ChooseCell { cell } => step!(CHOOSE_CELL, person, cell, route),
            Self::WithToken { target, owner } => {
                step!(WITH_TOKEN, person, quoted(target), route, owner)
            }
            Self::SignIn => step!(SIGN_IN, person, route),
            Self::SignOut => step!(SIGN_OUT, person, route),
            Self::CreateGroup { path, organization: Some(organization) } => {
                step!(CREATE_GROUP, person, quoted(path), quoted(organization), route)
            }
            Self::CreateGroup { path, organization: None } => {
                step!(CREATE_GROUP_WITHOUT, person, quoted(path), route)
            }
            // A new customer signs up without a name in the step.
            Self::SignUp { joining: Joining::Existing(slug) } => {
                step!(SIGN_UP_JOINING, quoted(slug), route)
            }
            Self::SignUp { joining: Joining::New(slug) } => {
                step!(SIGN_UP_CREATING, quoted(slug), route)
            }
            Self::SignUp { joining: Joining::Neither } => step!(SIGN_UP_NEITHER, route),
        }
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

impl Visits {
    fn worded(&self, person: &Person) -> (&'static str, Vec<String>) {
        match self {
            Self::Same { target, times } => step!(VISIT_TIMES, person, quoted(target), times),
            Self::Until { target, cell, most } => {
                step!(VISIT_UNTIL, person, quoted(target), cell, most)
            }
            Self::ColdPrefixes { count } => step!(VISIT_COLD, person, count),
            Self::LongPaths { one_in: 1, count } => step!(VISIT_LONG, person, count),
            Self::LongPaths { one_in, count } => step!(VISIT_SOME_LONG, person, one_in, count),
        }
    }
}

impl Flow {
    fn worded(&self, person: &Person) -> (&'static str, Vec<String>) {
        match self {
            Self::Chunked { method, target, length } => {
                let framing = Framing::InChunks;
                step!(RANDOM_BODY, person, method, quoted(target), length, framing, "")
            }
            Self::AfterContinue { method, target, length } => {
                let framing = Framing::AfterContinue;
                step!(RANDOM_BODY, person, method, quoted(target), length, framing, "")
            }
            Self::Halves { target, length } => step!(HALVES, person, length, quoted(target)),
            Self::UploadUntilStalled { target, length } => {
                step!(UPLOAD_UNTIL_STALLED, person, length, quoted(target))
            }
            Self::ReadAfterStall { target } => step!(READ_AFTER_STALL, person, quoted(target)),
        }
    }
}

impl WorldAction {
    fn worded(&self) -> (&'static str, Vec<String>) {
        match self {
            Self::TakeDown(group) => step!(TAKE_DOWN, group),
            Self::BringBack(group) => step!(BRING_BACK, group),
            Self::RestartCell(cell) => step!(CELL_RESTART, cell),
            Self::EndFaults => step!(FAULTS_END),
            Self::Release => step!(RELEASE),
            Self::ReleaseHeld { path } => step!(RELEASE_HELD, quoted(path)),
            Self::HoldReplicas { region } => step!(HOLD_REPLICAS, region_word(region)),
            Self::ReleaseReplicas => step!(RELEASE_REPLICAS),
            Self::Router { region, action } => step!(ROUTER, region_word(region), action),
            Self::MoveOrganization { organization, cell } => {
                step!(MOVES, quoted(organization), cell)
            }
            Self::RunMove { organization, cell, through, tried: true } => {
                step!(MOVE_TRIED, quoted(organization), cell, quoted(through))
            }
            Self::RunMove { organization, cell, through, tried: false } => {
                step!(MOVE_RUNS, quoted(organization), cell, quoted(through))
            }
            Self::KillMover { organization, cell, phase } => {
                step!(MOVER_DIES, quoted(organization), cell, quoted(phase))
            }
            Self::TakeMoveBack { organization } => step!(MOVE_TAKEN_BACK, quoted(organization)),
            Self::Insert { cell, rows, table } => step!(INSERT, cell, rows, quoted(table)),
            Self::InsertEverywhere { rows, table } => step!(INSERT_EVERYWHERE, rows, quoted(table)),
            Self::StopIds => step!(IDS_STOP),
            Self::StartIds => step!(IDS_START),
            Self::SlowIds { ms } => step!(IDS_SLOW, ms),
            Self::CrashIds => step!(IDS_CRASH),
            Self::QueueJobs { project, jobs } => step!(QUEUE, quoted(project), jobs),
            Self::CreateNamespace { path, cell } => step!(CREATE_NAMESPACE, quoted(path), cell),
            Self::CreateProject { path } => step!(CREATE_PROJECT, quoted(path)),
            Self::RenameNamespace { path, to } => step!(RENAME, quoted(path), quoted(to)),
            Self::AdvanceClock { seconds } => step!(ADVANCE_CLOCK, seconds),
            Self::PassTime { ms } => step!(PASS_TIME, ms),
            Self::PassTimeToLive => step!(PASS_TIME_TO_LIVE),
            Self::PassTimeOfLearned => step!(PASS_TIME_OF_LEARNED),
        }
    }
}

impl RunnerAction {
    fn worded(&self, runner: &Person, route: &Route) -> (&'static str, Vec<String>) {
        match self {
            Self::Register { cell, scope: Scope::Instance } => {
                step!(REGISTER, runner, cell, route)
            }
            Self::Register { cell, scope: Scope::Group(group) } => {
                step!(REGISTER_FOR_GROUP, runner, cell, quoted(group), route)
            }
            Self::Register { cell, scope: Scope::Project(project) } => {
                step!(REGISTER_FOR_PROJECT, runner, cell, quoted(project), route)
            }
            Self::RegisterByToken { cell } => step!(REGISTER_BY_TOKEN, runner, cell, route),
            Self::Ask => step!(ASK, runner, route),
            Self::AskByToken => step!(ASK_BY_TOKEN, runner, route),
            Self::Running => step!(JOB_RUNNING, runner, route),
            Self::Done => step!(JOB_DONE, runner, route),
        }
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
fn quoted(text: &str) -> String {
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
