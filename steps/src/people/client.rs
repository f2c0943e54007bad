//! The HTTP client of one user: reqwest, and a plain HTTP/1.1 connection for request targets that a
//! URL library would rewrite.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use cell_fleet::{BodySeen, Digester, Field, Text};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use reqwest::Url;
use reqwest::cookie::CookieStore;
use rustix::io::Errno;
use tokio::net::TcpStream;

use super::in_flight::InFlight;
use super::jar::{Jar, host};
use crate::literal::Request;
use crate::trace::{NoResponse, PUBLIC_HOST, ReceivedResponse};

/// A client that follows no redirects, speaks HTTP/1.1, and uses no proxy.
pub fn plain_http() -> reqwest::ClientBuilder {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().http1_only()
}

#[derive(Debug)]
pub(super) struct Client {
    jar: Arc<Jar>,
    http: Result<reqwest::Client, NoResponse>,
}

impl Client {
    pub(super) fn new(address: IpAddr, jar: Arc<Jar>) -> Self {
        let http = plain_http()
            .cookie_provider(jar.clone())
            // All routers and cells share one domain, and so one cookie jar.
            .resolve(PUBLIC_HOST, SocketAddr::new(address, 0))
            .build()
            .map_err(|error| no_response(&error));
        Self { jar, http }
    }

    pub(super) async fn exchange(
        &self,
        at: SocketAddr,
        request: Request,
        last_part: Option<BoxFuture<'static, ()>>,
        notes: &InFlight,
    ) -> Result<ReceivedResponse, NoResponse> {
        let origin = format!("http://{}", host(at));
        let url = Url::parse(&format!("{origin}{}", request.target))
            .map_err(|error| no_response(&error))?;
        let survives = url.as_str() == format!("{origin}{}", request.target);
        if survives {
            self.by_url(url, request, last_part, notes).await
        } else {
            self.byte_for_byte(at, &url, request, notes).await
        }
    }

    async fn by_url(
        &self,
        url: Url,
        request: Request,
        last_part: Option<BoxFuture<'static, ()>>,
        notes: &InFlight,
    ) -> Result<ReceivedResponse, NoResponse> {
        let http = self.http.as_ref().map_err(Clone::clone)?;
        let method = request
            .method
            .parse()
            .map_err(|_| NoResponse::Failed(format!("`{}` is not a method", request.method)))?;
        let mut builder = http.request(method, url);
        for (name, value) in &request.fields {
            builder = builder.header(name, value);
        }
        if let Some(last_part) = last_part {
            let length = request.body.len();
            builder = builder
                .header("Content-Length", length)
                .body(reqwest::Body::wrap_stream(halves(request.body, last_part)));
        } else if !request.body.is_empty() {
            builder = builder.body(request.body);
        }
        let response = builder.send().await.map_err(|error| no_response(&error))?;
        let (status, fields) = (response.status().as_u16(), fields(response.headers()));
        let mut body = Digester::default();
        let mut pieces = response.bytes_stream();
        while let Some(piece) = pieces.next().await {
            body.update(&piece.map_err(|error| NoResponse::broke_off(status, chain(&error)))?);
            notes.body();
        }
        Ok(ReceivedResponse { status, fields, body: body.finish() })
    }

    async fn byte_for_byte(
        &self,
        at: SocketAddr,
        url: &Url,
        request: Request,
        notes: &InFlight,
    ) -> Result<ReceivedResponse, NoResponse> {
        let path = http::uri::PathAndQuery::from_maybe_shared(Bytes::from(request.target.clone()));
        let path = path.map_err(|error| {
            NoResponse::Failed(format!(
                "the suite cannot send the target {}: {error}",
                request.target
            ))
        })?;
        let mut builder = http::Request::builder()
            .method(request.method.as_str())
            .uri(path.as_str())
            .header("Host", host(at));
        if let Some(cookies) = self.jar.cookies(url) {
            builder = builder.header("Cookie", cookies);
        }
        for (name, value) in &request.fields {
            builder = builder.header(name, value);
        }
        let mut message =
            builder.body(Full::new(request.body)).map_err(|error| no_response(&error))?;
        // `Uri` would parse a part of a target that begins with two slashes as the host.
        let mut parts = http::uri::Parts::default();
        parts.path_and_query = Some(path);
        *message.uri_mut() = http::Uri::from_parts(parts).map_err(|error| no_response(&error))?;
        let stream = TcpStream::connect(at).await.map_err(|error| no_response(&error))?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| no_response(&error))?;
        let driver = tokio::spawn(connection);
        let response = sender.send_request(message).await.map_err(|error| no_response(&error));
        let got = match response {
            Ok(response) => {
                let (status, headers) = (response.status().as_u16(), response.headers().clone());
                self.jar.set_cookies(&mut headers.get_all("set-cookie").iter(), url);
                let body = read(response.into_body(), notes)
                    .await
                    .map_err(|error| NoResponse::broke_off(status, chain(&error)));
                body.map(|body| ReceivedResponse { status, fields: fields(&headers), body })
            }
            Err(error) => Err(error),
        };
        driver.abort();
        got
    }
}

async fn read(mut body: Incoming, notes: &InFlight) -> Result<BodySeen, hyper::Error> {
    let mut seen = Digester::default();
    while let Some(frame) = body.frame().await {
        if let Some(piece) = frame?.data_ref() {
            seen.update(piece);
            notes.body();
        }
    }
    Ok(seen.finish())
}

/// A body in two halves, the second once `last_part` has ended.
fn halves(
    body: Bytes,
    last_part: BoxFuture<'static, ()>,
) -> impl futures_util::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static {
    let (first, second) = (body.slice(..body.len() / 2), body.slice(body.len() / 2..));
    let first = futures_util::stream::once(async move { Ok(first) });
    let second = futures_util::stream::once(async move {
        last_part.await;
        Ok(second)
    });
    first.chain(second)
}

fn fields(headers: &HeaderMap) -> Vec<Field> {
    headers
        .iter()
        .map(|(name, value)| Field {
            name: Text::from(name.as_str()),
            value: Text::from(value.as_bytes()),
        })
        .collect()
}

fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}

/// Why an exchange that failed has no response.
pub(super) fn no_response(error: &(dyn Error + 'static)) -> NoResponse {
    let mut parsing = causes(error).filter_map(|cause| cause.downcast_ref::<hyper::Error>());
    // What came was a response, so nobody should be told that there was none.
    if let Some(known) = parsing.find(|error| error.is_parse()) {
        return NoResponse::NoHttp { why: known.to_string(), again: String::new() };
    }
    let mut of_system = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    match of_system.any(had_no_file) {
        true => NoResponse::NoFile(chain(error)),
        false => NoResponse::Failed(chain(error)),
    }
}

/// Whether this process, or the machine, had no file left for a connection.
fn had_no_file(error: &io::Error) -> bool {
    let no_file = [Errno::MFILE, Errno::NFILE].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|errno| no_file.contains(&errno))
}

/// An error with its causes: the message of reqwest alone is rarely specific.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = String::new();
    for words in causes(error).map(ToString::to_string) {
        if text.is_empty() {
            text = words;
        } else if !text.contains(&words) {
            text.push_str(&format!(": {words}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_response_that_cannot_be_read_is_not_called_none() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let answers = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 1024]).await;
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nX-Field: a\0b\r\n\r\n").await;
        });
        let error = plain_http().build().unwrap().get(format!("http://{at}")).send().await;
        let unread = no_response(&error.unwrap_err());
        let is_so = matches!(&unread, NoResponse::NoHttp { why, .. } if why.contains("header"));
        assert!(is_so, "{unread}");
        answers.await.unwrap();
        let refused = plain_http().build().unwrap().get(format!("http://{at}")).send().await;
        let refused = refused.unwrap_err();
        assert!(matches!(no_response(&refused), NoResponse::Failed(_)));
        // The error of the system is found behind the library's.
        let of_system = |error: &&(dyn Error + 'static)| {
            let error = error.downcast_ref::<io::Error>();
            error.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
        };
        assert!(causes(&refused).any(|error| of_system(&error)));
    }

    #[test]
    fn an_error_of_the_suite_is_told_from_one_of_the_router() {
        let no_file =
            |errno: Errno| matches!(no_response(&io::Error::from(errno)), NoResponse::NoFile(_));
        assert!(no_file(Errno::MFILE) && no_file(Errno::NFILE) && !no_file(Errno::CONNREFUSED));
    }
}
