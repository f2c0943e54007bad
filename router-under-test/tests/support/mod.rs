//! Shared parts of the integration tests: the router as a process, scripted cells, and a plain
//! client.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file is a program of its own and uses a part of this"
)]

pub(crate) mod cell;
pub(crate) mod client;
mod free_address;
pub(crate) mod message;
pub(crate) mod router;
pub(crate) mod single;
