//! The Rails application of each cell.
//!
//! [`routes`] is the table of all pages, and names the [`layers`] that every visit passes on its way
//! to one. [`endpoint`] has what rows have in common, [`ownership`] decides the cell that is to
//! respond, and the other modules make the pages.

mod admin;
pub mod api;
mod application;
pub mod call;
pub mod cell;
pub mod control;
pub mod decision;
pub mod endpoint;
mod git;
pub mod installation;
mod layers;
pub mod layout;
mod learn;
mod look_up;
pub mod moving;
pub mod ownership;
pub mod parts;
pub mod path;
pub mod places;
pub mod request;
pub mod response;
mod routes;
pub mod runners;
pub mod sign_in;

pub(crate) use application::application;
pub use control::error::ControlError;
pub use installation::{Installation, InstallationError};
pub use sign_in::session::SESSION_COOKIE;
