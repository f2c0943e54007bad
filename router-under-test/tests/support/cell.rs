//! A scripted cell that records the requests it receives.

use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::message::Message;

/// The input of a script: the request without its body, and the connection.
pub(crate) struct Exchange<'a> {
    pub(crate) request: Message,
    pub(crate) reader: &'a mut BufReader<TcpStream>,
    pub(crate) stream: &'a mut TcpStream,
    /// The number of earlier requests on this connection.
    pub(crate) earlier: usize,
    seen: &'a Seen,
    /// The index of the request in the journal.
    place: usize,
}

impl Exchange<'_> {
    /// Reads the body, and records it in the journal before the response.
    pub(crate) fn read_body(&mut self) {
        self.request.read_body(self.reader).expect("the body is readable");
        self.seen.journal.lock().expect("no script panicked")[self.place] = self.request.clone();
    }

    pub(crate) fn response(&mut self, response: &str) {
        self.stream.write_all(response.as_bytes()).expect("the response can be sent");
    }
}

/// A cell; serves until the test ends.
pub(crate) struct Cell {
    pub(crate) address: SocketAddr,
    seen: Arc<Seen>,
}

#[derive(Default)]
struct Seen {
    journal: Mutex<Vec<Message>>,
    closed: AtomicUsize,
}

/// What happens to the connection after a script.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Keep,
    Close,
}

impl Cell {
    /// A cell that reads each request to its end and responds with these bytes.
    pub(crate) fn responding(
        response: impl Fn(&Message) -> String + Send + Sync + 'static,
    ) -> Self {
        Self::scripted(move |mut exchange| {
            exchange.read_body();
            let response = response(&exchange.request);
            exchange.response(&response);
            Then::Keep
        })
    }

    /// A cell with a script of its own.
    pub(crate) fn scripted(script: impl Fn(Exchange<'_>) -> Then + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let seen = Arc::new(Seen::default());
        let cell = Self { address, seen: Arc::clone(&seen) };
        let script = Arc::new(script);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                std::thread::spawn(move || {
                    converse(stream, &*script, &seen);
                    seen.closed.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        cell
    }

    /// The requests received so far, in order of arrival.
    pub(crate) fn received(&self) -> Vec<Message> {
        self.seen.journal.lock().expect("no script panicked").clone()
    }

    /// The start lines of the requests received so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.received().into_iter().map(|request| request.start).collect()
    }

    /// Waits until this many connections have been closed.
    pub(crate) fn wait_until_closed(&self, connections: usize) {
        wait_for(|| self.seen.closed.load(Ordering::SeqCst) >= connections);
    }
}

/// Waits until a condition holds; the test fails if it never does.
pub(crate) fn wait_for(mut condition: impl FnMut() -> bool) {
    let limit = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < limit, "waited in vain");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn converse(stream: TcpStream, script: &dyn Fn(Exchange<'_>) -> Then, seen: &Seen) {
    let mut writer = stream.try_clone().expect("a socket can be cloned");
    let mut reader = BufReader::new(stream);
    let mut earlier = 0;
    while let Ok(Some(request)) = Message::read_head(&mut reader) {
        let place = {
            let mut journal = seen.journal.lock().expect("no script panicked");
            journal.push(request.clone());
            journal.len() - 1
        };
        let (reader, stream) = (&mut reader, &mut writer);
        if script(Exchange { request, reader, stream, earlier, seen, place }) == Then::Close {
            return;
        }
        earlier += 1;
    }
}

/// A response with a length.
pub(crate) fn response(status: &str, fields: &[&str], body: &str) -> String {
    let mut text = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len());
    for field in fields {
        text.push_str(field);
        text.push_str("\r\n");
    }
    text + "\r\n" + body
}

/// `200` with a body.
pub(crate) fn ok(body: &str) -> String {
    response("200 OK", &[], body)
}

/// An internal redirect of the buffering protocol.
pub(crate) fn redirect(name: &str) -> String {
    response(
        "302 Found",
        &[
            "Location: /internal",
            "Set-Cookie: internal=1",
            &format!("X-Gitlab-Cell-Redirect: {{cell:{name}}}"),
        ],
        "",
    )
}

/// A learn response.
pub(crate) fn learnt(json: &str) -> String {
    response("200 OK", &["Content-Type: application/json"], json)
}
