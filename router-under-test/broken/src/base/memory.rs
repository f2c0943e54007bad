//! What is cached from responses, and what only a mutant keeps beside that.

use std::io::{self, Write};
use std::time::Instant;

use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE, HOST};
use http::response::Parts;
use http::{Method, Response};

use crate::base::body::full;
use crate::base::config::Config;
use crate::base::router::{Body, Router};
use crate::base::target::{Ask, covers, trimmed};
use crate::base::wire::Learnt;
use crate::base::{beliefs, cookie};
use crate::kind::{Change, Mutation};

/// The cached cell for this request.
pub(crate) fn recall(router: &Router, ask: &Ask) -> Option<usize> {
    if router.has(Mutation::ConnectsToAbsoluteHosts) && ask.absolute {
        let host = ask.headers.get(HOST).and_then(|host| host.to_str().ok()?.parse().ok());
        return host.map(|host| router.adopt(host));
    }
    if let Some(cell) = beliefs::pointed(router, ask) {
        return Some(cell);
    }
    if router.has(Mutation::KeepsAMemoOfPaths)
        && let Some(cell) = router.extra().memo.get(ask.path())
    {
        return Some(*cell);
    }
    let remembered = router.cache().recall(ask, Instant::now());
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
    let wanted = match router.change {
        Change::Mutation(Mutation::NeverRemembers) => false,
        Change::Mutation(Mutation::LearnsFromGetsOnly) => {
            covering && !about_all && ask.method == Method::GET
        }
        Change::Mutation(Mutation::RemembersEverythingUnderRoot) => covering && !path.is_empty(),
        Change::Mutation(Mutation::TakesNoPrefixForEveryPath) => {
            covering && (path.is_empty() || !about_all)
        }
        Change::Mutation(Mutation::RemembersForeignPrefixes) => !about_all,
        _ => covering && !about_all,
    };
    let unfit = (router.has(Mutation::CannotUsePathsThatEndInASlash) && path.ends_with('/'))
        || (router.has(Mutation::NeedsTheSlashOfAPrefix) && !path.ends_with('/'));
    if !wanted || unfit {
        return;
    }
    let learnt = router.extra().asked_at.remove(ask.path()).unwrap_or_else(Instant::now);
    router.cache().teach(ask, path, exact, cell, learnt);
    router.extra().taught = Some((path.to_owned(), exact, cell));
    if router.has(Mutation::KeepsRoutesOnDisk) {
        let id = &router.config.cells[cell].id;
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(beside(&router.config, "routes"));
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
    let exact = match router.change {
        Change::Mutation(Mutation::TakesEveryResponseForExact) => true,
        Change::Mutation(Mutation::TakesExactFalseForExact) => learnt.names_exact,
        Change::Mutation(Mutation::IgnoresExact) => false,
        Change::Mutation(Mutation::DoesNotRememberFixedResponses) if learnt.source == "fixed" => {
            return;
        }
        Change::Mutation(Mutation::HeedsNoStoreOfLearnResponses) if learnt.no_store => return,
        _ => learnt.exact,
    };
    let path =
        if router.has(Mutation::TakesEveryResponseForExact) { ask.path() } else { &learnt.path };
    remember(router, ask, path, exact, cell);
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
    let text = std::fs::read_to_string(beside(&router.config, "routes")).unwrap_or_default();
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

fn beside(config: &Config, ending: &str) -> String {
    format!("{}.{ending}", config.topology)
}

/// The mutation that leaves a lock file behind.
pub(crate) fn claim_lock_file(config: &Config, change: Change) -> io::Result<()> {
    if change.has(Mutation::LeavesItsLockFile) {
        std::fs::File::create_new(beside(config, "lock"))?;
    }
    Ok(())
}

/// The mutation of a router that must be the only one of its installation: the process holds a name
/// that is made of the first cell's address.
pub(crate) fn claim_installation(
    config: &Config,
    change: Change,
) -> io::Result<Option<impl Sized + use<>>> {
    if !change.has(Mutation::WantsToBeTheOnlyOne) {
        return Ok(None);
    }
    hold(config.cells.first().map_or("", |cell| cell.authority.as_str())).map(Some)
}

/// By a socket.
#[cfg(target_os = "linux")]
fn hold(name: &str) -> io::Result<impl Sized + use<>> {
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener};

    UnixListener::bind_addr(&SocketAddr::from_abstract_name(format!("cells-router {name}"))?)
}

/// By a file, which remains when the process is killed.
#[cfg(not(target_os = "linux"))]
fn hold(name: &str) -> io::Result<impl Sized + use<>> {
    std::fs::File::create_new(format!("/tmp/cells-router-{}", name.replace(':', "-")))
}

/// The mutation of a content cache: an earlier response to the same target.
pub(crate) fn stored_page(router: &Router, ask: &Ask) -> Option<Response<Body>> {
    if ask.method != Method::GET {
        return None;
    }
    let key = page_key(router, ask)?;
    let extra = router.extra();
    let (parts, bytes) = extra.pages.get(&key)?;
    Some(Response::from_parts(parts.clone(), full(bytes.clone())))
}

/// Keeps a response for `stored_page`.
pub(crate) fn store_page(router: &Router, ask: &Ask, parts: &Parts, bytes: &Bytes) {
    if ask.method == Method::GET
        && parts.status.is_success()
        && let Some(key) = page_key(router, ask)
    {
        router.extra().pages.insert(key, (parts.clone(), bytes.clone()));
    }
}

/// The key of a cached page: its target, and for one of the two mutations its user.
fn page_key(router: &Router, ask: &Ask) -> Option<String> {
    match router.mutation() {
        Some(Mutation::KeepsPages) => Some(ask.target.clone()),
        Some(Mutation::KeepsPagesForEachUser) => {
            let user = [COOKIE, AUTHORIZATION].map(|name| ask.headers.get(name));
            Some(format!("{} {user:?}", ask.target))
        }
        _ => None,
    }
}
