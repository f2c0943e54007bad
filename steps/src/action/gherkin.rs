//! Actions as the steps of a scenario.
//!
//! An expression stands at its step function: steps are read by it, and actions are written by it.

use std::fmt;

use cell_fleet::CellId;

use super::words::region_word;
use super::{
    Action, CellGroup, CookieChange, Flow, GitAction, IdAction, JobAction, Joining, MoveAction,
    RequestKind, RouterAction, RunnerAction, Scope, SocketAction, Visits, WorldAction,
};

/// The expressions of the steps that actions are written as, by the names of their functions
/// ([`steps`](crate::steps)): the build script reads them there.
pub(crate) mod expression {
    include!(concat!(env!("OUT_DIR"), "/expression.rs"));
}

/// A step: its text without the keyword, and its doc string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepText {
    /// The text.
    pub text: String,
    /// The doc string, for steps whose text ends in a colon.
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

impl Action {
    /// The action as a step, which parses into the same action.
    pub fn as_gherkin(&self) -> StepText {
        let (expression, values) = self.worded();
        StepText { text: filled(expression, &values), doc_string: self.doc_string() }
    }

    fn doc_string(&self) -> Option<String> {
        match self {
            Self::RawBytes { text, .. } | Self::Shared { text, .. } => Some(text.clone()),
            Self::Request {
                request: RequestKind::Message { method, target, fields, body },
                ..
            }
            | Self::BeginMessage {
                request: RequestKind::Message { method, target, fields, body },
                ..
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
        use expression as e;
        match self {
            Self::Request { person, request, route } => {
                let (expression, own) = request.worded();
                // A new customer signs up without a name in the step.
                let acting = match request {
                    RequestKind::SignUp { .. } => None,
                    _ => Some(person.to_string()),
                };
                let owner = match request {
                    RequestKind::WithToken { owner, .. } => Some(owner.to_string()),
                    _ => None,
                };
                let values =
                    acting.into_iter().chain(own).chain([route.to_string()]).chain(owner).collect();
                (expression, values)
            }
            Self::Visits { person, visits } => {
                let person = person.to_string();
                match visits {
                    Visits::Same { target, times } => {
                        (e::VISIT_TIMES, vec![person, quoted(target), times.to_string()])
                    }
                    Visits::Until { target, cell, most } => {
                        let values = [quoted(target), cell.to_string(), most.to_string()];
                        (e::VISIT_UNTIL, [person].into_iter().chain(values).collect())
                    }
                    Visits::ColdPrefixes { count } => {
                        (e::VISIT_COLD, vec![person, count.to_string()])
                    }
                    Visits::LongPaths { one_in: 1, count } => {
                        (e::VISIT_LONG, vec![person, count.to_string()])
                    }
                    Visits::LongPaths { one_in, count } => {
                        (e::VISIT_SOME_LONG, vec![person, one_in.to_string(), count.to_string()])
                    }
                }
            }
            Self::Together { person, target, times } => {
                (e::TOGETHER, vec![person.to_string(), quoted(target), times.to_string()])
            }
            Self::Begin { person, target, arrives } => {
                let expression = if *arrives { e::BEGIN } else { e::BEGIN_AS_WELL };
                (expression, vec![person.to_string(), quoted(target)])
            }
            Self::BeginMessage { person, .. } => (e::BEGIN_MESSAGE, vec![person.to_string()]),
            Self::BeginMany { person, target, times } => {
                (e::BEGIN_MANY, vec![person.to_string(), quoted(target), times.to_string()])
            }
            Self::Leave { person } => (e::LEAVE, vec![person.to_string()]),
            Self::AskEveryCell { path } => (e::ASK_EVERY_CELL, vec![quoted(path)]),
            Self::Flow { person, flow } => {
                let (expression, mut values) = flow.worded();
                values.insert(0, person.to_string());
                (expression, values)
            }
            Self::AwaitFirstBytes { person } => (e::FIRST_BYTES, vec![person.to_string()]),
            Self::RawBytes { person, half_close, .. } => {
                let expression = if *half_close { e::BYTES_AND_CLOSE } else { e::BYTES };
                (expression, vec![person.to_string()])
            }
            Self::Shared { pipelined, .. } => {
                (if *pipelined { e::SHARED_PIPELINED } else { e::SHARED }, Vec::new())
            }
            Self::WebSocket { person, socket } => {
                let person = person.to_string();
                match socket {
                    SocketAction::Open { target, route } => {
                        (e::SOCKET_OPEN, vec![person, quoted(target), route.to_string()])
                    }
                    SocketAction::Say { text } => (e::SOCKET_SAY, vec![person, quoted(text)]),
                    SocketAction::Close => (e::SOCKET_CLOSE, vec![person]),
                }
            }
            Self::Cookies { person, change } => {
                let person = person.to_string();
                match change {
                    CookieChange::Forge { value } => {
                        (e::FORGE_COOKIES, vec![person, quoted(value)])
                    }
                    CookieChange::TakeOver { from } => {
                        (e::TAKE_OVER_COOKIES, vec![person, from.to_string()])
                    }
                    CookieChange::ForgeSession { with } => {
                        (e::FORGE_SESSION, vec![person, quoted(with)])
                    }
                }
            }
            Self::Git { person, does, route } => {
                let (expression, own) = does.worded();
                let values = std::iter::once(person.to_string()).chain(own);
                (expression, values.chain([route.to_string()]).collect())
            }
            Self::Runner { person, does, route } => {
                let (expression, own) = does.worded();
                let values = std::iter::once(person.to_string()).chain(own);
                (expression, values.chain([route.to_string()]).collect())
            }
            Self::Poll { runners, cell, times } => {
                (e::POLL, vec![runners.to_string(), cell.to_string(), times.to_string()])
            }
            Self::World(action) => action.worded(),
        }
    }
}

impl RequestKind {
    /// The expression, and the values of its parameters without the acting person, the route and
    /// what comes after the route.
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::Visit { target } => (e::VISIT, vec![quoted(target)]),
            Self::Target { target } => (e::SEND_TARGET, vec![quoted(target)]),
            Self::Method { method, target } => {
                (e::SEND_METHOD, vec![method.clone(), quoted(target)])
            }
            Self::RandomBody { method, target, length } => {
                (e::RANDOM_BODY, vec![method.clone(), quoted(target), length.to_string()])
            }
            Self::Message { .. } => (e::MESSAGE, Vec::new()),
            Self::OfRecord { target } => (e::OF_RECORD, vec![quoted(target)]),
            Self::FollowRedirect => (e::FOLLOW_REDIRECT, Vec::new()),
            Self::PageBelow { below } => (e::PAGE_BELOW, vec![quoted(below)]),
            Self::ChooseCell { cell } => (e::CHOOSE_CELL, vec![cell.to_string()]),
            Self::WithToken { target, .. } => (e::WITH_TOKEN, vec![quoted(target)]),
            Self::SignIn => (e::SIGN_IN, Vec::new()),
            Self::SignOut => (e::SIGN_OUT, Vec::new()),
            Self::CreateGroup { path, organization: Some(organization) } => {
                (e::CREATE_GROUP, vec![quoted(path), quoted(organization)])
            }
            Self::CreateGroup { path, organization: None } => {
                (e::CREATE_GROUP_WITHOUT, vec![quoted(path)])
            }
            Self::SignUp { joining: Joining::Existing(slug) } => {
                (e::SIGN_UP_JOINING, vec![quoted(slug)])
            }
            Self::SignUp { joining: Joining::New(slug) } => {
                (e::SIGN_UP_CREATING, vec![quoted(slug)])
            }
            Self::SignUp { joining: Joining::Neither } => (e::SIGN_UP_NEITHER, Vec::new()),
        }
    }
}

impl Flow {
    /// The expression, and the values of its parameters without the acting person.
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        let body = |method: &String, target: &str, length: &u64| {
            vec![method.clone(), quoted(target), length.to_string()]
        };
        match self {
            Self::Chunked { method, target, length } => (e::CHUNKED, body(method, target, length)),
            Self::AfterContinue { method, target, length } => {
                (e::AFTER_CONTINUE, body(method, target, length))
            }
            Self::Generated { method, target, length } => {
                (e::GENERATED, body(method, target, length))
            }
            Self::Halves { target, length } => {
                (e::HALVES, vec![length.to_string(), quoted(target)])
            }
            Self::UploadUntilStalled { target, length } => {
                (e::UPLOAD_UNTIL_STALLED, vec![length.to_string(), quoted(target)])
            }
            Self::ReadAfterStall { target } => (e::READ_AFTER_STALL, vec![quoted(target)]),
        }
    }
}

impl WorldAction {
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::TakeDown(CellGroup::Cell(cell)) => (e::CELL_DOWN, vec![cell.to_string()]),
            Self::TakeDown(CellGroup::Region(region)) => {
                (e::REGION_DOWN, vec![region_word(region)])
            }
            Self::BringBack(CellGroup::Cell(cell)) => (e::CELL_BACK, vec![cell.to_string()]),
            Self::BringBack(CellGroup::Region(region)) => {
                (e::REGION_BACK, vec![region_word(region)])
            }
            Self::RestartCell(cell) => (e::CELL_RESTART, vec![cell.to_string()]),
            Self::EndFaults => (e::FAULTS_END, Vec::new()),
            Self::Release => (e::RELEASE, Vec::new()),
            Self::ReleaseHeld { path } => (e::RELEASE_HELD, vec![quoted(path)]),
            Self::ReleaseReplicas => (e::RELEASE_REPLICAS, Vec::new()),
            Self::Router { region, action } => {
                let expression = match action {
                    RouterAction::Stop => e::ROUTER_STOP,
                    RouterAction::TellToStop => e::ROUTER_TELL,
                    RouterAction::Restart => e::ROUTER_RESTART,
                };
                (expression, vec![region_word(region)])
            }
            Self::MoveOrganization { organization, cell } => {
                (e::MOVES, vec![quoted(organization), cell.to_string()])
            }
            Self::Move(action) => action.worded(),
            Self::Ids(action) => action.worded(),
            Self::Jobs(action) => action.worded(),
            Self::CreateNamespace { path, cell } => {
                (e::CREATE_NAMESPACE, vec![quoted(path), cell.to_string()])
            }
            Self::CreateProject { path } => (e::CREATE_PROJECT, vec![quoted(path)]),
            Self::RenameNamespace { path, to } => (e::RENAME, vec![quoted(path), quoted(to)]),
            Self::AdvanceClock { seconds } => (e::ADVANCE_CLOCK, vec![seconds.to_string()]),
            Self::PassTime { ms } => (e::PASS_TIME, vec![ms.to_string()]),
            Self::PassTimeToLive => (e::PASS_TIME_TO_LIVE, Vec::new()),
            Self::PassTimeOfLearnt => (e::PASS_TIME_OF_LEARNT, Vec::new()),
        }
    }
}

impl GitAction {
    /// The expression, and the values of its parameters between the person and the route.
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::Push { commit, repository } => {
                (e::PUSH, vec![quoted(commit), quoted(repository)])
            }
            Self::Clone { repository } => (e::CLONE, vec![quoted(repository)]),
        }
    }
}

impl RunnerAction {
    /// The expression, and the values of its parameters between the runner and the route.
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::Register { cell, scope: Scope::Instance } => {
                (e::REGISTER, vec![cell.to_string()])
            }
            Self::Register { cell, scope: Scope::Group(group) } => {
                (e::REGISTER_FOR_GROUP, vec![cell.to_string(), quoted(group)])
            }
            Self::Register { cell, scope: Scope::Project(project) } => {
                (e::REGISTER_FOR_PROJECT, vec![cell.to_string(), quoted(project)])
            }
            Self::RegisterByToken { cell } => (e::REGISTER_BY_TOKEN, vec![cell.to_string()]),
            Self::Ask => (e::ASK, Vec::new()),
            Self::AskByToken => (e::ASK_BY_TOKEN, Vec::new()),
            Self::Running => (e::JOB_RUNNING, Vec::new()),
            Self::Done => (e::JOB_DONE, Vec::new()),
        }
    }
}

impl JobAction {
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::Queue { project, jobs } => (e::QUEUE, vec![quoted(project), jobs.to_string()]),
        }
    }
}

impl MoveAction {
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        let values = |organization: &str, cell: &CellId, phase: &str| {
            vec![quoted(organization), cell.to_string(), quoted(phase)]
        };
        match self {
            Self::Run { organization, cell, through, tried } => {
                let expression = if *tried { e::MOVE_TRIED } else { e::MOVE_RUNS };
                (expression, values(organization, cell, through))
            }
            Self::Die { organization, cell, phase } => {
                (e::MOVER_DIES, values(organization, cell, phase))
            }
            Self::TakeBack { organization } => (e::MOVE_TAKEN_BACK, vec![quoted(organization)]),
        }
    }
}

impl IdAction {
    fn worded(&self) -> (&'static str, Vec<String>) {
        use expression as e;
        match self {
            Self::Insert { cell, rows, table } => {
                (e::INSERT, vec![cell.to_string(), rows.to_string(), quoted(table)])
            }
            Self::InsertEverywhere { rows, table } => {
                (e::INSERT_EVERYWHERE, vec![rows.to_string(), quoted(table)])
            }
            Self::Stop => (e::IDS_STOP, Vec::new()),
            Self::Start => (e::IDS_START, Vec::new()),
            Self::Slow { ms } => (e::IDS_SLOW, vec![ms.to_string()]),
            Self::Crash => (e::IDS_CRASH, Vec::new()),
        }
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
mod tests;
