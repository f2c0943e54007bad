//! Every fault, as somebody meets it who connects to the cell, and as the journal has it.

mod answers;
mod connections;
mod endings;
mod streams;
mod support;
