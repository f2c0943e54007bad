//! What the fake Rails application responds, called without a server: the contract's table row by
//! row, and what pages promise the people who read them.

mod admin;
mod contract;
mod creation;
mod databases;
mod learn;
mod moves;
mod pages;
mod sessions;
mod support;
