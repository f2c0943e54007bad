//! When steps in which runners act, jobs are queued, and people use Git repositories.

use super::parameters::{Cell, Number, Person, Route};
use crate::action::{Action, GitAction, RunnerAction, Scope, WorldAction};

when!(
    REGISTER,
    "{person} registers at {cell}{route}",
    |person: Person, cell: Cell, route: Route| registers(person, cell, Scope::Instance, route)
);
when!(
    REGISTER_FOR_GROUP,
    "{person} registers at {cell} for the group {string}{route}",
    |person: Person, cell: Cell, group: String, route: Route| {
        registers(person, cell, Scope::Group(group), route)
    }
);
when!(
    REGISTER_FOR_PROJECT,
    "{person} registers at {cell} for the project {string}{route}",
    |person: Person, cell: Cell, project: String, route: Route| {
        registers(person, cell, Scope::Project(project), route)
    }
);
when!(
    REGISTER_BY_TOKEN,
    "{person} registers by a token of {cell} alone{route}",
    |person: Person, cell: Cell, route: Route| {
        runner(person, RunnerAction::RegisterByToken { cell: cell.0 }, route)
    }
);
when!(ASK, "{person} asks for a job{route}", |person: Person, route: Route| {
    runner(person, RunnerAction::Ask, route)
});
when!(
    ASK_BY_TOKEN,
    "{person} asks for a job by token alone{route}",
    |person: Person, route: Route| runner(person, RunnerAction::AskByToken, route)
);
when!(
    JOB_RUNNING,
    "{person} reports that the job is running{route}",
    |person: Person, route: Route| runner(person, RunnerAction::Running, route)
);
when!(JOB_DONE, "{person} reports that the job is done{route}", |person: Person, route: Route| {
    runner(person, RunnerAction::Done, route)
});
when!(
    POLL,
    "{number} runners of {cell} ask for a job at once, {number} time(s) each",
    |runners: Number, cell: Cell, times: Number| {
        Action::Poll { runners: runners.0, cell: cell.0, times: times.0 }
    }
);
when!(QUEUE, "the project {string} queues {number} job(s)", |project: String, jobs: Number| {
    WorldAction::QueueJobs { project, jobs: jobs.0 }
});

fn runner(person: Person, does: RunnerAction, route: Route) -> Action {
    Action::Runner { person, does, route }
}

fn registers(person: Person, cell: Cell, scope: Scope, route: Route) -> Action {
    runner(person, RunnerAction::Register { cell: cell.0, scope }, route)
}

when!(
    PUSH,
    "{person} pushes the commit {string} to {string}{route}",
    |person: Person, commit: String, repository: String, route: Route| {
        git(person, GitAction::Push { commit, repository }, route)
    }
);
when!(
    CLONE,
    "{person} clones {string}{route}",
    |person: Person, repository: String, route: Route| {
        git(person, GitAction::Clone { repository }, route)
    }
);

fn git(person: Person, does: GitAction, route: Route) -> Action {
    Action::Git { person, does, route }
}
