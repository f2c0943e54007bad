//! Changes a person's cookies.

use cell_fleet::{Event, TokenForgery};

use super::ActionError;
use crate::action::{CookieChange, Person};
use crate::stage::Stage;

impl CookieChange {
    pub(super) fn perform(&self, person: &Person, stage: &mut Stage) -> Result<(), ActionError> {
        let of_cells = cookies_of_cells(stage);
        let jar = stage.people.jar(&person.0);
        match self {
            Self::Forge { value } => jar.forge(&of_cells, value),
            Self::TakeOver { from } => jar.take_over(&stage.people.jar(&from.0), &of_cells),
            Self::Copy { from } => jar.take_over(&stage.people.jar(&from.0), &[]),
            Self::ForgeSession { with } => {
                let forgery: TokenForgery = with.parse().map_err(ActionError::invalid)?;
                jar.change(cell_fleet::SESSION_COOKIE, |token| forgery.forge(token));
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
