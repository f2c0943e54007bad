//! The correct router, with switches at its decision points.
//!
//! The path of a request: `server` accepts, `http1` reads it, `edge` cleans it, `buffering` or
//! `learning` chooses cells (with `pick`, `memory` and `cache`) and sends it by `forward`, `edge`
//! cleans the response.

pub(crate) mod alike;
pub(crate) mod beliefs;
pub(crate) mod body;
pub(crate) mod buffering;
pub(crate) mod by_hand;
pub(crate) mod cache;
pub(crate) mod config;
pub(crate) mod cookie;
pub(crate) mod edge;
pub(crate) mod flow;
pub(crate) mod forward;
pub(crate) mod health;
pub(crate) mod http1;
pub(crate) mod learning;
pub(crate) mod memory;
pub(crate) mod no_router;
pub(crate) mod patterns;
pub(crate) mod pick;
pub(crate) mod places;
pub(crate) mod pre_flight;
pub(crate) mod resend;
pub(crate) mod retry;
pub(crate) mod router;
pub(crate) mod server;
pub(crate) mod target;
pub(crate) mod unsolicited;
pub(crate) mod wire;
