//! The tables: for each mistake its name, the requirement that it breaks, and what its author got wrong.

mod answers;
mod bounce;
mod caching;
mod concurrency;
pub(crate) mod degenerate;
mod http;
mod lifetime;
mod pages;
mod pre_flight;
mod region;
mod resend;
mod state;
pub(crate) mod variants;

use crate::catalog::Defect;

/// All defects in the order in which a request meets them.
pub(crate) fn all() -> Vec<Defect> {
    let tables = [
        bounce::TABLE,
        resend::TABLE,
        pre_flight::TABLE,
        answers::TABLE,
        caching::TABLE,
        lifetime::TABLE,
        region::TABLE,
        pages::TABLE,
        http::TABLE,
        state::TABLE,
        concurrency::TABLE,
    ];
    tables.concat()
}
