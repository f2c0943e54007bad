//! A run starts the program two thousand times, as the reference router. Half of a start is the
//! dynamic linker, which moves the program to an address that cannot be guessed. Only routers
//! under test need that; `reference-router`, for operators, has it.

use std::env;

fn main() {
    let target = |name| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_static = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    if target("OS") == "linux" && target("ENV") == "gnu" && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
