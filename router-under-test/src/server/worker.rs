//! A thread that serves: started before there is anything to serve, and its end is told.

use std::io;
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use tokio::runtime::{Builder, LocalOptions, LocalRuntime};
use tokio::sync::mpsc::UnboundedSender;

/// Tells that a thread has ended, and why where it failed; also where it panicked.
struct Teller {
    tell: UnboundedSender<Option<String>>,
    why: Option<String>,
}

impl Drop for Teller {
    fn drop(&mut self) {
        // Nobody listens where the process ends anyway.
        let _ = self.tell.send(self.why.take());
    }
}

/// Starts a thread, and waits until it has what the system must give it. The thread serves once it
/// is sent its listening socket.
pub(crate) fn start(
    number: usize,
    tell: UnboundedSender<Option<String>>,
    work: impl FnOnce(TcpListener, LocalRuntime) -> io::Result<()> + Send + 'static,
) -> io::Result<SyncSender<TcpListener>> {
    let (listener, given): (_, Receiver<TcpListener>) = sync_channel(1);
    let (ready, built) = sync_channel(1);
    thread::Builder::new().name(format!("router-{number}")).spawn(move || {
        let runtime =
            Builder::new_current_thread().enable_all().build_local(LocalOptions::default());
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => {
                // Whoever started this thread waits for it.
                let _ = ready.send(Err(error));
                return;
            }
        };
        let _ = ready.send(Ok(()));
        // Without a listening socket the router does not start.
        let Ok(listener) = given.recv() else { return };
        let mut teller = Teller { tell, why: Some("it panicked".to_owned()) };
        teller.why = work(listener, runtime).err().map(|error| error.to_string());
    })?;
    built.recv().map_err(|_| io::Error::other("a thread panicked"))??;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;

    use super::*;

    /// What is told of a thread that does this with its socket.
    fn told(
        work: impl FnOnce(TcpListener, LocalRuntime) -> io::Result<()> + Send + 'static,
    ) -> Option<String> {
        let (tell, mut ended) = unbounded_channel();
        let worker = start(0, tell, work).unwrap();
        worker.send(TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        ended.blocking_recv().unwrap()
    }

    #[test]
    fn the_end_of_a_thread_is_told() {
        assert_eq!(told(|_, _| Ok(())), None);
        assert_eq!(told(|_, _| Err(io::Error::other("no queue"))).as_deref(), Some("no queue"));
        assert_eq!(told(|_, _| panic!("as it must")).as_deref(), Some("it panicked"));
    }

    #[test]
    fn a_thread_without_a_socket_ends() {
        let (tell, mut ended) = unbounded_channel();
        drop(start(0, tell, |_, _| Ok(())).unwrap());
        assert!(ended.blocking_recv().is_none());
    }
}
