use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt as _, Empty};
use hyper_util::rt::TokioIo;
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

use super::super::{Decoder, Framing, HeadError, Reason, ResponseReader};

fn head(bytes: &str) -> Result<Option<http::Response<()>>, HeadError> {
    let mut reader = ResponseReader::default();
    let mut input = BytesMut::from(bytes);
    let Some(length) = reader.read(&input)? else { return Ok(None) };
    reader.finish(&input.split_to(length).freeze()).map(Some)
}

#[test]
fn valid_heads_are_read() {
    for (bytes, status, reason) in [
        ("HTTP/1.1 200 OK\r\n\r\n", 200, None),
        ("HTTP/1.0 404 Not Found\r\nX: y\r\n\r\n", 404, None),
        ("HTTP/1.1 200\r\n\r\n", 200, Some("")),
        ("HTTP/1.1 200 \r\n\r\n", 200, Some("")),
        ("HTTP/1.1 299 Fine \u{e4}\r\n\r\n", 299, Some("Fine \u{e4}")),
    ] {
        let response = head(bytes).unwrap().unwrap();
        let own = response.extensions().get::<Reason>().map(|reason| &reason.0[..]);
        assert_eq!((response.status().as_u16(), own), (status, reason.map(str::as_bytes)));
    }
    assert!(head("HTTP/1.1 200 OK\r\nX: y\r\n").unwrap().is_none());
}

#[test]
fn invalid_heads_are_refused() {
    for (bytes, fault) in [
        ("HTTP/2.0 200 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1  200 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1 20 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1 2000 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1 099 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1 200 \0\r\n\r\n", HeadError::StatusLine),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", HeadError::StatusLine),
        ("HTTP/1.1 200 OK\n\n", HeadError::LineEnd),
        ("HTTP/1.1 200 OK\r\nX : y\r\n\r\n", HeadError::FieldLine),
        ("HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n", HeadError::FieldLine),
        ("HTTP/1.1 200 OK\r\nX: \0\r\n\r\n", HeadError::ControlByte),
    ] {
        assert_eq!(head(bytes).map(|_| ()), Err(fault), "{bytes:?}");
    }
}

/// Bytes that are nearly responses.
fn nearly_responses() -> impl Strategy<Value = String> {
    let part = prop::sample::select(
        &[
            "HTTP/1.1 200 OK\r\n",
            "HTTP/1.0 200 OK\r\n",
            "HTTP/1.1 204 No Content\r\n",
            "HTTP/1.1 304\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
            "Content-Length: 3\r\n",
            "Transfer-Encoding: chunked\r\n",
            "X: y\r\n",
            "X:\t\r\n",
            " z\r\n",
            "\r\n",
            "\n",
            "3\r\nabc\r\n",
            "3;x=y\r\n",
            "0\r\n\r\n",
            "0\r\nT: x\r\n\r\n",
            "abc",
            "\u{e4}",
        ][..],
    );
    let head = prop::sample::select(
        &["HTTP/1.1 200 OK\r\n", "HTTP/1.1 404 Not Found\r\n", "HTTP/1.0 200 X\r\n"][..],
    );
    (head, prop::collection::vec(part, 0..8))
        .prop_map(|(head, parts)| head.to_owned() + &parts.concat())
}

/// Status and body, as they are read here; none where they are not whole or not valid.
fn own(bytes: &str) -> Option<(u16, Vec<u8>)> {
    let mut reader = ResponseReader::default();
    let mut input = BytesMut::from(bytes);
    let response = loop {
        let length = reader.read(&input).ok()??;
        let response = reader.finish(&input.split_to(length).freeze()).ok()?;
        if !response.status().is_informational() {
            break response;
        }
    };
    let headers = response.headers();
    let lengths: Vec<_> = headers.get_all("content-length").iter().collect();
    let chunked = headers.get_all("transfer-encoding").iter().count();
    let framing = match (response.status().as_u16(), chunked, lengths.len()) {
        (204 | 304, ..) => Framing::Length(0),
        (_, 0, 0) => Framing::UntilEnd,
        (_, 0, 1) => Framing::Length(3),
        (_, 1, 0) if response.version() == http::Version::HTTP_11 => Framing::Chunked,
        // The router refuses them.
        _ => return None,
    };
    let mut decoder = Decoder::new(framing);
    let mut body = Vec::new();
    while let Some(data) = decoder.decode(&mut input).ok()? {
        body.extend_from_slice(&data);
    }
    (decoder.is_over() || decoder.end()).then(|| (response.status().as_u16(), body))
}

async fn witnessed(bytes: &str) -> Option<(u16, Vec<u8>)> {
    let (router, mut cell) = duplex(64 * 1024);
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(router)).await.ok()?;
    let play = async move {
        let _ = cell.read(&mut [0; 1024]).await;
        let _ = cell.write_all(bytes.as_bytes()).await;
    };
    let ask = async move {
        let response = sender.send_request(http::Request::new(Empty::<Bytes>::new())).await.ok()?;
        let status = response.status().as_u16();
        Some((status, response.into_body().collect().await.ok()?.to_bytes().to_vec()))
    };
    let all = async { tokio::join!(connection, play, ask).2 };
    tokio::time::timeout(Duration::from_secs(20), all).await.expect("a connection ends")
}

proptest! {
    #![proptest_config(crate::fuzzing::cases())]

    #[test]
    fn any_response_is_accepted_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = ResponseReader::default().read(&bytes);
    }

    #[test]
    fn what_is_read_hyper_reads_alike(bytes in nearly_responses()) {
        if let Some(own) = own(&bytes) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let other = runtime.block_on(witnessed(&bytes));
            prop_assert_eq!(Some(own), other, "{:?}", bytes);
        }
    }
}
