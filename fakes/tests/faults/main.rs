//! Every fault, as somebody meets it who connects to the cell, and as the journal has it.

mod connections;
mod endings;
mod responses;
mod streams;
mod support;
