//! Entries that led to the wrong cell, and those that make room.

use crate::around::prelude::*;

super::wrong! {
    "keeps-narrower-entries": Buffering, "Z-82",
        "an entry that led to a redirect stays where the new owner announces a shorter prefix" =>
        &[Forget(|at, cell, why| match why {
            Why::Bounced(response) if response.headers().contains_key(wire::CACHE) => {}
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
    "keeps-the-entry-of-an-upload": Buffering, "Z-82",
        "an entry stays where its cell redirected a body that cannot be sent again" =>
        &[Forget(|at, cell, why| match why {
            Why::Streamed(_) => {}
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
    "forgets-after-errors": Both, "Z-71", "a response of 5xx removes the entry that led to it" =>
        &[Forget(|at, cell, why| match why {
            Why::Responded(response) if response.status().is_server_error() => {
                at.ask.cache.forget(at.path(), cell);
            }
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
    "forgets-all-after-a-failure": Both, "Z-71", "where a cell gives no response, all entries go" =>
        &[Forget(|at, cell, why| match why {
            Why::Failed => {
                let entries = at.ask.cache.entries();
                entries.iter().for_each(|(path, exact, ..)| at.ask.cache.remove(path, *exact));
            }
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
}

super::variants! {
    "drops-an-entry-that-bounced": Buffering,
        "an entry whose cell redirected is removed at once, before another cell is asked" =>
        &[Redirected(|at, step, _, next| {
            if step.known {
                at.ask.cache.forget(at.path(), step.cell);
            }
            Ok(next)
        })];
    "forgets-after-a-404": Both, "a 404 removes the entry that led to it" =>
        &[Forget(|at, cell, why| match why {
            // What the 404 itself says stays.
            Why::Responded(response)
                if response.status() == StatusCode::NOT_FOUND
                    && !response.headers().contains_key(wire::CACHE) =>
            {
                at.ask.cache.forget(at.path(), cell);
            }
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
    "forgets-after-a-failure": Both, "an entry is removed when its cell gave no response" =>
        &[Forget(|at, cell, why| match why {
            Why::Failed => at.ask.cache.forget(at.path(), cell),
            _ => parts::forget(at.ask.cache, at.path(), cell, why),
        })];
    "empties-a-full-cache": Both, "a full cache is emptied" =>
        &[Remember(|at, told| {
            let entries = at.ask.cache.entries();
            if entries.len() >= at.ask.topology.cache.max_entries {
                entries.iter().for_each(|(path, exact, ..)| at.ask.cache.remove(path, *exact));
            }
            parts::remember(at.ask, told)
        })];
    "keeps-the-first-entries": Both, "a full cache accepts no new entry" =>
        &[Remember(|at, told| {
            let is_full = at.ask.cache.entries().len() >= at.ask.topology.cache.max_entries;
            if is_full && at.ask.cache.entry(at.path()).is_none() {
                return Ok(());
            }
            parts::remember(at.ask, told)
        })];
    "keeps-ten-times-as-many": Both, "ten times as many entries are kept" =>
        &[Limits(|config| {
            let most = &mut config.topology.cache.max_entries;
            *most = most.saturating_mul(10);
        })];
}
