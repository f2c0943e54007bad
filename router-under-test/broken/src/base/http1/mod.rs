//! HTTP/1.1 by hand, on both sides: a library makes most mutations of it impossible, and a correct
//! router is stricter towards users than libraries are (Z-54, Z-55).

mod carried;
pub(crate) mod cell;
pub(crate) mod connection;
pub(crate) mod frame;
mod framing;
mod give;
pub(crate) mod head;
mod head_error;
mod lenient;
pub(crate) mod tunnel;
pub(crate) mod user;
pub(crate) mod write;
