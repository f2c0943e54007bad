//! When steps in which runners act, jobs are queued, and people use Git repositories.

use super::parameters::{Cell, Number, Person, Route, Scope};
use crate::action::{Action, GitAction, RunnerAction, WorldAction};

when!(
    "{person} registers at {cell}{scope}{route}",
    |person: Person, cell: Cell, scope: Scope, route: Route| {
        Action::Runner { person, does: RunnerAction::Register { cell, scope }, route }
    }
);
when!(
    "{person} registers by a token of {cell} alone{route}",
    |person: Person, cell: Cell, route: Route| {
        Action::Runner { person, does: RunnerAction::RegisterByToken { cell }, route }
    }
);
when!("{person} asks for a job{route}", |person: Person, route: Route| {
    Action::Runner { person, does: RunnerAction::Ask, route }
});
when!("{person} asks for a job by token alone{route}", |person: Person, route: Route| {
    Action::Runner { person, does: RunnerAction::AskByToken, route }
});
when!("{person} reports that the job is running{route}", |person: Person, route: Route| {
    Action::Runner { person, does: RunnerAction::Running, route }
});
when!("{person} reports that the job is done{route}", |person: Person, route: Route| {
    Action::Runner { person, does: RunnerAction::Done, route }
});
when!(
    "{number} runners of {cell} ask for a job at once, {number} time(s) each",
    |runners: Number, cell: Cell, times: Number| { Action::Poll { runners, cell, times } }
);
when!("the project {string} queues {number} job(s)", |project: String, jobs: Number| {
    Action::World(WorldAction::QueueJobs { project, jobs })
});
when!(
    "{person} pushes the commit {string} to {string}{route}",
    |person: Person, commit: String, repository: String, route: Route| {
        Action::Git { person, does: GitAction::Push { commit, repository }, route }
    }
);
when!("{person} clones {string}{route}", |person: Person, repository: String, route: Route| {
    Action::Git { person, does: GitAction::Clone { repository }, route }
});
