//! Addresses for a scenario.
//!
//! The suite cannot bind a port on behalf of a router, and scenarios run in many processes at once.
//! On Linux all of 127.0.0.0/8 is loopback. Each scenario takes its own address from a
//! counter that all processes of a user share. The cells of the fleet bind that address first,
//! which keeps other scenarios off it. An address is not used again before four million others, so
//! a connection in TIME_WAIT cannot keep a router from binding.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::{Duration, Instant};

use super::resources::has_no_room;
use super::shared_folder::{open_shared, shared_path};

/// The first address, 127.64.0.0.
const FIRST: u32 = u32::from_be_bytes([127, 64, 0, 0]);
/// How many addresses there are: up to 127.127.255.255.
const COUNT: u32 = 1 << 22;
/// The port of the first cell; further cells follow. It is below the range from which systems
/// choose ports for outgoing connections.
pub const FIRST_CELL_PORT: u16 = 22_000;
/// The port of the first router; further routers follow.
pub const FIRST_ROUTER_PORT: u16 = 21_001;

/// How long the lock on the counter is waited for. The suite itself holds it for a moment; a router
/// that runs as the same user can take it and keep it.
const LOCK_LIMIT: Duration = Duration::from_secs(10);
/// Between two attempts to lock.
const PAUSE: Duration = Duration::from_millis(1);

/// Takes the next loopback address, outside a run. It blocks this thread, which may have a runtime.
pub fn next_address() -> io::Result<Ipv4Addr> {
    let take = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        runtime.block_on(take_address())
    };
    let taken = std::thread::scope(|scope| scope.spawn(take).join());
    taken.unwrap_or_else(|_| Err(io::Error::other("the thread that takes an address panicked")))
}

/// Takes the next loopback address. A run that is stopped drops this wait.
pub(super) async fn take_address() -> io::Result<Ipv4Addr> {
    let path = shared_path("addresses")?;
    loop {
        let number = next_number(&path, LOCK_LIMIT).await.map_err(|error| {
            let shown = path.display();
            let full = if has_no_room(&error) { "the disk is full: " } else { "" };
            let text = format!("{shown} (TMPDIR names the folder): {full}{error}");
            io::Error::new(error.kind(), text)
        })?;
        let address = Ipv4Addr::from_bits(FIRST + number % COUNT);
        // Addresses that end in .0 and .255 are valid here, but some programs refuse them.
        if !matches!(address.octets()[3], 0 | 255) {
            return Ok(address);
        }
    }
}

/// Increments the number in the file, under a lock. Without a number in it, the count starts at a
/// random one, so that users who share a machine rarely get the same addresses.
async fn next_number(path: &Path, limit: Duration) -> io::Result<u32> {
    let mut file = open_shared(path)?;
    lock(&file, limit).await?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let number = text.trim().parse::<u32>().unwrap_or_else(|_| rand::random()).wrapping_add(1);
    // All numbers are written with one length, over the old number: on a full disk, the file stays
    // as it is.
    file.seek(SeekFrom::Start(0))?;
    file.write_all(format!("{number:010}").as_bytes())?;
    file.set_len(10)?;
    Ok(number)
}

/// Locks a file, if that is possible within a limit.
async fn lock(file: &File, limit: Duration) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if began.elapsed() < limit => {
                tokio::time::sleep(PAUSE).await;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!(
                        "another process has kept the lock on this file for {limit:?}: end that \
                         process, or let TMPDIR name another folder"
                    ),
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(future)
    }

    #[test]
    fn parallel_takers_never_get_the_same_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counter");
        let numbers: Vec<u32> = std::thread::scope(|scope| {
            let takers: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let number = || block_on(next_number(&path, LOCK_LIMIT)).unwrap();
                        (0..50).map(|_| number()).collect::<Vec<_>>()
                    })
                })
                .collect();
            takers.into_iter().flat_map(|taker| taker.join().unwrap()).collect()
        });
        assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 200);
    }

    #[tokio::test]
    async fn addresses_are_loopback_and_survive_a_damaged_counter() {
        assert!(take_address().await.unwrap().is_loopback());
        assert!(next_address().unwrap().is_loopback());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counter");
        std::fs::write(&path, "not a number").unwrap();
        let first = next_number(&path, LOCK_LIMIT).await.unwrap();
        assert_eq!(next_number(&path, LOCK_LIMIT).await.unwrap(), first.wrapping_add(1));
    }

    #[tokio::test]
    async fn a_lock_that_somebody_keeps_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("counter");
        let kept = File::create(&path).unwrap();
        kept.lock().unwrap();
        let why = next_number(&path, Duration::from_millis(20)).await.unwrap_err();
        assert_eq!(why.kind(), io::ErrorKind::TimedOut);
        assert!(why.to_string().contains("kept the lock"), "{why}");
        drop(kept);
        next_number(&path, LOCK_LIMIT).await.unwrap();
    }
}
