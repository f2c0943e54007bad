//! A fleet whose stores are not the default: what it makes of them, whatever they are.

mod failing;
mod strategies;
