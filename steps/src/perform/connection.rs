//! What a person does below a request: raw bytes, a WebSocket, cookies.

use cell_fleet::{Event, TokenForgery};

use super::ActionError;
use crate::action::{CookieChange, Person, Route, SocketAction};
use crate::literal::{shared_requests, wire_bytes};
use crate::people::RawText;
use crate::stage::Stage;

impl SocketAction {
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        match self {
            Self::Open { target, route } => {
                let way = stage.way(route).map_err(ActionError::Invalid)?;
                stage.people.open_socket(&person.0, way, target).await;
            }
            Self::Say { text } => stage.people.say(&person.0, text).await,
            Self::Close => stage.people.hang_up(&person.0).await,
        }
        Ok(())
    }
}

impl CookieChange {
    pub(super) fn perform(&self, person: &Person, stage: &mut Stage) -> Result<(), ActionError> {
        let of_cells = cookies_of_cells(stage);
        let people = &mut stage.people;
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

/// Names of the cookies that cells have set so far and that signing in gave. All others come from
/// the router.
fn cookies_of_cells(stage: &Stage) -> Vec<String> {
    let mut names = vec![cell_fleet::SESSION_COOKIE.to_owned()];
    for entry in stage.fleet.journal().entries() {
        let Event::Response(response) = entry.event else { continue };
        for line in response.fields.iter().filter(|field| field.is("Set-Cookie")) {
            names.extend(
                line.value.to_string().split_once('=').map(|(name, _)| name.trim().to_owned()),
            );
        }
    }
    names
}

/// Lets a person send raw bytes through the default router.
pub(super) async fn send_bytes(
    person: &Person,
    text: &str,
    half_close: bool,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let bytes = wire_bytes(text).map_err(ActionError::invalid)?;
    let way = stage.way(&Route::Default).map_err(ActionError::Invalid)?;
    let raw = RawText { text: &bytes, half_close, surplus: stage.waits().still };
    stage.people.send_bytes(&person.0, way, raw).await;
    Ok(())
}

/// Lets several people speak on one connection to the default router.
pub(super) async fn share(
    text: &str,
    pipelined: bool,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let requests = shared_requests(text).map_err(ActionError::invalid)?;
    let way = stage.way(&Route::Default).map_err(ActionError::Invalid)?;
    stage.people.share(&way, &requests, pipelined).await;
    Ok(())
}
