//! Requests that are written by hand, without an HTTP library: raw bytes, streamed bodies. And
//! cookies that become others.

use std::net::SocketAddr;
use std::time::Duration;

use cell_fleet::{Text, wire::CONFORMANCE_ID};

use super::in_flight::InFlight;
use super::jar::host;
use super::raw::Streaming;
use super::{People, Way, browser, end_to_end, fields, raw};
use crate::action::Framing;
use crate::trace::{ConformanceId, NEVER_SENT, NoResponse, ReceivedResponse, UserRequest};

/// Raw bytes that a person sends.
#[derive(Clone, Debug)]
pub(crate) struct RawText<'a> {
    /// The bytes; placeholders in them are filled in as they are sent.
    pub(crate) text: &'a [u8],
    /// Whether the person closes the sending half after them.
    pub(crate) half_close: bool,
    /// How long the suite waits for further, unsolicited responses.
    pub(crate) surplus: Duration,
}

impl People {
    /// Sends raw bytes, and records one request for each `{id}` in them.
    pub(crate) async fn send_bytes(&mut self, person: &str, way: Way, message: RawText<'_>) {
        let (at, jar) = (way.at, self.jar(person));
        let cookies = jar.header("/").unwrap_or_default();
        let mut filled = raw::fill(message.text, &host(at), &cookies, || self.next_id(person).0);
        if filled.ids.is_empty() {
            filled.ids.push((0, self.next_id(person).0));
        }
        let mut said_bytes = Some(Text::from(&filled.bytes[..]));
        let (mut notes, mut methods, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        for (place, id) in &filled.ids {
            let found = raw::find_request(&filled.bytes, *place);
            methods.push(found.method.clone());
            targets.push(found.target.to_string());
            notes.push(self.begin(UserRequest {
                id: ConformanceId(id.clone()),
                method: found.method,
                target: found.target,
                fields: end_to_end(found.fields),
                body: found.body,
                raw: Some(said_bytes.take().unwrap_or_default()),
                ..way.entry(person)
            }));
        }
        let saw = |number: usize, event: &raw::Event| notes[number].saw(event);
        let ended = |number: usize, got: Result<ReceivedResponse, NoResponse>| {
            if let Ok(response) = &got {
                jar.keep(at, &targets[number], response);
            }
            notes[number].end(got);
        };
        let idle_timeout = (self.idle_timeout, message.surplus);
        let further = raw::exchange(
            at,
            raw::Sending {
                bytes: &filled.bytes,
                pauses: &filled.pauses,
                closes: message.half_close,
            },
            &methods,
            idle_timeout,
            saw,
            ended,
        )
        .await;
        for got in further {
            // The record also has unsolicited responses: each as that of a request that was never
            // sent.
            let id = self.next_id(person);
            let notes = self.begin(UserRequest {
                id,
                method: NEVER_SENT.to_owned(),
                target: "-".into(),
                raw: Some(Text::default()),
                ..way.entry(person)
            });
            notes.end(got);
        }
    }

    /// Sends a request whose body or response is streamed.
    pub(crate) async fn stream(&mut self, person: &str, way: Way, streaming: Streaming<'_>) {
        let (at, jar) = (way.at, self.jar(person));
        let (request, taken) = (&streaming.request, streaming.taken.clone());
        let (target, watched) = (request.target.clone(), streaming.meanwhile.is_some());
        let entry = UserRequest {
            method: request.method.clone(),
            target: Text::from(target.as_str()),
            body: raw::body_of(&request.body).await,
            ..way.entry(person)
        };
        let (head, notes) = self.announce(at, entry, request.fields.clone(), streaming.framed);
        let got = streaming.exchange(at, head, self.idle_timeout, &notes).await;
        if let Ok(response) = &got {
            jar.keep(at, &target, response);
        }
        if watched {
            // A response may come before the transfer stalls: this is what was taken by then.
            let taken = taken.load(std::sync::atomic::Ordering::Relaxed);
            notes.note(|request| _ = request.taken.get_or_insert(taken));
        }
        notes.end(got);
    }

    /// Returns the head of a request and the entry of the request in the record.
    fn announce(
        &mut self,
        at: SocketAddr,
        entry: UserRequest,
        mut own: Vec<(String, String)>,
        framed: Framing,
    ) -> (Vec<u8>, InFlight) {
        let id = self.next_id(&entry.person);
        browser::complete(&entry.person, &mut own);
        own.push((CONFORMANCE_ID.to_owned(), id.0.clone()));
        let (length, target) = (entry.body.length, entry.target.to_string());
        match framed {
            Framing::InChunks => own.push(("Transfer-Encoding".to_owned(), "chunked".to_owned())),
            Framing::Plain if length == 0 && entry.method == "GET" => {}
            Framing::Plain | Framing::AfterContinue => {
                own.push(("Content-Length".to_owned(), length.to_string()))
            }
        }
        if framed == Framing::AfterContinue {
            own.push(("Expect".to_owned(), "100-continue".to_owned()));
        }
        let fields = end_to_end(fields(&own));
        let head = self.head(&entry.person, at, &entry.method, &target, own);
        (head, self.begin(UserRequest { id, fields, ..entry }))
    }

    /// The head of a request: the host, the person's cookies, then these fields.
    pub(super) fn head(
        &mut self,
        person: &str,
        at: SocketAddr,
        method: &str,
        target: &str,
        own: Vec<(String, String)>,
    ) -> Vec<u8> {
        let mut lines = vec![("Host".to_owned(), host(at))];
        lines.extend(self.jar(person).header(target).map(|cookies| ("Cookie".to_owned(), cookies)));
        lines.extend(own);
        raw::head(method, target, &lines)
    }

    /// Waits for the first bytes of the response to a person's last request, or for its end.
    pub(crate) async fn first_bytes(&self, person: &str) {
        let came = |requests: &[UserRequest]| {
            let last = requests.iter().rev().find(|request| request.person == person);
            last.is_none_or(|last| last.first_bytes.is_some() || last.response.is_some())
        };
        // Where nothing comes, the trace shows it.
        let came = tokio::time::timeout(self.idle_timeout, self.recorder.wait_until(came)).await;
        if came.is_err() {
            self.recorder.waited(self.idle_timeout);
        }
    }
}
