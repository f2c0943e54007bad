//! What a router writes to its standard output and standard error: the beginning and the end.
//!
//! A router writes into a pipe, and one thread reads the pipes of all routers, so that no router
//! waits for a scenario. What is kept is bounded, in memory: a router that writes without end fills
//! no disk. A child of the router may keep the pipe open after the router's exit; the reading ends
//! all the same.

use std::collections::VecDeque;
use std::io::{self, PipeWriter};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use tokio::net::unix::pipe::Receiver;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::stage::{around_last_error, readable};

/// How many bytes of the beginning are kept.
const HEAD: usize = 2_000;
/// How many bytes of the end are kept.
const TAIL: usize = 128 * 1024;
/// How many characters are shown around the last error.
const SHOWN: usize = 8_000;
/// How many bytes are read at a time: what a pipe holds.
const PIECE: usize = 1 << 16;
/// How many bytes are read after the exit of the router. It wrote no more than a pipe holds by
/// then, but a child of it may still write.
const READ_AFTER_EXIT: usize = 4 * PIECE;
/// How long the end of the reading may take. The thread that reads has nothing else to do.
const END_LIMIT: Duration = Duration::from_secs(5);

/// The output of one router.
#[derive(Debug)]
pub(super) struct RouterLog {
    kept: Arc<Mutex<Kept>>,
    reading: Option<Reading>,
}

/// The task that reads a pipe. If it is dropped, the reading goes on: whoever still writes into the
/// pipe must not be ended by that.
#[derive(Debug)]
struct Reading {
    end: Arc<Notify>,
    task: JoinHandle<()>,
}

impl RouterLog {
    /// Opens a pipe, whose writing end is for the router, and begins to read it.
    pub(super) fn open() -> io::Result<(Self, PipeWriter)> {
        let runtime = reader()?;
        let (reader, writer) = io::pipe()?;
        let pipe = {
            let _inside = runtime.enter();
            Receiver::from_owned_fd(OwnedFd::from(reader))?
        };
        let kept = Arc::<Mutex<Kept>>::default();
        let end = Arc::<Notify>::default();
        let task = runtime.spawn(read(pipe, kept.clone(), end.clone()));
        Ok((Self { kept, reading: Some(Reading { end, task }) }, writer))
    }

    /// Reads what the router wrote before its exit, and ends the reading.
    pub(super) async fn finish(&mut self) {
        if let Some(Reading { end, task }) = self.reading.take() {
            end.notify_one();
            let _ = tokio::time::timeout(END_LIMIT, task).await;
        }
    }

    /// What is shown of what is kept so far: of a long text, the beginning, and the end or what
    /// stands around the last error.
    pub(super) fn text(&self) -> String {
        shown(&locked(&self.kept).bytes())
    }
}

fn shown(bytes: &[u8]) -> String {
    if bytes.len() <= SHOWN {
        return readable(bytes).trim_end().to_owned();
    }
    let (head, rest) = bytes.split_at(HEAD);
    format!("{}\n{}", readable(head), around_last_error(&readable(rest), SHOWN - HEAD))
}

/// The thread that reads the pipes.
fn reader() -> io::Result<&'static Handle> {
    static READER: OnceLock<Result<Handle, String>> = OnceLock::new();
    let start = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
        let handle = runtime.handle().clone();
        let serve = move || runtime.block_on(std::future::pending::<()>());
        std::thread::Builder::new().name("router-logs".to_owned()).spawn(serve)?;
        io::Result::Ok(handle)
    };
    let started = READER.get_or_init(|| start().map_err(|error| error.to_string()));
    started.as_ref().map_err(|why| io::Error::other(format!("no thread for router logs: {why}")))
}

/// Reads until all writers have closed the pipe, or until the reading is ended.
async fn read(pipe: Receiver, kept: Arc<Mutex<Kept>>, end: Arc<Notify>) {
    let mut piece = vec![0; PIECE];
    loop {
        tokio::select! {
            () = end.notified() => break,
            ready = pipe.readable() => {
                if ready.is_err() {
                    return;
                }
                match pipe.try_read(&mut piece) {
                    Ok(0) => return,
                    Ok(length) => locked(&kept).add(&piece[..length]),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        }
    }
    // Directly: the runtime may not know yet what has arrived.
    let mut left = READ_AFTER_EXIT;
    while left > 0 {
        match rustix::io::read(&pipe, &mut piece) {
            Ok(0) | Err(_) => return,
            Ok(length) => locked(&kept).add(&piece[..length]),
        }
        left = left.saturating_sub(PIECE);
    }
}

fn locked(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The beginning and the end of a text of any length.
#[derive(Debug, Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Kept {
    fn add(&mut self, bytes: &[u8]) {
        let (head, bytes) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
        self.head.extend_from_slice(head);
        let (skipped, bytes) = bytes.split_at(bytes.len().saturating_sub(TAIL));
        let surplus = (self.tail.len() + bytes.len()).saturating_sub(TAIL);
        self.tail.drain(..surplus);
        self.tail.extend(bytes);
        self.left_out += (skipped.len() + surplus) as u64;
    }

    fn bytes(&self) -> Vec<u8> {
        let (front, back) = self.tail.as_slices();
        let tail = [front, back].concat();
        match self.left_out {
            0 => [&self.head[..], &tail].concat(),
            left_out => {
                let gap = format!("\n[... {left_out} bytes left out ...]\n");
                [&self.head[..], gap.as_bytes(), &tail].concat()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn the_middle_of_a_long_text_is_left_out_and_counted() {
        for size in [1, 100, PIECE, 1_000_000] {
            let text: String = (0..100_000).map(|number| format!("{number:09}\n")).collect();
            let mut kept = Kept::default();
            text.as_bytes().chunks(size).for_each(|piece| kept.add(piece));
            let (head, tail) = (&text[..HEAD], &text[text.len() - TAIL..]);
            let left_out = text.len() - HEAD - TAIL;
            let expected = format!("{head}\n[... {left_out} bytes left out ...]\n{tail}");
            assert!(kept.bytes() == expected.as_bytes(), "{size}");
        }
    }

    #[test]
    fn a_long_text_is_shown_with_its_beginning_and_its_last_error() {
        let quiet = "GET /a 200\n".repeat(2_000);
        let text =
            shown(format!("configuration: a.toml\n{quiet}ERROR: no route\n{quiet}").as_bytes());
        assert!(text.starts_with("configuration: a.toml\n"), "{text}");
        assert!(text.contains("ERROR: no route") && text.contains("are left out"), "{text}");
        assert!(text.len() <= SHOWN + 200, "{}", text.len());
        assert_eq!(shown(b"one\ntwo\n"), "one\ntwo");
    }

    #[tokio::test]
    async fn what_was_written_before_the_end_is_kept_also_where_the_pipe_stays_open() {
        let (mut log, mut writer) = RouterLog::open().unwrap();
        writer.write_all(b"first\n").unwrap();
        writer.write_all(b"last\n").unwrap();
        log.finish().await;
        assert_eq!(log.text(), "first\nlast");
    }
}
