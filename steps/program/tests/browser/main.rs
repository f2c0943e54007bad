//! The pages that the program writes, in headless Chromium.

mod chromium;
mod pages;
mod reports;
