//! What a router costs beside its verdict: latency and throughput, against the direct way.

pub mod record;
