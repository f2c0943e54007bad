//! The correct router, with switches at its decision points.
//!
//! The path of a request: `server` accepts, `http1` reads it, `respond` lets `edge` clean it,
//! `buffering` or `learning` choose cells (with `routes`, `cache` and `pick`) and send it by
//! `forward`, and `edge` clean the response. `router` has the state, and imports none of these.

pub(crate) mod alike;
pub(crate) mod beliefs;
pub(crate) mod body;
pub(crate) mod buffering;
pub(crate) mod cache;
pub(crate) mod cache_keys;
pub(crate) mod collect;
pub(crate) mod config;
pub(crate) mod cookie;
pub(crate) mod deviate;
pub(crate) mod edge;
pub(crate) mod failures;
pub(crate) mod flow;
pub(crate) mod forward;
pub(crate) mod http1;
pub(crate) mod jar;
pub(crate) mod learning;
pub(crate) mod misreadings;
pub(crate) mod no_router;
pub(crate) mod outcome;
pub(crate) mod owner;
pub(crate) mod pages;
pub(crate) mod patterns;
pub(crate) mod pick;
pub(crate) mod pre_flight;
pub(crate) mod resend;
pub(crate) mod respond;
pub(crate) mod retry;
pub(crate) mod router;
pub(crate) mod routes;
pub(crate) mod server;
pub(crate) mod spelling;
pub(crate) mod target;
pub(crate) mod unsolicited;
pub(crate) mod waiters;
pub(crate) mod waiting_limit;
pub(crate) mod wire;
