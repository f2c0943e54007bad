//! The routers as processes, over scripted cells.

mod base;
mod battery;
mod cells;
mod defects;
mod special;
mod support;
