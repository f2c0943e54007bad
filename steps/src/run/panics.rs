//! Panics of a scenario's thread, caught with their place.

use std::cell::RefCell;
use std::panic::{self, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Panics on this thread while a scenario runs on it; `None` while none does.
    static CAUGHT: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Collects the panics of this thread until it is dropped.
#[derive(Debug)]
pub(super) struct PanicCollector(());

impl PanicCollector {
    pub(super) fn begin() -> Self {
        static HOOK: Once = Once::new();
        // Installed once for the process: hooks that scenarios swapped would be lost in parallel.
        HOOK.call_once(|| {
            let former = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !caught(info) {
                    former(info);
                }
            }));
        });
        CAUGHT.set(Some(Vec::new()));
        Self(())
    }

    /// What was collected so far.
    pub(super) fn panics(&self) -> Vec<String> {
        CAUGHT.with_borrow(|caught| caught.clone().unwrap_or_default())
    }
}

impl Drop for PanicCollector {
    fn drop(&mut self) {
        CAUGHT.set(None);
    }
}

fn caught(info: &PanicHookInfo<'_>) -> bool {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let message = message.unwrap_or("a panic without a message");
    let place = info
        .location()
        .map(|place| format!(" ({}:{})", place.file(), place.line()))
        .unwrap_or_default();
    CAUGHT.with_borrow_mut(|caught| {
        caught.as_mut().map(|caught| caught.push(format!("{message}{place}"))).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught_with_their_place() {
        let watch = PanicCollector::begin();
        let _ = panic::catch_unwind(|| panic!("on purpose"));
        let panics = watch.panics();
        assert!(
            panics[0].starts_with("on purpose (") && panics[0].contains("panics.rs:"),
            "{panics:?}"
        );
    }
}
