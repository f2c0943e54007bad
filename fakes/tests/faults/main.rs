//! Every fault, as a client meets it and as the journal records it.

mod connections;
mod endings;
mod responses;
mod streams;
mod support;
