//! The way of a user's connection, from top to bottom: read a head once, refuse or route it, write
//! the response, and again.

mod acceptor;
mod arrive;
mod proxy_protocol;
mod tunnel;
mod write;

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::Poll;

use http::{Request, Version};
use tokio::net::TcpStream;

pub(crate) use acceptor::{Acceptor, Current};

use crate::headers::Peer;
use crate::http1::HeadError;
use crate::logging::access::Access;
use crate::respond::{Refusal, refuse};
use crate::shed::Ticket;
use crate::tcp;
use crate::user::{Connections, Counted, Next, RequestBody, User};
use arrive::FIRST_REQUEST;
use write::{Asked, End, Then, Unwritten, write};

/// Serves one user's connection to its end.
async fn serve(
    current: &Current,
    stream: TcpStream,
    peer: &Peer,
    counted: Counted,
    connections: &Connections,
) {
    // Only a connection that is gone has no such options; reading from it says so.
    let _ = tcp::prepare(&stream);
    let user = User::new(stream, counted.waits(), current.router().settings().user_timeouts);
    match converse(current, &user, peer, &counted).await {
        End::Close => {
            let has_more = !user.has_sent_all();
            user.close(has_more).await;
        }
        End::Drop => {}
        End::Tunnel(cell) => {
            // A tunnel is not closed where others need its place.
            let tunnel = connections.count(None);
            drop(counted);
            let idle = current.router().settings().user_timeouts.tunnel;
            if let Some(user) = user.into_tunnel() {
                tunnel::join(user, cell, tunnel, idle).await;
            }
        }
    }
}

/// One request after the other.
async fn converse(current: &Current, user: &Rc<User>, peer: &Peer, counted: &Counted) -> End {
    let mut ending = Ending { told: pin!(counted.ending()), asked: false };
    let mut is_new = true;
    loop {
        let then = match next(user, counted, &mut ending, is_new).await {
            Next::Request(request) => respond(current, user, request, peer, counted).await,
            Next::Fault(fault) => refuse_head(user, fault, peer).await,
            Next::End(error) => {
                if let Some(error) = error {
                    tracing::debug!(%error, "connection of a user ended");
                }
                return End::Drop;
            }
        };
        match then {
            Then::Stay => {}
            Then::End(end) => return end,
        }
        is_new = false;
        user.begin_to_wait();
    }
}

/// One request: routed, and its response written.
async fn respond(
    current: &Current,
    user: &User,
    request: Request<RequestBody>,
    peer: &Peer,
    counted: &Counted,
) -> Then {
    let asked = Asked::by(&request);
    let router = current.router();
    let mut unmarked = Unmarked { user, armed: asked.version == Version::HTTP_10 };
    let work = pin!(async {
        let response = router.response(request, peer).await;
        write(user, response, asked, || counted.is_ending()).await
    });
    let served = user.unless_gone(work);
    let broken = match served.await {
        Ok(Ok(then)) => {
            unmarked.armed = false;
            return then;
        }
        Ok(Err(error)) => error,
        Err(error) => Unwritten::User(error),
    };
    tracing::debug!(error = %broken, "a response was not written as a whole");
    Then::End(End::Drop)
}

/// A connection whose end could pass for that of a response (HTTP/1.0). Where the response is not
/// whole, or the thread ends before, it ends with a reset (Z-41).
struct Unmarked<'a> {
    user: &'a User,
    armed: bool,
}

impl Drop for Unmarked<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.user.break_off();
        }
    }
}

/// Refuses bytes that are no valid request; nothing after them is read as one.
async fn refuse_head(user: &User, fault: HeadError, peer: &Peer) -> Then {
    let mut ticket = Ticket::new();
    let mut access = Access::begin(peer.address.clone());
    let response = refuse(Refusal::from(fault), &fault, access.as_deref_mut(), None);
    ticket.settle();
    // Its line is there before the response, as that of every refusal.
    drop(access);
    let asked = Asked { version: Version::HTTP_11, head_alone: false, stays: false };
    match user.unless_gone(pin!(write(user, response, asked, || true))).await {
        // What follows is of no use, but who sends it should see the response.
        Ok(Ok(_)) => Then::End(End::Close),
        _ => Then::End(End::Drop),
    }
}

/// The signal to end, as one connection waits for it.
struct Ending<F> {
    told: Pin<F>,
    asked: bool,
}

/// The next request, or the end of a connection that is told to end.
async fn next<F: Future<Output = ()>>(
    user: &Rc<User>,
    counted: &Counted,
    ending: &mut Ending<&mut F>,
    is_new: bool,
) -> Next {
    // The signal is asked for once for each connection: its task, and so the waker that the signal
    // holds, stays the same.
    let arrived = poll_fn(|cx| {
        if let Poll::Ready(next) = user.poll_next(cx) {
            return Poll::Ready(Some(next));
        }
        if ending.asked && !counted.is_ending() {
            return Poll::Pending;
        }
        if !ending.asked && ending.told.as_mut().poll(cx).is_pending() {
            ending.asked = true;
            return Poll::Pending;
        }
        Poll::Ready(None)
    });
    if let Some(next) = arrived.await {
        return next;
    }
    if counted.is_closing() {
        return Next::End(None);
    }
    // A request that has arrived but was not read yet is under way for the user. The first turn
    // lets the event queue say so, the second lets the connection read it.
    for _ in 0..2 {
        tokio::select! {
            biased;
            next = poll_fn(|cx| user.poll_next(cx)) => return next,
            () = tokio::task::yield_now() => {}
        }
    }
    if is_new {
        // Who has just connected has a request to send, and may have one response.
        tokio::select! {
            biased;
            next = poll_fn(|cx| user.poll_next(cx)) => return next,
            () = tokio::time::sleep(FIRST_REQUEST) => {}
        }
    }
    Next::End(None)
}
