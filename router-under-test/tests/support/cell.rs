//! Cells that record the requests they receive. One that behaves as HTTP asks is a mock server; one
//! that misbehaves below HTTP, or of which bytes, connections or moments matter, is a server of its
//! own.

use std::fmt::{self, Display};
use std::io::{BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

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
    index: usize,
}

impl Exchange<'_> {
    /// Reads the body, and records it in the journal before the response.
    pub(crate) fn read_body(&mut self) {
        self.request.read_body(self.reader).expect("the body is readable");
        self.seen.journal.lock().expect("no script panicked")[self.index] = self.request.clone();
    }

    /// Sends these bytes, or a response.
    pub(crate) fn response(&mut self, response: impl Display) {
        let bytes = response.to_string().into_bytes();
        self.stream.write_all(&bytes).expect("the response can be sent");
    }
}

/// A cell; serves until the test ends.
pub(crate) struct Cell {
    pub(crate) address: SocketAddr,
    server: Server,
}

enum Server {
    Mock(MockServer),
    Own(Arc<Seen>),
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
    /// A cell that gives these responses, as HTTP asks.
    pub(crate) fn responding(
        response: impl Fn(&Message) -> Response + Send + Sync + 'static,
    ) -> Self {
        Self::mocked(move |request| response(&Message::from(request)).template())
    }

    /// A cell that reads each request to its end and gives no response before any limit has passed.
    pub(crate) fn silent() -> Self {
        Self::mocked(|_| ok("too late").template().set_delay(Duration::from_secs(600)))
    }

    fn mocked(
        respond: impl Fn(&wiremock::Request) -> ResponseTemplate + Send + Sync + 'static,
    ) -> Self {
        let server = block_on(async {
            let server = MockServer::builder().start().await;
            Mock::given(any()).respond_with(respond).mount(&server).await;
            server
        });
        Self { address: *server.address(), server: Server::Mock(server) }
    }

    /// A cell that reads each request to its end and responds with these bytes.
    pub(crate) fn writing(response: impl Fn(&Message) -> String + Send + Sync + 'static) -> Self {
        Self::scripted(move |mut exchange| {
            exchange.read_body();
            let response = response(&exchange.request);
            exchange.response(response);
            Then::Keep
        })
    }

    /// A cell with a script of its own.
    pub(crate) fn scripted(script: impl Fn(Exchange<'_>) -> Then + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let seen = Arc::new(Seen::default());
        let cell = Self { address, server: Server::Own(Arc::clone(&seen)) };
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
        match &self.server {
            Server::Mock(server) => {
                let requests = block_on(server.received_requests());
                requests.expect("requests are recorded").iter().map(Message::from).collect()
            }
            Server::Own(seen) => seen.journal.lock().expect("no script panicked").clone(),
        }
    }

    /// The start lines of the requests received so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.received().into_iter().map(|request| request.start).collect()
    }

    /// Waits until this many connections have been closed.
    pub(crate) fn wait_until_closed(&self, connections: usize) {
        let Server::Own(seen) = &self.server else { panic!("a mock server does not tell") };
        wait_for(|| seen.closed.load(Ordering::SeqCst) >= connections);
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
        let index = {
            let mut journal = seen.journal.lock().expect("no script panicked");
            journal.push(request.clone());
            journal.len() - 1
        };
        let (reader, stream) = (&mut reader, &mut writer);
        if script(Exchange { request, reader, stream, earlier, seen, index }) == Then::Close {
            return;
        }
        earlier += 1;
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be made").block_on(future)
}

/// A response with a length.
#[derive(Clone)]
pub(crate) struct Response {
    /// `404 Not Found`; mock servers have reasons of their own.
    status: String,
    /// Lines, without their ends.
    fields: Vec<String>,
    body: String,
}

impl Response {
    fn template(&self) -> ResponseTemplate {
        let status: u16 = self.status[..3].parse().expect("a status begins with its number");
        let template = ResponseTemplate::new(status).set_body_bytes(self.body.as_bytes());
        self.fields.iter().fold(template, |template, field| {
            let (name, value) = field.split_once(':').expect("a header field has a colon");
            template.append_header(name, value.trim().as_bytes())
        })
    }
}

impl Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { status, fields, body } = self;
        write!(f, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n", body.len())?;
        fields.iter().try_for_each(|field| write!(f, "{field}\r\n"))?;
        write!(f, "\r\n{body}")
    }
}

/// A response with these fields, each a line or several.
pub(crate) fn response(status: &str, fields: &[&str], body: &str) -> Response {
    let fields = fields.iter().flat_map(|field| field.split("\r\n")).map(str::to_owned).collect();
    Response { status: status.to_owned(), fields, body: body.to_owned() }
}

/// `200` with a body.
pub(crate) fn ok(body: &str) -> Response {
    response("200 OK", &[], body)
}

/// An internal redirect of the buffering protocol.
pub(crate) fn redirect(name: &str) -> Response {
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
pub(crate) fn learnt(json: &str) -> Response {
    response("200 OK", &["Content-Type: application/json"], json)
}
