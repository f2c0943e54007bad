//! The router as a process, between users and cells.

mod bodies;
mod cells;
mod connections;
mod lifecycle;
mod limits;
mod support;
mod upgrade;
mod users;
