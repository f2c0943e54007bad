//! Spreads connections evenly over the threads. All accept from one socket, and the one that is
//! awake would take most of them: it hands those on for which another thread has more room.

use std::io;
use std::net::{self, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// One thread's view of the connections of all.
#[derive(Debug)]
pub(crate) struct Spread {
    own: usize,
    open: Arc<[AtomicUsize]>,
    others: Arc<[UnboundedSender<Handed>]>,
    handed: UnboundedReceiver<Handed>,
}

/// A connection on its way to another thread.
type Handed = (net::TcpStream, SocketAddr, Open);

/// A connection that a thread is to serve.
pub(crate) type Accepted = (TcpStream, SocketAddr, Open);

/// Counts a connection among those of its thread, until this is dropped.
#[derive(Debug)]
pub(crate) struct Open {
    open: Arc<[AtomicUsize]>,
    thread: usize,
}

impl Spread {
    /// No connections yet, for a number of threads.
    pub(crate) fn new(threads: usize) -> Vec<Self> {
        let open: Arc<[_]> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
        let (others, handed): (Vec<_>, Vec<_>) = (0..threads).map(|_| unbounded_channel()).unzip();
        let others: Arc<[_]> = others.into();
        let of = |(own, handed)| {
            let (open, others) = (Arc::clone(&open), Arc::clone(&others));
            Self { own, open, others, handed }
        };
        handed.into_iter().enumerate().map(of).collect()
    }

    /// The connection, where this thread is to serve it; else another one does.
    pub(crate) fn assign(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
    ) -> io::Result<Option<Accepted>> {
        let number = |thread: &usize| self.open[*thread].load(Ordering::Relaxed);
        let least = (0..self.open.len()).min_by_key(number).unwrap_or(self.own);
        if number(&self.own) <= number(&least) {
            return Ok(Some(self.stay(stream, peer)));
        }
        let handed = (stream.into_std()?, peer, Open::new(&self.open, least));
        match self.others[least].send(handed) {
            Ok(()) => Ok(None),
            // That thread has ended.
            Err(back) => {
                let (stream, peer, _) = back.0;
                Ok(Some(self.stay(TcpStream::from_std(stream)?, peer)))
            }
        }
    }

    /// The connection, which this thread is to serve however many it has.
    pub(crate) fn stay(&self, stream: TcpStream, peer: SocketAddr) -> Accepted {
        (stream, peer, Open::new(&self.open, self.own))
    }

    /// The next connection that another thread hands to this one. Nothing is lost where this is not
    /// waited for to its end.
    pub(crate) async fn handed(&mut self) -> io::Result<Accepted> {
        match self.handed.recv().await {
            Some((stream, peer, open)) => Ok((TcpStream::from_std(stream)?, peer, open)),
            // This thread holds a sender itself, so that the channel stays open.
            None => std::future::pending().await,
        }
    }

    /// Those that were handed to this thread and wait; no more are taken from here on.
    pub(crate) fn last(&mut self) -> impl Iterator<Item = io::Result<Accepted>> {
        let handed = &mut self.handed;
        handed.close();
        std::iter::from_fn(move || handed.try_recv().ok())
            .map(|(stream, peer, open)| Ok((TcpStream::from_std(stream)?, peer, open)))
    }
}

impl Open {
    fn new(open: &Arc<[AtomicUsize]>, thread: usize) -> Self {
        open[thread].fetch_add(1, Ordering::Relaxed);
        Self { open: Arc::clone(open), thread }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.open[self.thread].fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test(flavor = "current_thread")]
    async fn whichever_thread_accepts_all_get_as_many() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connection = async || {
            let (user, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
            drop(user);
            accepted.unwrap()
        };
        let mut threads = Spread::new(3);
        let mut kept = Vec::new();
        for _ in 0..9 {
            let (stream, peer) = connection().await;
            kept.extend(threads[0].assign(stream, peer).unwrap());
        }
        assert_eq!(kept.len(), 3);
        let mut others: Vec<_> = threads[1].last().map(Result::unwrap).collect();
        others.push(threads[2].handed().await.unwrap());
        assert_eq!(others.len(), 4);
        let number = |threads: &[Spread]| {
            threads[0].open.iter().map(|open| open.load(Ordering::Relaxed)).collect::<Vec<_>>()
        };
        assert_eq!(number(&threads), [3, 3, 3]);
        // A thread that takes no more leaves them to whoever accepts.
        others.clear();
        let (stream, peer) = connection().await;
        kept.extend(threads[0].assign(stream, peer).unwrap());
        assert_eq!((kept.len(), number(&threads)), (4, vec![4, 0, 2]));
    }
}
