//! Performs the actions of a scenario on its stage, a file for each kind of action.

mod flow;
mod request;
mod runners;
mod world;

use std::fmt;

use cell_fleet::{ControlError, OutageError, StoreError};

use crate::action::{Action, Person, Route, SocketAction, Until};
use crate::literal::{Request, shared_requests, wire_bytes};
use crate::people::RawText;
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

macro_rules! invalid_by {
    ($($why:ty),*) => {
        $(impl From<$why> for ActionError {
            fn from(why: $why) -> Self {
                Self::invalid(why)
            }
        })*
    };
}

invalid_by!(String, &str, ControlError, StoreError, OutageError);

impl Action {
    pub async fn perform(&self, stage: &mut Stage) -> Result<(), ActionError> {
        match self {
            Self::Request { person, request, route } => {
                request.perform(person, route, stage).await?;
            }
            Self::Visits { person, visits } => visits.perform(person, stage).await?,
            Self::Begin { person, request, times, until } => {
                let request = request.fixed().ok_or("the request follows from a response")?;
                begin(person, &request, *times, *until, stage).await?;
            }
            Self::Leave { person } => stage.leave(&person.0).await,
            Self::AskEveryCell { path } => request::ask_every_cell(path, stage).await?,
            Self::Flow { person, flow } => flow.perform(person, stage).await?,
            Self::AwaitFirstBytes { person } => stage.people.first_bytes(&person.0).await,
            Self::RawBytes { person, text, half_close } => {
                let bytes = wire_bytes(text)?;
                let way = stage.way(&Route::Default)?;
                let (half_close, surplus) = (*half_close, stage.launch.waits.still);
                let raw = RawText { text: &bytes, half_close, surplus };
                stage.people.send_bytes(&person.0, way, raw).await;
            }
            Self::Shared { text, pipelined } => {
                let requests = shared_requests(text)?;
                let way = stage.way(&Route::Default)?;
                stage.people.share(&way, &requests, *pipelined).await;
            }
            Self::WebSocket { person, socket } => match socket {
                SocketAction::Open { target, route } => {
                    let way = stage.way(route)?;
                    stage.people.open_socket(&person.0, way, target).await;
                }
                SocketAction::Say { text } => stage.people.say(&person.0, text).await,
                SocketAction::Close => stage.people.hang_up(&person.0).await,
            },
            Self::Git { person, does, route } => does.perform(person, route, stage).await?,
            Self::Runner { person, does, route } => does.perform(person, route, stage).await?,
            Self::Poll { runners, cell, times } => {
                runners::poll(*runners, cell, *times, stage).await?;
            }
            Self::Cookies { person, change } => change.perform(person, stage)?,
            Self::World(action) => action.perform(stage).await?,
        }
        Ok(())
    }
}

/// Begins the same request of a person this many times. A router that lets fewer through makes the
/// wait for their arrival end by its limit.
async fn begin(
    person: &Person,
    request: &Request,
    times: u64,
    until: Until,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let entries = stage.fleet.journal().entries().len();
    for _ in 0..times {
        stage.begin(&person.0, request.clone())?;
    }
    match until {
        // If the router queues it behind an earlier one, nothing shows at a cell. The round trip of
        // the next action, by another person, gives it time to be sent.
        Until::Sent => {}
        Until::Arrived => {
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            stage.arrived(entries, &request.target, times).await;
        }
        Until::Ended => stage.release().await,
    }
    Ok(())
}
