//! What a person does below a request: raw bytes, a WebSocket, cookies.

use cell_fleet::TokenForgery;

use super::ActionError;
use crate::action::{CookieChange, Person, SocketAction};
use crate::literal::{shared_requests, wire_bytes};
use crate::stage::Stage;

impl SocketAction {
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        match self {
            Self::Open { target, route } => {
                let opened = stage.open_socket(&person.0, route, target).await;
                opened.map_err(ActionError::Invalid)?;
            }
            Self::Say { text } => stage.people_mut().say(&person.0, text).await,
            Self::Close => stage.people_mut().hang_up(&person.0).await,
        }
        Ok(())
    }
}

impl CookieChange {
    pub(super) fn perform(&self, person: &Person, stage: &mut Stage) -> Result<(), ActionError> {
        let of_cells = stage.cookies_of_cells();
        let people = stage.people_mut();
        match self {
            Self::Forge { value } => people.forge_cookies(&person.0, &of_cells, value),
            Self::TakeOver { from } => people.take_over_cookies(&person.0, &from.0, &of_cells),
            Self::Copy { from } => people.take_over_cookies(&person.0, &from.0, &[]),
            Self::ForgeSession { with } => {
                let forgery: TokenForgery = with.parse().map_err(ActionError::invalid)?;
                let name = cell_fleet::SESSION_COOKIE;
                people.change_cookie(&person.0, name, |token| forgery.forge(token));
            }
        }
        Ok(())
    }
}

/// Lets a person send raw bytes through the default router.
pub(super) async fn send_bytes(
    person: &Person,
    text: &str,
    half_close: bool,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let bytes = wire_bytes(text).map_err(ActionError::invalid)?;
    stage.send_bytes(&person.0, &bytes, half_close).await.map_err(ActionError::Invalid)
}

/// Lets several people speak on one connection to the default router.
pub(super) async fn share(
    text: &str,
    pipelined: bool,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let requests = shared_requests(text).map_err(ActionError::invalid)?;
    stage.share(&requests, pipelined).await.map_err(ActionError::Invalid)
}
