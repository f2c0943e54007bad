//! The Rails application of each cell.
//!
//! [`routes`] is the table of all pages, and names the [`layers`] that every visit passes on its way
//! to one. [`endpoint`] has what rows have in common, [`ownership`] decides the cell that is to
//! respond, and the other modules make the pages.

mod admin;
mod api;
mod application;
mod cable;
mod call;
mod cell;
mod cell_settings;
mod cgi;
mod control;
mod control_runners;
mod dashboard;
mod decision;
mod endpoint;
mod git;
mod groups;
mod installation;
mod layers;
mod layout;
mod learn;
mod mistakes;
mod moving;
mod moving_state;
mod notes;
mod notices;
mod organizations;
mod ownership;
mod path;
mod places;
mod projects;
mod repositories;
mod request;
mod response;
mod routes;
mod rows;
mod runners;
mod search;
mod session;
mod settings;
mod sign_in;
mod sign_up;
mod token;
mod viewer;

pub(crate) use application::application;
pub use control::ControlError;
pub use installation::{Installation, InstallationError};
pub use session::SESSION_COOKIE;
