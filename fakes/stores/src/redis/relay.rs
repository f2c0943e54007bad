//! The way of the replication from a primary to a replica, on which it can be held up.
//!
//! A replica reaches its primary by TCP only. The relay listens on a port that the operating system
//! has chosen, and passes on to the primary's Unix socket: no server has a port that could be in
//! use. What the primary sends waits here while the replica is to lag. Redis has no lag of its own
//! besides that of the connection.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::thread;

use cell_fleet::ReplicationLag;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// How much is read at once.
const CHUNK: usize = 16 * 1024;

/// A relay. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Relay {
    address: SocketAddr,
    lag: watch::Sender<ReplicationLag>,
}

impl Relay {
    /// Starts a relay to the primary with this socket, on its own thread: it outlives the
    /// runtimes of fleets.
    pub(super) fn start(primary: &Path) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
        let listener = runtime.block_on(bound)?;
        let address = listener.local_addr()?;
        let (lag, seen) = watch::channel(ReplicationLag::None);
        let primary = primary.to_owned();
        let serve = move || runtime.block_on(serve(listener, primary, seen));
        thread::Builder::new().name("redis relay".to_owned()).spawn(serve)?;
        Ok(Self { address, lag })
    }

    /// Where the replica finds its primary.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Delays or holds what the primary sends, also what is here already.
    pub(super) fn set_lag(&self, lag: ReplicationLag) {
        self.lag.send_replace(lag);
    }
}

async fn serve(listener: TcpListener, primary: PathBuf, mut lag: watch::Receiver<ReplicationLag>) {
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                if let Ok((replica, _)) = accepted {
                    let (primary, lag) = (primary.clone(), lag.clone());
                    // The replica connects again where this ends; its log has the reason.
                    tokio::spawn(async move { drop(carry(replica, primary, lag).await) });
                }
            }
            changed = lag.changed() => {
                if changed.is_err() {
                    return;
                }
            }
        }
    }
}

/// Carries one connection until one of its sides ends.
async fn carry(
    replica: TcpStream,
    primary: PathBuf,
    mut lag: watch::Receiver<ReplicationLag>,
) -> io::Result<()> {
    replica.set_nodelay(true)?;
    let (mut from_primary, mut to_primary) = UnixStream::connect(primary).await?.into_split();
    let (mut from_replica, mut to_replica) = replica.into_split();
    // The primary's own buffer would do as well, but would not say when a part was sent.
    let (sent, mut received) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    let reads = async {
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = from_primary.read(&mut chunk).await?;
            if length == 0 || sent.send((Instant::now(), chunk[..length].to_vec())).is_err() {
                return io::Result::Ok(());
            }
        }
    };
    let writes = async {
        while let Some((at, chunk)) = received.recv().await {
            due(&mut lag, at).await;
            to_replica.write_all(&chunk).await?;
        }
        io::Result::Ok(())
    };
    tokio::select! {
        ended = tokio::io::copy(&mut from_replica, &mut to_primary) => ended.map(drop),
        ended = reads => ended,
        ended = writes => ended,
    }
}

/// Waits until what was sent at this time may be passed on.
async fn due(lag: &mut watch::Receiver<ReplicationLag>, at: Instant) {
    loop {
        let now = *lag.borrow_and_update();
        let sleep = async {
            match now {
                ReplicationLag::None => {}
                ReplicationLag::For(delay) => tokio::time::sleep_until(at + delay).await,
                ReplicationLag::UntilReleased => std::future::pending().await,
            }
        };
        tokio::select! {
            () = sleep => return,
            changed = lag.changed() => {
                if changed.is_err() {
                    return;
                }
            }
        }
    }
}
