//! Listening, accepting, stopping.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;

use crate::base::config::Config;
use crate::base::http1::user;
use crate::base::memory;
use crate::base::router::{BoxError, Router};
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
    if change.has(Mutation::NeverListens) {
        terminate.recv().await;
        return Ok(());
    }
    let _only_one = memory::claim_installation(&config, change)?;
    memory::claim_lock_file(&config, change)?;
    let listener = TcpListener::bind(address(&config, change)?).await?;
    let router = Router::new(config, change);
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                tokio::task::spawn_local(user::serve(router.clone(), stream));
            },
            _ = terminate.recv() => if !router.has(Mutation::IgnoresSigterm) { break },
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
    Ok(())
}

fn address(config: &Config, change: Change) -> Result<SocketAddr, BoxError> {
    let mut address: SocketAddr = config.listen.parse()?;
    if change.has(Mutation::ListensElsewhere) {
        address.set_port(0);
    }
    Ok(address)
}
