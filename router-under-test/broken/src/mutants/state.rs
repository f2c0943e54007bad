//! Both: the process, its start and end, and what it keeps beyond them.

use crate::entry::{Mutant, both, learning};
use crate::kind::Mutation;

pub(crate) const TABLE: &[Mutant] = &[
    learning(
        "keeps-routes-on-disk",
        "RT-03",
        Mutation::RoutesOnDisk,
        "routes are written beside the topology file, and believed by the next process however old they are",
    ),
    both(
        "has-sessions-of-its-own",
        "RT-03",
        Mutation::OwnSessions,
        "users get a session of the router, and after a restart their cookie is refused",
    ),
    both(
        "leaves-its-lock-file",
        "RT-03",
        Mutation::StaleLock,
        "a lock file beside the topology file is not removed at the end, so that the next start fails",
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
        "the port to listen on is not the configured one",
    ),
    both("ignores-sigterm", "Z-39", Mutation::IgnoresSigterm, "SIGTERM is caught and ignored"),
    both(
        "refuses-unknown-topology-members",
        "Z-40",
        Mutation::RejectsTopologyMembers,
        "a topology file with a member that is not known is not accepted",
    ),
];
