//! Limits and timers.

use crate::around::Seam::Limits;

super::wrong! {
    "bounces-only-once": Buffering, "UN-03", "no request is sent more than twice" =>
        &[Limits(|config| config.topology.limits.max_hops = 2)];
    "bounces-forty-times": Buffering, "Z-01", "a request is sent up to forty times" =>
        &[Limits(|config| config.topology.limits.max_hops = 40)];
}

super::variants! {}
