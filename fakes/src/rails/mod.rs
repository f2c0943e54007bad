//! The Rails application of each cell.
//!
//! [`application`](mod@application) takes a request from its path to the response. [`routes`] is the
//! table of all pages, [`endpoint`] has what its rows have in common, [`ownership`] decides the cell
//! that is to respond, and the other modules make the pages.

mod admin;
pub mod api;
mod application;
pub(crate) mod call;
pub(crate) mod cell;
pub(crate) mod control;
pub(crate) mod decision;
pub(crate) mod endpoint;
mod git;
pub(crate) mod installation;
pub mod layout;
mod learn;
pub(crate) mod moving;
pub mod ownership;
pub(crate) mod parts;
pub mod path;
pub(crate) mod places;
pub(crate) mod request;
pub mod response;
pub(crate) mod routes;
pub mod runners;
pub(crate) mod sign_in;

pub(crate) use application::application;
pub use control::ControlError;
pub use installation::Installation;
pub use sign_in::session::SESSION_COOKIE;
