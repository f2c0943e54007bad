//! The responses of the fake Rails application, called without a server: what cells say about every
//! path, and what no feature shows.

mod answers;
mod learn;
mod pages;
mod refusals;
mod sign_in;
mod support;
