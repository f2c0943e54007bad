//! Turns the feature `broken` of `cells-conformance` on where the whole workspace is built.
//!
//! `cargo build` and `cargo run` in this workspace select every member, this one too, so their
//! program has the broken routers. `cargo build -p cells-conformance`, `cargo install` and packages
//! that depend on `cells-conformance` do not select it, and build without them.
//!
//! Cargo offers no other way to that. A default feature would reach vendors, `required-features` of
//! a target turns nothing on, and what a dev-dependency turns on holds for tests alone.
