//! A temporary file without a name: gone with the process, however that ends.

use std::future::Future;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use std::fs::File;
use tokio::task::{JoinHandle, spawn_blocking};

/// How much is read at once.
const CHUNK: u64 = 128 * 1024;

/// A body that is too long for memory. Cheap to clone; clones share the file.
#[derive(Clone, Debug)]
pub(crate) struct Spool {
    file: Arc<File>,
    length: u64,
}

impl Spool {
    /// An empty file in the directory for temporary files.
    pub(super) async fn create() -> io::Result<Self> {
        let file = off_thread(tempfile::tempfile).await?;
        Ok(Self { file: Arc::new(file), length: 0 })
    }

    /// Writes at the end.
    pub(super) async fn append(&mut self, blocks: Vec<Bytes>) -> io::Result<()> {
        let (file, mut end) = (Arc::clone(&self.file), self.length);
        let write = move || {
            for block in blocks {
                file.write_all_at(&block, end)?;
                end += block.len() as u64;
            }
            Ok(end)
        };
        self.length = off_thread(write).await?;
        Ok(())
    }

    /// How many bytes were written.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Reads all of it, from the start.
    pub(super) fn reader(&self) -> SpoolReader {
        SpoolReader { spool: self.clone(), offset: 0, reading: None }
    }
}

/// Reads a spool once.
#[derive(Debug)]
pub(super) struct SpoolReader {
    spool: Spool,
    offset: u64,
    reading: Option<JoinHandle<io::Result<Bytes>>>,
}

impl SpoolReader {
    /// How many bytes have yet to be read.
    pub(super) fn left(&self) -> u64 {
        self.spool.length - self.offset
    }

    /// The next bytes; none at the end.
    pub(super) fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        let length = self.left().min(CHUNK);
        if length == 0 {
            return Poll::Ready(None);
        }
        let (file, offset) = (&self.spool.file, self.offset);
        let reading = self.reading.get_or_insert_with(|| {
            let file = Arc::clone(file);
            spawn_blocking(move || {
                let mut buffer = vec![0; usize::try_from(length).map_err(io::Error::other)?];
                file.read_exact_at(&mut buffer, offset)?;
                Ok(Bytes::from(buffer))
            })
        });
        let chunk = ready!(Pin::new(reading).poll(cx)).unwrap_or_else(|error| Err(error.into()));
        self.reading = None;
        if let Ok(bytes) = &chunk {
            self.offset += bytes.len() as u64;
        }
        Poll::Ready(Some(chunk))
    }
}

/// Files block; the thread that serves must not.
async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(error.into()))
}
