//! Listening, accepting, stopping.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;

use crate::base::body::BoxError;
use crate::base::config::Config;
use crate::base::deviate::{self, At, deviate};
use crate::base::http1::user;
use crate::base::router::Router;
use crate::base::routes;
use crate::deviation::{Element, Seam};
use crate::kind::{Change, Mutation};

/// Serves until SIGTERM or SIGINT.
pub(crate) fn serve(config: Config, change: Change) -> Result<(), BoxError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    // Tasks stay on this thread, so that they need not be `Send`.
    let outcome = LocalSet::new().block_on(&runtime, accept(config, change));
    // Requests that are still in flight end with the process.
    runtime.shutdown_background();
    outcome
}

async fn accept(config: Config, change: Change) -> Result<(), BoxError> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let own: SocketAddr = config.listen.parse()?;
    let start = deviate(Seam::Start, At(Element::Port, u64::from(own.port()))).one().await;
    let Some(At(_, port)) = start else {
        terminate.recv().await;
        return Ok(());
    };
    let own = SocketAddr::new(own.ip(), u16::try_from(port).unwrap_or_default());
    let _only_one = claim_installation(&config, change)?;
    claim_lock_file(&config, change)?;
    let listener = TcpListener::bind(own).await?;
    let router = Router::new(config, change);
    routes::load(&router);
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                tokio::task::spawn_local(user::serve(router.clone(), stream));
            },
            _ = terminate.recv() => {
                let stops = deviate(Seam::Stop, At(Element::Whole, true)).one().await;
                if stops.is_some() {
                    break;
                }
            }
            _ = interrupt.recv() => break,
        }
    }
    drop(listener);
    for _ in 0..250 {
        if router.pending.load(Ordering::Relaxed) == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    deviate::end();
    Ok(())
}

/// The mutation that leaves a lock file behind.
fn claim_lock_file(config: &Config, change: Change) -> io::Result<()> {
    if change.has(Mutation::LeavesItsLockFile) {
        std::fs::File::create_new(config.beside("lock"))?;
    }
    Ok(())
}

/// The mutation of a router that must be the only one of its installation: the process holds a name
/// that is made of the first cell's address.
fn claim_installation(config: &Config, change: Change) -> io::Result<Option<impl Sized + use<>>> {
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
