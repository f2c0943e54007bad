//! Performs the actions of a scenario on its stage, a file for each kind of action.

mod connection;
mod flow;
mod git;
mod request;
mod runners;
mod visits;
mod world;

use std::fmt;

use crate::action::Action;
use crate::stage::Stage;

/// Why an action did not take place.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ActionError {
    /// The action cannot be done as it is written: the scenario is wrong, not the router.
    #[error("{0}")]
    Invalid(String),
    /// What happened before leaves nothing to go on from.
    #[error("{0}")]
    Interrupted(String),
    /// The suite failed: a file, a process.
    #[error("{0}")]
    Suite(String),
}

impl ActionError {
    pub(super) fn invalid(why: impl fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }
}

impl Action {
    /// Performs the action on the stage of a scenario.
    ///
    /// # Errors
    ///
    /// Says whether the scenario is wrong, or whether it cannot go on.
    pub async fn perform(&self, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::Request { person, request, route } => request.perform(person, route, stage).await,
            Self::Visits { person, visits } => visits.perform(person, stage).await,
            Self::Together { person, target, times } => {
                visits::together(person, target, *times, stage).await
            }
            Self::Begin { person, target, arrives } => {
                visits::begin(person, target, *arrives, stage).await
            }
            Self::BeginMessage { person, request } => {
                visits::begin_message(person, request, stage).await
            }
            Self::BeginMany { person, target, times } => {
                visits::begin_many(person, target, *times, stage).await
            }
            Self::Leave { person } => {
                stage.leave(&person.0).await;
                Ok(())
            }
            Self::AskEveryCell { path } => visits::ask_every_cell(path, stage).await,
            Self::Flow { person, flow } => flow.perform(person, stage).await,
            Self::AwaitFirstBytes { person } => {
                stage.people().first_bytes(&person.0).await;
                Ok(())
            }
            Self::RawBytes { person, text, half_close } => {
                connection::send_bytes(person, text, *half_close, stage).await
            }
            Self::Shared { text, pipelined } => connection::share(text, *pipelined, stage).await,
            Self::WebSocket { person, socket } => socket.perform(person, stage).await,
            Self::Git { person, does, route } => does.perform(person, route, stage).await,
            Self::Runner { person, does, route } => does.perform(person, route, stage).await,
            Self::Poll { runners, cell, times } => {
                runners::poll(*runners, cell, *times, stage).await
            }
            Self::Cookies { person, change } => change.perform(person, stage),
            Self::World(action) => action.perform(stage).await,
        }
    }
}
