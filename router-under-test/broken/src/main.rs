//! `broken-router NAME`: runs the router of that name under the contract between suite and router.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut names = std::env::args().skip(1);
    match (names.next(), names.next()) {
        (Some(name), None) => broken_routers::run(&name),
        _ => {
            eprintln!("usage: broken-router NAME");
            ExitCode::from(broken_routers::USAGE)
        }
    }
}
