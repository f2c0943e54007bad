//! The last actions of a scenario as lines for a shell, to repeat them by hand.

use crate::action::{Action, CurlCommand, comment};
use crate::trace::{Phase, Trace};

/// The last actions of a trace as lines for a shell, at most `most`: commands, and comments where
/// there is no command. Nothing where none of them has a command.
pub(super) fn shell_lines(trace: &Trace, most: usize) -> Vec<String> {
    let Some(default) = &trace.default_router else { return Vec::new() };
    let actions = &trace.actions[trace.actions.len().saturating_sub(most)..];
    let commands: Vec<_> = actions.iter().map(|action| action.as_curl(default)).collect();
    if commands.iter().all(Option::is_none) {
        return Vec::new();
    }
    let acts = |person: &str| {
        trace.users.iter().any(|request| request.phase != Phase::Setup && request.person == person)
    };
    let sessions = trace.sessions.iter().filter(|(person, _)| acts(person));
    let sign_in = |(person, account): &(String, String)| {
        CurlCommand::sign_in(person, account, &format!("router_{default}")).to_string()
    };
    let line = |(action, command): (&Action, Option<String>)| {
        command.unwrap_or_else(|| format!("# {}", comment(&action.as_gherkin().text)))
    };
    sessions.map(sign_in).chain(actions.iter().zip(commands).map(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Person, RequestKind, Route, WorldAction};
    use crate::trace::UserRequest;

    #[test]
    fn a_trace_is_repeated_by_commands_and_comments() {
        let follow =
            Action::request(Person("anna".to_owned()), RequestKind::FollowRedirect, Route::Default);
        let pass = Action::World(WorldAction::PassTime { ms: 5 });
        let mut trace = Trace {
            actions: vec![pass.clone(), follow.clone(), pass],
            default_router: Some(cell_fleet::Region::eu()),
            sessions: vec![("anna".to_owned(), "anna".to_owned())],
            ..Trace::default()
        };
        assert_eq!(shell_lines(&trace, 2), ["# anna follows the redirect", "sleep 0.005"]);
        let request = UserRequest {
            person: "anna".to_owned(),
            phase: Phase::Step(1),
            ..UserRequest::default()
        };
        trace.users = vec![request];
        assert!(shell_lines(&trace, 2)[0].contains("username=anna&password=anna-password"));
        trace.actions = vec![follow];
        assert_eq!(shell_lines(&trace, 2), Vec::<String>::new());
    }
}
