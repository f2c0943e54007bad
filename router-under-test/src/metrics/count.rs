//! The counters and their metric names.

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// A request was admitted.
    RequestBegun,
    /// A request ended, with a complete response or not.
    RequestEnded,
    /// A cell's response was given to the user.
    Responded,
    /// The user left before there was a response.
    Abandoned,
    /// A user's connection was accepted.
    ConnectionOpened,
    /// A user's connection ended.
    ConnectionClosed,
    /// The cache knew the owner.
    CacheHit,
    /// The cache did not know the owner.
    CacheMiss,
    /// A cookie named an owner that the cache did not have (CA-15).
    HintUsed,
    /// A cookie that the router did not write, or that is older than its key.
    CookieRejected,
    /// A cookie was given to a user.
    CookieGiven,
    /// A pre-flight named the owner.
    PreflightOwner,
    /// A pre-flight received 404.
    PreflightUnknown,
    /// A pre-flight got no usable response.
    PreflightFailed,
    /// A pre-flight reached no cell.
    PreflightUnreachable,
    /// A connection to a cell was opened.
    UpstreamNew,
    /// A connection to a cell was used again.
    UpstreamReused,
    /// A connection to a cell turned out to be closed, and the request went to another one (Z-17).
    UpstreamRetried,
}

/// A counter per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountOf {
    /// A user's request was sent to the cell.
    Hop,
    /// The cell sent a request on to another one.
    Bounce,
}

impl Count {
    /// All of them, each in the place of its number.
    pub(super) const ALL: [Self; 18] = [
        Self::RequestBegun,
        Self::RequestEnded,
        Self::Responded,
        Self::Abandoned,
        Self::ConnectionOpened,
        Self::ConnectionClosed,
        Self::CacheHit,
        Self::CacheMiss,
        Self::HintUsed,
        Self::CookieRejected,
        Self::CookieGiven,
        Self::PreflightOwner,
        Self::PreflightUnknown,
        Self::PreflightFailed,
        Self::PreflightUnreachable,
        Self::UpstreamNew,
        Self::UpstreamReused,
        Self::UpstreamRetried,
    ];
}

impl CountOf {
    /// All of them, each in the place of its number.
    pub(super) const ALL: [Self; 2] = [Self::Hop, Self::Bounce];
}

/// Counters of one metric name, distinguished by a label.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    /// Label and value, as written between the braces; empty if there is only one.
    pub(super) series: &'static [(&'static str, Count)],
}

/// A gauge: the difference of two counts.
pub(super) struct Level {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) begun: Count,
    pub(super) ended: Count,
}

/// The counters, but for refusals and those of cells.
pub(super) const FAMILIES: [Family; 7] = [
    Family {
        name: "cells_router_cache_lookups_total",
        help: "Times that the cache was asked for the owner of a path.",
        series: &[("result=\"hit\"", Count::CacheHit), ("result=\"miss\"", Count::CacheMiss)],
    },
    Family {
        name: "cells_router_cookie_hints_used_total",
        help: "Requests whose cell was known from the user's cookie alone.",
        series: &[("", Count::HintUsed)],
    },
    Family {
        name: "cells_router_cookies_rejected_total",
        help: "Cookies of the router's name that it did not write under its present key.",
        series: &[("", Count::CookieRejected)],
    },
    Family {
        name: "cells_router_cookies_given_total",
        help: "Cookies given to users.",
        series: &[("", Count::CookieGiven)],
    },
    Family {
        name: "cells_router_preflights_total",
        help: "Cells asked for the owner of a path, by what came of it.",
        series: &[
            ("outcome=\"owner\"", Count::PreflightOwner),
            ("outcome=\"unknown\"", Count::PreflightUnknown),
            ("outcome=\"failed\"", Count::PreflightFailed),
            ("outcome=\"unreachable\"", Count::PreflightUnreachable),
        ],
    },
    Family {
        name: "cells_router_upstream_connections_total",
        help: "Connections to cells that a request was sent on.",
        series: &[("kind=\"new\"", Count::UpstreamNew), ("kind=\"reused\"", Count::UpstreamReused)],
    },
    Family {
        name: "cells_router_upstream_retries_total",
        help: "Requests that went to another connection, because the first was closed before the \
             cell read them.",
        series: &[("", Count::UpstreamRetried)],
    },
];

/// The gauges.
pub(super) const LEVELS: [Level; 2] = [
    Level {
        name: "cells_router_connections",
        help: "Connections of users that are open.",
        begun: Count::ConnectionOpened,
        ended: Count::ConnectionClosed,
    },
    Level {
        name: "cells_router_requests_in_flight",
        help: "Requests whose response is not complete.",
        begun: Count::RequestBegun,
        ended: Count::RequestEnded,
    },
];

/// The counters of cells: name, help and what is counted.
pub(super) const OF_CELLS: [(&str, &str, CountOf); 2] = [
    ("cells_router_hops_total", "Requests of users that were sent to a cell.", CountOf::Hop),
    ("cells_router_bounces_total", "Requests that a cell sent on to another one.", CountOf::Bounce),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_count_has_its_own_index() {
        for (place, count) in Count::ALL.into_iter().enumerate() {
            assert_eq!(count as usize, place);
        }
        for (place, count) in CountOf::ALL.into_iter().enumerate() {
            assert_eq!(count as usize, place);
        }
    }
}
