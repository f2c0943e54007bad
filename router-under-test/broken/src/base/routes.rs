//! The routes that are remembered from responses, and recalled for requests.

use std::borrow::Cow;
use std::io::Write;
use std::time::Instant;

use http::Method;
use http::header::HOST;

use crate::base::deviate::{Written, changed, deviate};
use crate::base::router::Router;
use crate::base::target::{Ask, covers, trimmed};
use crate::base::wire::{Learnt, REDIRECT};
use crate::base::{cookie, pick};
use crate::deviation::{Element, Seam};
use crate::kind::Mutation;

/// The cached cell for this request.
pub(crate) fn recall(router: &Router, ask: &Ask) -> Option<usize> {
    if router.has(Mutation::ConnectsToAbsoluteHosts) && ask.absolute {
        let host = ask.headers.get(HOST).and_then(|host| host.to_str().ok()?.parse().ok());
        return host.map(|host| router.adopt(host));
    }
    // The mutation that obeys the redirect field of a user.
    if let Some(cell) = ask.claims.get(REDIRECT).and_then(|line| pick::named_in(router, line)) {
        return Some(cell);
    }
    if router.has(Mutation::KeepsAMemoOfPaths)
        && let Some(cell) = router.extra().memo.get(ask.path())
    {
        return Some(*cell);
    }
    let cells = router.config.cells.len();
    let path = changed(Seam::EntryLookedUp, Element::Target, ask.path().to_owned());
    let mut asked = Cow::Borrowed(ask);
    if path != ask.path() {
        asked.to_mut().set_path(&path);
    }
    let remembered = router.cache().recall(&asked, Instant::now());
    let (remembered, _) = changed(Seam::EntryLookedUp, Element::Cell, (remembered, cells));
    if router.has(Mutation::KeepsAMemoOfPaths)
        && let Some(cell) = remembered
    {
        let mut extra = router.extra();
        if extra.memo.len() >= router.config.max_entries {
            extra.memo.clear();
        }
        extra.memo.insert(ask.path().to_owned(), cell);
    }
    remembered.or_else(|| cookie::hint(router, ask))
}

/// Caches a learn response, unless its path does not cover the request or covers everything (CA-12,
/// Z-07, Z-08).
pub(crate) fn remember(router: &Router, ask: &Ask, path: &str, exact: bool, cell: usize) {
    let about_all = trimmed(path).is_empty();
    let covering = if exact { path == ask.path() } else { covers(path, ask.path()) };
    let wanted = match router.mutation() {
        Some(Mutation::LearnsFromGetsOnly) => covering && !about_all && ask.method == Method::GET,
        Some(Mutation::RemembersEverythingUnderRoot) => covering && !path.is_empty(),
        Some(Mutation::TakesNoPrefixForEveryPath) => covering && (path.is_empty() || !about_all),
        Some(Mutation::RemembersForeignPrefixes) => !about_all,
        _ => covering && !about_all,
    };
    let unfit = (router.has(Mutation::CannotUsePathsThatEndInASlash) && path.ends_with('/'))
        || (router.has(Mutation::NeedsTheSlashOfAPrefix) && !path.ends_with('/'));
    if !wanted || unfit {
        return;
    }
    let (ttl, cells) = (router.config.ttl, router.config.cells.len());
    let entry = Written { path: path.to_owned(), exact, cell: (Some(cell), cells), lifetime: ttl };
    let Some(Written { path, exact, cell: (Some(cell), _), lifetime }) =
        deviate(Seam::EntryWritten, entry).now()
    else {
        return;
    };
    let learnt = router.extra().asked_at.remove(ask.path()).unwrap_or_else(Instant::now);
    let learnt = learnt.checked_sub(ttl.saturating_sub(lifetime)).unwrap_or(learnt)
        + lifetime.saturating_sub(ttl);
    router.cache().teach(ask, &path, exact, cell, learnt);
    router.extra().taught = Some((path.clone(), exact, cell));
    if router.has(Mutation::KeepsRoutesOnDisk) {
        let id = &router.config.cells[cell].id;
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(router.config.beside("routes"));
        if let Err(error) = file.and_then(|mut file| writeln!(file, "{id} {exact} {path}")) {
            eprintln!("cannot keep a route: {error}");
        }
    }
}

/// Counts the TTL from the response to the request, not from the learn response (a mutation).
pub(crate) fn remember_again(router: &Router, ask: &Ask) {
    let taught = router.extra().taught.clone();
    if let Some((path, exact, cell)) = taught.filter(|(path, ..)| covers(path, ask.path())) {
        router.cache().teach(ask, &path, exact, cell, Instant::now());
    }
}

/// Caches one exact path without being told to.
pub(crate) fn remember_path(router: &Router, ask: &Ask, cell: usize) {
    router.cache().teach(ask, ask.path(), true, cell, Instant::now());
}

/// Caches a learn response (LN-05, LN-06).
pub(crate) fn remember_learnt(router: &Router, ask: &Ask, learnt: &Learnt, cell: usize) {
    let exact = match router.mutation() {
        Some(Mutation::TakesEveryResponseForExact) => {
            return remember(router, ask, ask.path(), true, cell);
        }
        Some(Mutation::TakesExactFalseForExact) => learnt.names_exact,
        Some(Mutation::DoesNotRememberFixedResponses) if learnt.source == "fixed" => return,
        Some(Mutation::HeedsNoStoreOfLearnResponses) if learnt.no_store => return,
        _ => learnt.exact,
    };
    remember(router, ask, &learnt.path, exact, cell);
    if router.has(Mutation::MaxAgeProlongsEntries)
        && let Some(taught) = router.extra().taught.clone()
    {
        router.cache().teach(ask, &taught.0, exact, cell, Instant::now() + learnt.max_age);
    }
}

/// Removes the entry that the last response made for this request.
pub(crate) fn unlearn(router: &Router, ask: &Ask) {
    let taught = router.extra().taught.take();
    if let Some((path, exact, _)) = taught.filter(|(path, ..)| covers(path, ask.path())) {
        router.cache().unteach(ask, &path, exact);
    }
}

/// Reads the routes that an earlier process stored.
pub(crate) fn load(router: &Router) {
    if !router.has(Mutation::KeepsRoutesOnDisk) {
        return;
    }
    let text = std::fs::read_to_string(router.config.beside("routes")).unwrap_or_default();
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(id), Some(exact), Some(path)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let Some(cell) = router.config.cells.iter().position(|cell| cell.id == id) else {
            continue;
        };
        let ask = Ask { target: path.to_owned(), ..Ask::default() };
        router.cache().teach(&ask, path, exact == "true", cell, Instant::now());
    }
}
