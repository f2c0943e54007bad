//! The one router that stands for all: at each seam it runs what its row says, else what is correct.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::MutexGuard;

use http::request::Parts as RequestHead;
use parts::{Ask, Parts};
use reference_router::response;
use reference_router::router::User;
use reference_router::stream::Stream;
use tokio::sync::OwnedMutexGuard;

use super::bytes::{Connection, Filter};
use super::prelude::*;
use super::state::{Held, State, lock};

pub(crate) type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// What a router does again: at this cell, and with this request if not with the same.
pub(crate) type Again = Option<(CellIndex, Option<Request<Outgoing>>)>;
/// What came of sending a request.
pub(crate) type Outcome<'a> = Result<&'a Response<CellBody>, &'a SendError>;
/// A response of the router's own, if the request is refused.
pub(crate) type Given = Option<Response<UserBody>>;
/// The cell that a redirect within the router names, if it is one.
pub(crate) type Named = Result<Option<CellIndex>, Refusal>;

/// What is wrong, and where. The arguments are those of the seam, behind what all have: [`At`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seam {
    Limits(fn(&mut Config)),
    /// Runs before the router does.
    Start(fn()),
    /// The status with which a request is refused that the correct router takes.
    RefuseIf(fn(&At<'_>) -> Option<u16>),
    /// Gets the response of the correct router to a request that it refuses.
    Refuse(fn(&At<'_>, Option<Refusal>, Given) -> Given),
    /// None where the correct router picks.
    Pick(fn(&At<'_>, Purpose) -> Option<ColdPick>),
    LookUp(for<'a> fn(&At<'a>) -> Option<Entry<'a>>),
    Remember(fn(&At<'_>, &Told<'_>) -> Result<(), Refusal>),
    Forget(fn(&At<'_>, CellIndex, Why<'_>)),
    ToCell(fn(&At<'_>, Step, &mut Request<Outgoing>)),
    /// May send requests of its own before.
    ToCellLater(
        for<'a> fn(&'a At<'a>, Step, &'a mut Request<Outgoing>, &'a Cells<Wrong>) -> Later<'a, ()>,
    ),
    Redirect(fn(&At<'_>, Step, &Response<CellBody>) -> Named),
    /// Gets the cell to which the correct router is sent on, and says where it goes.
    Redirected(fn(&At<'_>, Step, &Response<CellBody>, CellIndex) -> Result<CellIndex, Refusal>),
    /// Where a request goes that needs no question.
    Knows(fn(&At<'_>) -> Option<Destination>),
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
    /// Changes what the correct router has learned.
    Learned(fn(&At<'_>, CellIndex, &[u8], &mut Said)),
    Resend(fn(&At<'_>, Step, Outcome<'_>) -> Again),
    /// The response stays as the cell gave it.
    Unchanged,
    /// Gets the fields as the cell gave them, and what the correct router makes of the response.
    ToUser(fn(&At<'_>, Step, &HeaderMap, &mut Response<UserBody>)),
    /// Gets what the correct router makes of the response.
    ToUserLater(for<'a> fn(&'a At<'a>, Response<UserBody>) -> Later<'a, Response<UserBody>>),
    UserBytes(fn() -> Box<dyn Filter>),
    CellBytes(fn() -> Box<dyn Filter>),
}

/// A request as the user sent it.
#[derive(Debug)]
pub(crate) struct Note {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    /// The address and port of the user: those of one connection.
    pub(crate) user: SocketAddr,
    pub(crate) arrived: Instant,
    /// What it has that others wait for.
    pub(crate) held: Held,
}

pub(crate) struct At<'a> {
    pub(crate) ask: &'a Ask<'a, Note>,
    pub(crate) state: &'a State,
}

impl<'a> At<'a> {
    /// The path, without the query.
    pub(crate) fn path(&self) -> &'a str {
        self.ask.path()
    }

    pub(crate) fn note(&self) -> &'a Note {
        self.ask.note
    }

    /// The user's address, which has one request at a time.
    pub(crate) fn user(&self) -> String {
        self.note().user.to_string()
    }

    pub(crate) fn held(&self) -> MutexGuard<'a, Option<OwnedMutexGuard<()>>> {
        lock(&self.note().held)
    }

    /// When an entry ends that begins now.
    pub(crate) fn end(&self) -> Option<Instant> {
        self.is_learning().then(|| Instant::now() + self.ask.topology.cache.ttl)
    }

    /// The cells of the router's own region.
    pub(crate) fn own(&self) -> Vec<CellIndex> {
        self.ask.topology.by_region().0
    }

    pub(crate) fn is_learning(&self) -> bool {
        matches!(self.ask.topology.protocol, Protocol::Learning { .. })
    }
}

/// A router with the seams of a row.
#[derive(Clone, Debug)]
pub(crate) struct Wrong {
    seams: &'static [Seam],
    state: State,
}

impl Wrong {
    pub(crate) fn new(seams: &'static [Seam]) -> Self {
        Self { seams, state: State::default() }
    }

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
    type Connection = Connection;

    fn note(&self, head: &RequestHead, user: &User) -> Note {
        Note {
            method: head.method.clone(),
            uri: head.uri.clone(),
            headers: head.headers.clone(),
            user: user.address,
            arrived: Instant::now(),
            held: Held::default(),
        }
    }

    fn user(&self, stream: Stream) -> Connection {
        Connection::new(stream, found!(self, UserBytes).map(|filter| filter()))
    }

    fn cell(&self, stream: Stream) -> Connection {
        Connection::new(stream, found!(self, CellBytes).map(|filter| filter()))
    }

    fn limits(&self, config: &mut Config) {
        if let Some(wrong) = found!(self, Limits) {
            wrong(config);
        }
    }

    fn refusal(&self, ask: &Ask<'_, Note>, refusal: Option<Refusal>, is_last: bool) -> Given {
        let at = self.at(ask);
        if let (None, Some(wrong)) = (refusal, found!(self, RefuseIf))
            && let Some(status) = wrong(&at)
        {
            let mut page = Refusal::Internal.response(is_last);
            *page.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
            return Some(page);
        }
        let given = refusal.map(|refusal| refusal.response(is_last));
        match found!(self, Refuse) {
            Some(wrong) => wrong(&at, refusal, given),
            None => given,
        }
    }

    fn pick(&self, ask: &Ask<'_, Note>, purpose: Purpose) -> ColdPick {
        let picked = found!(self, Pick).and_then(|wrong| wrong(&self.at(ask), purpose));
        picked.unwrap_or_else(|| ColdPick::new(ask.topology))
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
            None => parts::remember(ask, told),
        }
    }

    fn forget(&self, ask: &Ask<'_, Note>, cell: CellIndex, why: Why<'_>) {
        match found!(self, Forget) {
            Some(wrong) => wrong(&self.at(ask), cell, why),
            None => parts::forget(ask.cache, ask.path(), cell, why),
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
        if let Some(wrong) = found!(self, ToCell) {
            wrong(&at, step, request);
        }
        if let Some(wrong) = found!(self, ToCellLater) {
            wrong(&at, step, request, cells).await;
        }
    }

    fn redirect_as_read(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        response: &Response<CellBody>,
    ) -> Named {
        let at = self.at(ask);
        if let Some(wrong) = found!(self, Redirect) {
            return wrong(&at, step, response);
        }
        let next = buffering::redirect(response, ask.topology)?;
        match (next, found!(self, Redirected)) {
            (Some(next), Some(wrong)) => wrong(&at, step, response, next).map(Some),
            _ => Ok(next),
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
        if let Some(known) = found!(self, Knows).and_then(|wrong| wrong(&at)) {
            return Question::Known(known);
        }
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
        let at = self.at(ask);
        if let Some(wrong) = found!(self, Learn) {
            return wrong(&at, asked, head, body);
        }
        let mut said = learning::said(ask.topology, head.status, body)?;
        if let Some(wrong) = found!(self, Learned) {
            wrong(&at, asked, body, &mut said);
        }
        Ok(said)
    }

    fn again(&self, ask: &Ask<'_, Note>, step: Step, outcome: Outcome<'_>) -> Again {
        found!(self, Resend).and_then(|wrong| wrong(&self.at(ask), step, outcome))
    }

    async fn response_to_user(
        &self,
        ask: &Ask<'_, Note>,
        step: Step,
        response: Response<UserBody>,
    ) -> Response<UserBody> {
        if self.seams.iter().any(|seam| matches!(seam, Unchanged)) {
            return response;
        }
        let at = self.at(ask);
        let original = response.headers().clone();
        let mut response = response::to_user(response, ask.topology).await;
        if let Some(wrong) = found!(self, ToUser) {
            wrong(&at, step, &original, &mut response);
        }
        match found!(self, ToUserLater) {
            Some(wrong) => wrong(&at, response).await,
            None => response,
        }
    }
}
