//! The seams: each decision of the router that another router could take in another way.
//!
//! The defaults are the correct ones, and the reference router has no others. Routers that are
//! wrong on purpose, and correct ones that differ, replace a few. The type is known when the router
//! is compiled, so a default costs nothing.

use std::fmt::Debug;
use std::future::ready;
use std::time::Instant;

use http::request::Parts as RequestHead;
use http::response::Parts as ResponseHead;
use http::{HeaderMap, Request, Response};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::body::Outgoing;
use crate::buffering;
use crate::cache::{Cache, Entry, Rule};
use crate::cells::{CellBody, Cells, SendError};
use crate::config::Config;
use crate::learning::{self, Destination, Said};
use crate::members::Malformed;
use crate::pick::ColdPick;
use crate::refusal::Refusal;
use crate::request::Arrival;
use crate::response::{self, UserBody};
use crate::router::User;
use crate::stream::Stream;
use crate::topology::{CellIndex, Topology};

/// A request of a user, as the router takes it.
#[derive(Debug)]
pub struct Ask<'a, N> {
    /// What cells get of it.
    pub arrival: &'a Arrival,
    /// What the parts have noted of it.
    pub note: &'a N,
    /// What the router was told.
    pub topology: &'a Topology,
    /// What it knows.
    pub cache: &'a Cache,
}

impl<'a, N> Ask<'a, N> {
    /// The path, without the query.
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.arrival.path()
    }
}

/// What cells are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The user's request.
    Request,
    /// A pre-flight.
    PreFlight,
}

/// One sending of a user's request.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it goes.
    pub cell: CellIndex,
    /// How many cells have got it before.
    pub sent: u64,
    /// Whether the cache named the first cell.
    pub known: bool,
}

/// What a cell says about who owns what.
#[derive(Debug)]
pub struct Told<'a> {
    /// The path or prefix, as it was said; in a malformed field there is none.
    pub path: Result<&'a [u8], Malformed>,
    /// Whether it is about this one path (LN-06).
    pub exact: bool,
    /// The owner.
    pub cell: CellIndex,
    /// When it ends, if it does.
    pub expires: Option<Instant>,
    /// The fields of the response that says so.
    pub fields: &'a HeaderMap,
    /// The sending that led to it; none for a pre-flight.
    pub step: Option<Step>,
}

/// Why an entry may go.
#[derive(Clone, Copy, Debug)]
pub enum Why<'a> {
    /// Its cell redirected the request, and this response came in the end.
    Bounced(&'a Response<CellBody>),
    /// Its cell redirected a body that is gone to this one.
    Streamed(CellIndex),
    /// Its cell gave this response.
    Responded(&'a Response<CellBody>),
    /// Its cell gave no response.
    Failed,
}

/// What becomes of a question about the owner of a path.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the large one is what nearly all of them are")]
pub enum Question {
    /// It is sent.
    Send(Request<Outgoing>),
    /// It needs no response.
    Known(Destination),
    /// There is no response to it.
    Refused(Refusal),
}

/// The decisions of a router.
///
/// Futures are named as such because those of all threads' tasks have to be `Send`.
pub trait Parts: Clone + Debug + Send + Sync + 'static {
    /// What is kept of a request, beyond what cells get.
    type Note: Debug + Send + Sync;
    /// A connection of a user, or to a cell.
    type Connection: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// Notes what is needed of a request as the user sent it.
    fn note(&self, head: &RequestHead, user: &User) -> Self::Note;

    /// The bytes of a user's connection.
    fn user(&self, stream: Stream) -> Self::Connection;

    /// The bytes of a connection to a cell.
    fn cell(&self, stream: Stream) -> Self::Connection;

    /// Limits and timers, before the router starts.
    fn limits(&self, _config: &mut Config) {}

    /// The router's own response: to a request that it refuses, or, where there is no refusal, to
    /// one that has just arrived. None lets the request go on. `is_last` says that no other request
    /// can follow on the connection.
    fn refusal(
        &self,
        _ask: &Ask<'_, Self::Note>,
        refusal: Option<Refusal>,
        is_last: bool,
    ) -> Option<Response<UserBody>> {
        refusal.map(|refusal| refusal.response(is_last))
    }

    /// The cells to try where none is known, one after the other (BF-11, LN-17).
    fn pick(&self, ask: &Ask<'_, Self::Note>, _purpose: Purpose) -> ColdPick {
        ColdPick::new(ask.topology)
    }

    /// The entry that decides about the path (Z-38).
    fn look_up<'a>(&'a self, ask: &'a Ask<'_, Self::Note>) -> Option<Entry<'a>> {
        ask.cache.entry(ask.path())
    }

    /// Remembers what a cell says; see [`remember`].
    fn remember(&self, ask: &Ask<'_, Self::Note>, told: &Told<'_>) -> Result<(), Refusal> {
        remember(ask, told)
    }

    /// Forgets an entry that led the request to `cell`, where that was wrong; see [`forget`].
    fn forget(&self, ask: &Ask<'_, Self::Note>, cell: CellIndex, why: Why<'_>) {
        forget(ask.cache, ask.path(), cell, why);
    }

    /// Makes the last changes of a request to a cell.
    fn request_to_cell(
        &self,
        _ask: &Ask<'_, Self::Note>,
        _step: Step,
        _request: &mut Request<Outgoing>,
        _cells: &Cells<Self>,
    ) -> impl Future<Output = ()> + Send {
        ready(())
    }

    /// The cell that a response sends the router to, if it is a redirect within the router (BF-03).
    fn redirect_as_read(
        &self,
        ask: &Ask<'_, Self::Note>,
        _step: Step,
        response: &Response<CellBody>,
    ) -> Result<Option<CellIndex>, Refusal> {
        buffering::redirect(response, ask.topology)
    }

    /// The question to `cell` about the owner of the path, as it is asked.
    fn pre_flight(
        &self,
        _ask: &Ask<'_, Self::Note>,
        _cell: CellIndex,
        question: Request<Outgoing>,
        _cells: &Cells<Self>,
    ) -> impl Future<Output = Question> + Send {
        ready(Question::Send(question))
    }

    /// What the response to a pre-flight says.
    fn learn_response_as_read(
        &self,
        ask: &Ask<'_, Self::Note>,
        _asked: CellIndex,
        head: &ResponseHead,
        body: &[u8],
    ) -> Result<Said, Refusal> {
        learning::said(ask.topology, head.status, body)
    }

    /// The cell to which a request is sent again that a cell has read, or has responded to; as it
    /// came where no other request is given. There is none (Z-17, LN-10).
    fn again(
        &self,
        _ask: &Ask<'_, Self::Note>,
        _step: Step,
        _outcome: Result<&Response<CellBody>, &SendError>,
    ) -> Option<(CellIndex, Option<Request<Outgoing>>)> {
        None
    }

    /// Makes a cell's response the user's.
    fn response_to_user(
        &self,
        ask: &Ask<'_, Self::Note>,
        _step: Step,
        response: Response<UserBody>,
    ) -> impl Future<Output = Response<UserBody>> + Send {
        response::to_user(response, ask.topology)
    }
}

/// Remembers what a cell says, where it covers the path (CA-03, LN-05, Z-07). A malformed field
/// does not keep the user from the response (Z-36).
///
/// # Errors
///
/// There are none: another router might refuse the request.
pub fn remember<N>(ask: &Ask<'_, N>, told: &Told<'_>) -> Result<(), Refusal> {
    let rule = match told.path {
        Ok(path) => Rule::new(path, told.exact, ask.path()),
        Err(error) => {
            tracing::warn!(%error, "malformed cache field");
            return Ok(());
        }
    };
    match rule {
        Some(rule) => ask.cache.remember(rule, told.cell, told.expires),
        None => tracing::warn!("what a cell says is not about this path"),
    }
    Ok(())
}

/// Forgets an entry that led a request for `path` to `cell`, where that was wrong.
///
/// What led elsewhere would do so again, where it covers less than what was said now (RT-09). Where
/// the body is gone, the entry names the other cell from here on, so that the request works where
/// the user sends it again (Z-82).
pub fn forget(cache: &Cache, path: &str, cell: CellIndex, why: Why<'_>) {
    match why {
        Why::Bounced(_) => cache.forget(path, cell),
        Why::Streamed(owner) => cache.correct(path, cell, owner),
        Why::Responded(_) | Why::Failed => {}
    }
}

/// The correct router.
#[derive(Clone, Copy, Debug)]
pub struct Correct;

impl Parts for Correct {
    type Note = ();
    type Connection = Stream;

    fn note(&self, _: &RequestHead, _: &User) {}

    fn user(&self, stream: Stream) -> Stream {
        stream
    }

    fn cell(&self, stream: Stream) -> Stream {
        stream
    }
}
