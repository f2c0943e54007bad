//! Programs that do not route: the null baseline of the suite.

use crate::entry::{Mutant, none};
use crate::kind::NoRouter;

pub(crate) const TABLE: &[Mutant] = &[
    none("always-502", "RT-01", NoRouter::Always502, "every request gets 502"),
    none("always-404", "RT-01", NoRouter::Always404, "every request gets 404"),
    none("empty-200", "RT-01", NoRouter::Empty200, "every request gets an empty 200"),
    none("echo", "RT-01", NoRouter::Echo, "every request is sent back as its response"),
    none("hangs-up", "RT-01", NoRouter::HangsUp, "every connection is closed without a response"),
    none(
        "first-cell-only",
        "RT-08",
        NoRouter::FirstCellOnly,
        "every request goes to the first cell of the region, and its response is forwarded \
         unchanged",
    ),
    none(
        "load-balancer",
        "RT-08",
        NoRouter::LoadBalancer,
        "requests go to all cells in turn, and each response is forwarded unchanged",
    ),
    none(
        "redirects-the-user-to-the-cell",
        "RT-01",
        NoRouter::RedirectsTheUser,
        "the user is redirected to the address of a cell",
    ),
];
