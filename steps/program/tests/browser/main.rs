//! The pages that the program writes, and a fleet with its routers, in headless Chromium.

mod chromium;
mod pages;
mod reports;
