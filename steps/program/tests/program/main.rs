//! The program as people and CI use it: what it is told, what it says, how it ends.

mod call;
mod commands;
mod explore;
mod lab;
mod reports;
mod shards;
mod terminal;
mod usage;
mod verify;

#[cfg(target_os = "linux")]
mod linux {
    mod control;
    mod fleet;
    mod processes;
    mod room;
    mod running;
}
