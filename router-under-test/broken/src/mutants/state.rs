//! Both: the process, its start and exit, and the state it keeps beyond them.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "keeps-routes-on-disk",
        "RT-03",
        Mutation::RoutesOnDisk,
        "routes are stored beside the topology file, and used by the next process without an \
         expiry",
    ),
    both(
        "has-sessions-of-its-own",
        "RT-03",
        Mutation::OwnSessions,
        "users get a session of the router, which is refused after a restart",
    ),
    both(
        "leaves-its-lock-file",
        "RT-03",
        Mutation::StaleLock,
        "a lock file beside the topology file is not removed at exit, so that the next start fails",
    ),
    both(
        "wants-to-be-the-only-one",
        "RT-04",
        Mutation::SingleInstance,
        "a second router of the same installation on one machine does not start",
    ),
    both("never-listens", "Z-39", Mutation::NeverListens, "the process starts and listens nowhere"),
    both(
        "listens-elsewhere",
        "Z-39",
        Mutation::ListensElsewhere,
        "the router listens on another port than the configured one",
    ),
    both("ignores-sigterm", "Z-39", Mutation::IgnoresSigterm, "SIGTERM is caught and ignored"),
    both(
        "refuses-unknown-topology-members",
        "Z-40",
        Mutation::RejectsTopologyMembers,
        "a topology file with an unknown member is refused",
    ),
];
