//! Wrong limits and timers.

use std::time::Duration;

use crate::around::Seam::Limits;

super::rows! {
    "bounces-forty-times" => [Limits(|config| config.topology.limits.max_hops = 40)];
    "bounces-only-once" => [Limits(|config| config.topology.limits.max_hops = 2)];
    "ttl-in-seconds" => [Limits(|config| config.topology.ttl *= 1000)];
    "waits-forever-to-connect" => [Limits(|config| {
        config.topology.limits.connect_timeout = Duration::from_secs(3600);
    })];
}
