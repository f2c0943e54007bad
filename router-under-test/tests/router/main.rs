//! The router as a process, between users and cells.

mod bodies;
mod cells;
mod connections;
mod cookie;
#[path = "../support/free_address.rs"]
mod free_address;
mod lifecycle;
mod limits;
mod support;
mod upgrade;
mod users;
