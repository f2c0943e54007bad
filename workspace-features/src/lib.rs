//! Turns the feature `broken` of `cells-conformance` on where the whole workspace is built.
//!
//! `cargo build` and `cargo run` in this workspace select every member, this one too, so their
//! program has the broken routers. `cargo build -p cells-conformance`, `cargo install` and packages
//! that depend on `cells-conformance` do not select it, and build without them.
