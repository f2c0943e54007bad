//! Programs that do not route: the null baseline of the suite.

use crate::entry::Mutant;
use crate::kind::Change;
use crate::name::kebab;
use crate::protocol::Protocols;

/// The switches and the table: `Name: "requirement", "summary";`.
macro_rules! no_routers {
    ($($name:ident: $requirement:literal, $summary:literal;)*) => {
        /// Ways not to route.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum NoRouter {
            $($name,)*
        }

        pub(crate) const TABLE: &[Mutant] = &[$(Mutant {
            name: kebab!($name),
            requirement: $requirement,
            protocols: Protocols::Both,
            summary: $summary,
            capability: None,
            change: Change::NoRouter(NoRouter::$name),
        }),*];
    };
}

no_routers! {
    Always502: "RT-01", "every request gets 502";
    Always404: "RT-01", "every request gets 404";
    Empty200: "RT-01", "every request gets an empty 200";
    Echo: "RT-01", "every request is sent back as its response";
    HangsUp: "RT-01", "every connection is closed without a response";
    FirstCellOnly: "RT-08",
        "every request goes to the first cell of the region, and its response is forwarded \
         unchanged";
    LoadBalancer: "RT-08",
        "requests go to all cells in turn, and each response is forwarded unchanged";
    RedirectsTheUserToTheCell: "RT-01", "the user is redirected to the address of a cell";
}
