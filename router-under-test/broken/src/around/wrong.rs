//! The one router that stands for all: at each seam it runs what its row says, else what is correct.

use std::fmt;
use std::net::SocketAddr;
use std::pin::Pin;

use http::request::Parts as RequestHead;
use http::response::Parts as ResponseHead;
use http::{HeaderMap, Method, Request, Response, Uri};
use reference_router::body::Outgoing;
use reference_router::cache::Entry;
use reference_router::cells::{CellBody, Cells, SendError};
use reference_router::config::Config;
use reference_router::learning::Said;
use reference_router::parts::{Ask, Parts, Purpose, Question, Step, Told, Why};
use reference_router::pick::ColdPick;
use reference_router::refusal::Refusal;
use reference_router::response::{self, UserBody};
use reference_router::router::User;
use reference_router::stream::Stream;
use reference_router::topology::CellIndex;

use super::State;
use super::bytes::{Bytes, Filter};
use super::state::Held;

/// A future of a seam.
pub(crate) type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// What a router does again: at this cell, and with this request if not with the same.
pub(crate) type Again = Option<(CellIndex, Option<Request<Outgoing>>)>;

/// The cell that a redirect within the router names, if it is one.
pub(crate) type Named = Result<Option<CellIndex>, Refusal>;

/// What is wrong, and where. The arguments are those of the seam, behind what all have: [`At`].
#[derive(Clone, Copy)]
pub(crate) enum Seam {
    Limits(fn(&mut Config)),
    /// Runs before the router does.
    Start(fn()),
    Refusal(fn(&At<'_>, Option<Refusal>, bool) -> Option<Response<UserBody>>),
    Pick(fn(&At<'_>, Purpose) -> ColdPick),
    LookUp(for<'a> fn(&At<'a>) -> Option<Entry<'a>>),
    Remember(fn(&At<'_>, &Told<'_>) -> Result<(), Refusal>),
    Forget(fn(&At<'_>, CellIndex, Why<'_>)),
    Request(fn(&At<'_>, Step, &mut Request<Outgoing>)),
    /// May send requests of its own before.
    RequestLater(
        for<'a> fn(&'a At<'a>, Step, &'a mut Request<Outgoing>, &'a Cells<Wrong>) -> Later<'a, ()>,
    ),
    Redirect(fn(&At<'_>, Step, &Response<CellBody>) -> Named),
    PreFlight(fn(&At<'_>, Request<Outgoing>) -> Question),
    /// May send questions of its own, to the cell, and wait.
    PreFlightLater(
        for<'a> fn(
            &'a At<'a>,
            CellIndex,
            Request<Outgoing>,
            &'a Cells<Wrong>,
        ) -> Later<'a, Question>,
    ),
    Learn(fn(&At<'_>, CellIndex, &ResponseHead, &[u8]) -> Result<Said, Refusal>),
    Again(fn(&At<'_>, Step, Result<&Response<CellBody>, &SendError>) -> Again),
    /// Gets the response as the cell gave it, and what the correct router makes of it.
    Response(fn(&At<'_>, Step, &HeaderMap, &mut Response<UserBody>)),
    /// Gets the response as the cell gave it.
    ResponseLater(
        for<'a> fn(&'a At<'a>, Step, Response<UserBody>) -> Later<'a, Response<UserBody>>,
    ),
    /// The bytes of users' connections, or of those to cells.
    Users(fn() -> Box<dyn Filter>),
    Cells(fn() -> Box<dyn Filter>),
}

/// The seams of a row.
#[derive(Clone, Copy)]
pub(crate) struct Seams(pub(crate) &'static [Seam]);

impl fmt::Debug for Seams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seams({:p})", self.0)
    }
}

impl PartialEq for Seams {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Seams {}

/// A request as the user sent it.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    /// The address and port of the user: those of one connection.
    pub(crate) user: SocketAddr,
    /// What it has that others wait for.
    pub(crate) held: Held,
}

/// A request at a seam.
pub(crate) struct At<'a> {
    pub(crate) ask: &'a Ask<'a, Note>,
    pub(crate) state: &'a State,
}

impl<'a> At<'a> {
    /// The path, without the query.
    pub(crate) fn path(&self) -> &'a str {
        self.ask.path()
    }

    /// What the user sent.
    pub(crate) fn note(&self) -> &'a Note {
        self.ask.note
    }

    /// Whether the protocol has pre-flights.
    pub(crate) fn is_learning(&self) -> bool {
        self.ask.topology.protocol.name() == "learning"
    }
}

/// A router with the seams of a row.
#[derive(Clone)]
pub(crate) struct Wrong {
    seams: &'static [Seam],
    state: State,
}

impl fmt::Debug for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wrong")
    }
}

impl Wrong {
    pub(crate) fn new(Seams(seams): Seams) -> Self {
        Self { seams, state: State::default() }
    }

    /// What is to be done before the router starts.
    pub(crate) fn start(&self) {
        for seam in self.seams {
            if let Seam::Start(start) = seam {
                start();
            }
        }
    }

    fn at<'a>(&'a self, ask: &'a Ask<'a, Note>) -> At<'a> {
        At { ask, state: &self.state }
    }
}

/// What the row has for a kind of seam.
macro_rules! found {
    ($self:ident, $kind:ident) => {
        $self.seams.iter().find_map(|seam| match seam {
            Seam::$kind(function) => Some(function),
            _ => None,
        })
    };
}

impl Parts for Wrong {
    type Note = Note;
    type User = Bytes;
    type Cell = Bytes;

    fn note(&self, head: &RequestHead, user: &User) -> Note {
        Note {
            method: head.method.clone(),
            uri: head.uri.clone(),
            headers: head.headers.clone(),
            user: user.address,
            held: Held::default(),
        }
    }

    fn user(&self, stream: Stream) -> Bytes {
        Bytes::new(stream, found!(self, Users).map(|filter| filter()))
    }

    fn cell(&self, stream: Stream) -> Bytes {
        Bytes::new(stream, found!(self, Cells).map(|filter| filter()))
    }

    fn limits(&self, config: &mut Config) {
        if let Some(wrong) = found!(self, Limits) {
            wrong(config);
        }
    }

    fn refusal(
        &self,
        ask: &Ask<'_, Note>,
        refusal: Option<Refusal>,
        is_last: bool,
    ) -> Option<Response<UserBody>> {
        match found!(self, Refusal) {
            Some(wrong) => wrong(&self.at(ask), refusal, is_last),
            None => refusal.map(|refusal| refusal.response(is_last)),
        }
    }

    fn pick(&self, ask: &Ask<'_, Note>, purpose: Purpose) -> ColdPick {
        match found!(self, Pick) {
            Some(wrong) => wrong(&self.at(ask), purpose),
            None => ColdPick::new(ask.topology),
        }
    }

    fn look_up<'a>(&'a self, ask: &'a Ask<'_, Note>) -> Option<Entry<'a>> {
        match found!(self, LookUp) {
            Some(wrong) => wrong(&self.at(ask)),
            None => ask.cache.entry(ask.path()),
        }
    }

    fn remember(&self, ask: &Ask<'_, Note>, told: &Told<'_>) -> Result<(), Refusal> {
        match found!(self, Remember) {
            Some(wrong) => wrong(&self.at(ask), told),
            None => reference_router::parts::remember(ask, told),
        }
    }

    fn forget(&self, ask: &Ask<'_, Note>, cell: CellIndex, why: Why<'_>) {
        match found!(self, Forget) {
            Some(wrong) => wrong(&self.at(ask), cell, why),
            None => reference_router::parts::forget(ask, cell, why),
        }
    }

    async fn request_to_cell(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        request: &mut Request<Outgoing>,
        cells: &Cells<Self>,
    ) {
        let at = self.at(ask);
        if let Some(wrong) = found!(self, Request) {
            wrong(&at, step, request);
        }
        if let Some(wrong) = found!(self, RequestLater) {
            wrong(&at, step, request, cells).await;
        }
    }

    fn redirect_as_read(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        response: &Response<CellBody>,
    ) -> Named {
        match found!(self, Redirect) {
            Some(wrong) => wrong(&self.at(ask), step, response),
            None => reference_router::buffering::redirect(response, ask.topology),
        }
    }

    async fn pre_flight(
        &self,
        ask: &Ask<'_, Note>,
        cell: CellIndex,
        question: Request<Outgoing>,
        cells: &Cells<Self>,
    ) -> Question {
        let at = self.at(ask);
        match (found!(self, PreFlight), found!(self, PreFlightLater)) {
            (Some(wrong), _) => wrong(&at, question),
            (None, Some(wrong)) => wrong(&at, cell, question, cells).await,
            (None, None) => Question::Send(question),
        }
    }

    fn learn_response_as_read(
        &self,
        ask: &Ask<'_, Note>,
        asked: CellIndex,
        head: &ResponseHead,
        body: &[u8],
    ) -> Result<Said, Refusal> {
        match found!(self, Learn) {
            Some(wrong) => wrong(&self.at(ask), asked, head, body),
            None => reference_router::learning::said(ask.topology, head.status, body),
        }
    }

    fn again(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        outcome: Result<&Response<CellBody>, &SendError>,
    ) -> Again {
        found!(self, Again).and_then(|wrong| wrong(&self.at(ask), step, outcome))
    }

    async fn response_to_user(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        response: Response<UserBody>,
    ) -> Response<UserBody> {
        let at = self.at(ask);
        if let Some(wrong) = found!(self, ResponseLater) {
            return wrong(&at, step, response).await;
        }
        let original = response.headers().clone();
        let mut response = response::to_user(response, ask.topology).await;
        if let Some(wrong) = found!(self, Response) {
            wrong(&at, step, &original, &mut response);
        }
        response
    }
}
