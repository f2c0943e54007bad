//! The tables of mutants: the name of each, the requirement that it breaks, and a summary.

mod apart;
mod asking;
mod attacks;
mod believing;
mod bodies;
mod bounce;
mod caching;
mod comparisons;
mod concurrency;
mod cookies;
pub(crate) mod degenerate;
mod drawings;
mod engines;
mod framing;
mod http;
mod lifetime;
mod outage;
mod pages;
mod pre_flight;
mod region;
mod remembering;
mod resend;
mod responses;
mod sharing;
mod sockets;
mod state;
pub(crate) mod uncaught;
mod unseen;
mod unsolicited;
mod upstream;
pub(crate) mod variants;
mod wire;
mod written;

use crate::entry::Mutant;

/// All mutants, in the order in which a request meets their mutations.
pub(crate) fn all() -> Vec<Mutant> {
    let tables = [
        bounce::TABLE,
        resend::TABLE,
        pre_flight::TABLE,
        responses::TABLE,
        caching::TABLE,
        lifetime::TABLE,
        region::TABLE,
        pages::TABLE,
        http::TABLE,
        engines::TABLE,
        state::TABLE,
        concurrency::TABLE,
        asking::TABLE,
        outage::TABLE,
        wire::TABLE,
        bodies::TABLE,
        upstream::TABLE,
        cookies::TABLE,
        sockets::TABLE,
        drawings::TABLE,
        unseen::TABLE,
        framing::TABLE,
        comparisons::TABLE,
        written::TABLE,
        remembering::TABLE,
        believing::TABLE,
        unsolicited::TABLE,
        apart::TABLE,
        attacks::TABLE,
        sharing::TABLE,
    ];
    tables.concat()
}
