//! The Rails application of each cell.
//!
//! [`routes`] is the table of all pages, and names the [`layers`] that every visit passes on its way
//! to one. [`endpoint`] has what rows have in common, [`ownership`] decides the cell that is to
//! respond, and the other modules make the pages.

mod admin;
mod api;
mod application;
mod call;
mod cell;
mod control;
mod decision;
mod endpoint;
mod git;
mod installation;
mod layers;
mod layout;
mod learn;
mod mistakes;
mod moving;
mod notes;
mod ownership;
mod path;
mod places;
mod request;
mod response;
mod routes;
mod runners;
mod sign_in;

pub(crate) use application::application;
pub use control::ControlError;
pub use installation::{Installation, InstallationError};
pub use sign_in::session::SESSION_COOKIE;
