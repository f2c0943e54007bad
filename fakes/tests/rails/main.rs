//! The responses of the fake Rails application, called without a server: the contract's table row
//! by row, and what pages show to users.

mod admin;
mod answers;
mod contract;
mod creation;
mod learn;
mod moves;
mod pages;
mod sessions;
mod support;
